/** All measurements, as the tables of docs/performance.md: `npm run bench`, and with `-- --write` into that file. */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { run as importing } from './import.ts';
import { listing } from './listing.ts';
import type { Measured } from './rounds.ts';
import { startUp } from './start-up.ts';

const file = 'docs/performance.md';
const [begin, end] = ['<!-- measured -->', '<!-- /measured -->'];

const tables = await report();
process.stdout.write(`${tables}\n`);
if (process.argv.includes('--write')) {
  const [before = '', rest = ''] = readFileSync(file, 'utf8').split(begin);
  const after = rest.split(end)[1] ?? '';
  writeFileSync(file, `${before}${begin}\n\n${tables}\n\n${end}${after}`);
}

async function report(): Promise<string> {
  const start = await startUp();
  const memory = start.memory.map(([what, peak]) => [
    what,
    peak.toFixed(1),
    (peak / (start.memory[0]?.[1] ?? 1)).toFixed(2),
  ]);
  const imports = (await importing()).map(({ what, figure, ratio }) => [what, figure, ratio]);
  return [
    `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB of memory, ${process.platform} ${process.arch}, Node ${process.versions.node}.`,
    '## Start to end of one command',
    table(['', 'median ms', '10 % to 90 %', 'to bare Node'], start.times.map(cells)),
    '## Peak memory of one command',
    table(['', 'MiB', 'to bare Node'], memory),
    '## 100,000 users in pages of 1000',
    table(['', 'median ms', '10 % to 90 %', 'to the script'], (await listing()).map(cells)),
    '## Import of rows',
    table(['', 'figure', 'to the bare pool'], imports),
  ].join('\n\n');
}

function cells({ what, median, low, high, ratio }: Measured): string[] {
  return [what, median.toFixed(1), `${low.toFixed(1)} to ${high.toFixed(1)}`, ratio.toFixed(2)];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (row: readonly string[]) => `| ${row.join(' | ')} |`;
  return [line(head), line(head.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}
