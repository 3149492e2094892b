import { PassThrough } from 'node:stream';
import type { Input } from './streams.ts';

/**
 * Lends the terminal's keys to a prompt of a package while `run` runs. The package's readline throws from deep inside when its
 * input breaks, as a closed window breaks stdin: what it gets here only ever carries keys, and the break is told by the signal
 * that ends the question.
 */
export async function withKeyboard<T>(stdin: Input, run: (keyboard: Input) => Promise<T>): Promise<T> {
  const keys = new PassThrough();
  const keyboard = Object.assign(keys, {
    isTTY: true,
    setRawMode: (raw: boolean) => stdin.setRawMode?.(raw),
  });
  // After Ctrl-Z and `fg`, readline has paused its input and leaves it to others to resume it.
  const onContinue = () => setImmediate(() => keys.resume());
  process.on('SIGCONT', onContinue);
  stdin.pipe(keys);
  try {
    return await run(keyboard);
  } finally {
    process.removeListener('SIGCONT', onContinue);
    stdin.unpipe(keys);
  }
}
