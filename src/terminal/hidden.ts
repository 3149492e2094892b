/** Reading what must never be on a screen. */
import { emitKeypressEvents } from 'node:readline';
import { onAbort } from '../text/abort.ts';
import type { Input } from './streams.ts';

type Key = { readonly ctrl?: boolean; readonly name?: string };

/**
 * Reads one line from a terminal with nothing echoed, neither the characters nor their number. Backspace takes back a character and
 * Ctrl-U all of them; other control keys do nothing. Gives the line without its end, otherwise exactly as typed or pasted.
 * `ready` is called once typing is safe: what was typed before, while the terminal still echoed, is thrown away.
 * Rejects with the signal's reason; the terminal is as before in every case.
 */
export async function readHidden(stdin: Input, signal: AbortSignal, ready: () => void): Promise<string> {
  stdin.setRawMode?.(true);
  try {
    await discardTyped(stdin);
    signal.throwIfAborted();
    ready();
    return await readKeys(stdin, signal);
  } finally {
    stdin.pause();
    stdin.setRawMode?.(false);
  }
}

/** Throws away what the person typed before the question was there to be read. */
export async function discardTyped(stdin: Input): Promise<void> {
  stdin.resume();
  // One turn of the event loop: whatever the terminal already holds arrives within it.
  await new Promise((resolve) => setImmediate(resolve));
}

function readKeys(stdin: Input, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const typed: string[] = [];
    const onKey = (text: string | undefined, key: Key) => {
      if (key.name === 'return' || key.name === 'enter') {
        letGo();
        stdin.removeListener('keypress', onKey);
        resolve(typed.join(''));
      } else edit(typed, text, key);
    };
    emitKeypressEvents(stdin);
    stdin.on('keypress', onKey);
    stdin.resume();
    const letGo = onAbort(signal, () => {
      stdin.removeListener('keypress', onKey);
      reject(signal.reason);
    });
  });
}

function edit(typed: string[], text: string | undefined, key: Key): void {
  if (key.name === 'backspace') typed.pop();
  else if (key.ctrl) key.name === 'u' && typed.splice(0);
  else if (text !== undefined) typed.push(text);
}
