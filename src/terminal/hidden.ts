/** Reads secrets, which must never appear on the screen. */
import { emitKeypressEvents, type Key } from 'node:readline';
import { onAbort } from '../text/abort.ts';
import { suspendGroup } from './interruption.ts';
import type { Input } from './streams.ts';
import { dropResponses } from './typed.ts';

/**
 * Reads one line from a terminal without echoing anything, not even the number of characters, and restores the terminal. Backspace deletes a character,
 * Ctrl-U all of them, and Ctrl-Z suspends; other control keys do nothing. Returns the line without a byte order mark.
 * @param ready called when typing is safe: anything typed before, while the terminal still echoed, is discarded
 * @throws the signal's reason
 */
export async function readHidden(stdin: Input, signal: AbortSignal, ready: () => void): Promise<string> {
  stdin.setRawMode?.(true);
  try {
    await discardTyped(stdin);
    signal.throwIfAborted();
    ready();
    return await readKeys(stdin, signal, ready);
  } finally {
    stdin.pause();
    stdin.setRawMode?.(false);
  }
}

/** Discards what was typed before the question was visible. */
export async function discardTyped(stdin: Input): Promise<void> {
  stdin.resume();
  // One turn of the event loop is enough for everything that the terminal has buffered.
  await new Promise((resolve) => setImmediate(resolve));
}

function readKeys(stdin: Input, signal: AbortSignal, ready: () => void): Promise<string> {
  const keys = dropResponses();
  const typed: string[] = [];
  return new Promise<string>((resolve, reject) => {
    const unsubscribe = onAbort(signal, () => reject(signal.reason));
    emitKeypressEvents(keys);
    keys.on('keypress', (text: string | undefined, key: Key) => {
      if (key.ctrl && key.name === 'z') return suspend(stdin, typed, ready);
      if (key.name !== 'return' && key.name !== 'enter') return applyKey(typed, text, key);
      unsubscribe();
      resolve(typed.join('').replace(/^\ufeff/, ''));
    });
    stdin.pipe(keys);
  }).finally(() => stdin.unpipe(keys));
}

function suspend(stdin: Input, typed: string[], ready: () => void): void {
  stdin.setRawMode?.(false);
  suspendGroup();
  stdin.setRawMode?.(true);
  typed.splice(0);
  ready();
}

function applyKey(typed: string[], text: string | undefined, key: Key): void {
  if (key.name === 'backspace') typed.pop();
  else if (key.ctrl) key.name === 'u' && typed.splice(0);
  else if (text !== undefined) typed.push(text);
}
