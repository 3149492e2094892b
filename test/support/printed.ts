/** Lines to copy, taken from what was printed. */
import { spawnSync } from 'node:child_process';

/** The last line to copy in what was printed, exactly as it is there: the words that a shell gives to the program. */
export function printedLine(printed: string): string[] {
  const lines = printed.match(/\biiot [a-z].*?(?=[.;] [A-Za-z]|$)/gm) ?? [];
  const script = `iiot() { printf '%s\\0' "$@"; }\n${lines.at(-1) ?? ''}`;
  return spawnSync('sh', ['-c', script], { encoding: 'utf8' }).stdout.split('\0').slice(0, -1);
}
