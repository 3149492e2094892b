/** Ending in order when the terminal itself is gone: its window was closed, its connection lost. */
import { isatty } from 'node:tty';
import type { Input } from './streams.ts';

/**
 * A terminal that is closed ends stdin or breaks it, and sends SIGHUP, in any order and more than once. From the first of them on
 * the command ends by itself, and this keeps the others from killing it half-way. May be called again and again.
 */
export function outliveHangUp(stdin: Input): void {
  if (process.listeners('SIGHUP').includes(ignore)) return;
  process.on('SIGHUP', ignore);
  stdin.on('error', ignore);
  process.once('exit', () => dieWithTerminal(stdin));
}

function ignore(): void {}

/**
 * Node restores the terminal's settings as the very last thing, and aborts with a core dump where that fails because there is no
 * terminal any more. By then the default end of a closed terminal is the better one.
 */
function dieWithTerminal(stdin: Input): void {
  if (stdin.isTTY !== true || isatty(0)) return;
  process.removeAllListeners('SIGHUP');
  process.kill(process.pid, 'SIGHUP');
}
