import { statSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileNames } from '../working-copy/folder.ts';

export type Watch = {
  /** Sends every further change to a page (server-sent events). */
  readonly subscribe: (response: ServerResponse) => void;
  readonly close: () => void;
};

/** How often files are checked, in milliseconds. Not every file system supports change notifications. */
const interval = 400;

/** Watches the files of a folder while a page is connected. */
export function watchFolder(dir: string): Watch {
  const listeners = new Set<ServerResponse>();
  let seen = stateOf(dir);
  let timer: NodeJS.Timeout | undefined;
  const poll = () => {
    const now = stateOf(dir);
    if (now === seen) return;
    seen = now;
    for (const listener of listeners) listener.write('data: changed\n\n');
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    subscribe(response) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      response.write('retry: 1000\n\n');
      listeners.add(response);
      if (!timer) seen = stateOf(dir);
      timer ??= setInterval(poll, interval);
      response.once('close', () => {
        listeners.delete(response);
        if (listeners.size === 0) stop();
      });
    },
    close() {
      stop();
      for (const listener of listeners) listener.end();
    },
  };
}

function stateOf(dir: string): string {
  try {
    return (fileNames(dir) ?? []).map((name) => `${name} ${stampOf(join(dir, name))}`).join('\n');
  } catch {
    return ''; // the folder is being replaced
  }
}

function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.mtimeMs} ${found.size} ${found.ino}` : '';
}
