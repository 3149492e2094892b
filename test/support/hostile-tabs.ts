/**
 * A shell in a terminal with a stand-in for `iiot`: our own code in this process answers a Tab with one value that only the platform would know, and
 * every other call is recorded with its words. One press takes some hundredths of a second.
 */
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readdirSync,
  read as readFrom,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { answerTab } from '../../src/shell/complete.ts';
import type { Grammar } from '../../src/shell/grammar.ts';
import { linkedFile } from './program.ts';
import { openShell, type ShellName } from './tab-keys.ts';

export type HostileShell = Awaited<ReturnType<typeof openHostileShell>>;

/** Ctrl-U, after a character so that there is something to remove. */
const emptyLine = 'x\x15';

const standIn = `#!/bin/sh
if [ "$1" = completion ]; then exec '${linkedFile}' "$@"; fi
{ printf '%s\\0' "$@"; printf '\\001\\0'; } > "$CALLS"
if [ "$1" = __complete ]; then read -r _ < "$READY"; exec cat "$ANSWER"; fi
`;

export async function openHostileShell(shell: ShellName, grammar: Grammar) {
  const folder = mkdtempSync(join(tmpdir(), 'iiot-hostile-'));
  const path = (name: string) => join(folder, name);
  execFileSync('mkfifo', [path('calls'), path('ready')]);
  writeFileSync(path('iiot'), standIn, { mode: 0o755 });
  const [calls, ready] = [path('calls'), path('ready')].map((each) => openSync(each, constants.O_RDWR)) as [
    number,
    number,
  ];
  const state = { value: '', offered: false, asked: () => {}, ran: (_: readonly string[]) => {} };
  const answer = async ([, ...words]: readonly string[]) => {
    const text = await answerTab(words, grammar, async () => [{ word: state.value, says: '' }]);
    state.offered ||= /^(?:words|open)(?:\n|\0+)[^\n\0]/.test(text);
    writeFileSync(path('answer'), text);
    writeSync(ready, '\n');
    state.asked();
  };
  const stop = listen(calls, (words) => (words[0] === '__complete' ? void answer(words) : state.ran(words)));
  const env = { CALLS: path('calls'), READY: path('ready'), ANSWER: path('answer') };
  const typist = await openShell(shell, env, path('iiot'));
  return {
    /**
     * Types a line and Tab; if a value is offered, also the end of the line, and Enter. `patience`: how long to wait for a question, in milliseconds.
     * Gives the words that iiot was called with after Tab and Enter; undefined if nothing was offered, and Enter was not pressed.
     */
    async press(line: string, value: string, end = '', patience = 60_000) {
      const asked = new Promise<void>((resolve) => Object.assign(state, { value, offered: false, asked: resolve }));
      const ran = new Promise<readonly string[]>((resolve) => Object.assign(state, { ran: resolve }));
      typist.type(`${line}\t`);
      await within(asked, patience);
      // The shell reads this after it has finished with the Tab.
      typist.type(state.offered ? `${end}\r` : emptyLine);
      if (!state.offered) return { received: undefined };
      const received = await within(ran, 60_000);
      if (!received) throw new Error(`Enter ran nothing behind ${line}${value}`);
      return { received };
    },
    /** The files in the working folder: none, unless a command was run that created them. */
    found: () => readdirSync(join(typist.folder, 'here')),
    async end() {
      await typist.end();
      stop();
      writeSync(calls, '\0');
      closeSync(ready);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Reads calls from a pipe: every word ends with a NUL character, and a word of one control character ends the call. */
function listen(pipe: number, onCall: (words: readonly string[]) => void): () => void {
  const read = promisify(readFrom);
  let isOpen = true;
  void (async () => {
    let rest = '';
    const bytes = Buffer.alloc(65_536);
    while (isOpen) {
      const { bytesRead } = await read(pipe, bytes, 0, bytes.length, null);
      const parts = (rest + bytes.toString('latin1', 0, bytesRead)).split('\x01\0');
      rest = parts.pop() ?? '';
      for (const part of parts) onCall(part.split('\0').slice(0, -1).map(fromLatin));
    }
    closeSync(pipe);
  })();
  return () => {
    isOpen = false;
  };
}

function fromLatin(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8');
}

async function within<T>(work: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
