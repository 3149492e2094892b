/** Runs all measurements and prints them as tables: `npm run bench`. With `-- --write` it also writes them into docs/internals/performance.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { type BenchRow, measureImport as importing } from './import.ts';
import { measureListing } from './listing.ts';
import { measureRefusals } from './refusing.ts';
import type { Measured } from './rounds.ts';
import { measureRowChanges } from './rows.ts';
import { measureStartUp } from './start-up.ts';

const [begin, end] = ['<!-- measured -->', '<!-- /measured -->'];

const { machine, imports, others } = await measureAll();
const all = [machine, ...others, imports].join('\n\n');
process.stdout.write(`${all}\n`);
if (process.argv.includes('--write')) write('docs/internals/performance.md', all);

function write(file: string, tables: string): void {
  const [before = '', rest = ''] = readFileSync(file, 'utf8').split(begin);
  const after = rest.split(end)[1] ?? '';
  writeFileSync(file, `${before}${begin}\n\n${tables}\n\n${end}${after}`);
}

async function measureAll() {
  const start = await measureStartUp();
  const memory = start.memory.map(([what, peak]) => [
    what,
    peak.toFixed(1),
    (peak / (start.memory[0]?.[1] ?? 1)).toFixed(2),
  ]);
  const listed = (await measureListing()).map(cells);
  const imported = await importing();
  const refused = await measureRefusals();
  const changed = await measureRowChanges();
  const row = ({ what, figure, ratio }: BenchRow) => [what, figure, ratio];
  return {
    machine: `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB of memory, ${process.platform} ${process.arch}, Node ${process.versions.node}.`,
    others: [
      ...chapter(
        'Start to end of one command',
        ['', 'median ms', '10 % to 90 %', 'to bare Node'],
        [...start.times.map(cells), ...(start.lacks === undefined ? [] : [[start.lacks, '', '', '']])],
      ),
      ...chapter('Peak memory of one command', ['', 'MiB', 'to bare Node'], memory),
      ...chapter('100,000 users in pages of 1000', ['', 'median ms', '10 % to 90 %', 'to the script'], listed),
      ...chapter('Import from a platform that refuses', ['', 'measured', 'in proportion'], refused.map(row)),
      ...chapter('Changes by rows', ['', 'whole process', 'to the bare pool'], changed.speeds.map(row)),
      ...chapter('Peak memory of changes by rows', ['', 'in all', 'more than the first'], changed.memory.map(row)),
      ...chapter('Peak memory of an import', ['', 'in all', 'more than the first'], imported.memory.map(row)),
    ],
    imports: chapter('Import of rows', ['', 'rows a second', 'to the bare pool'], imported.speeds.map(row)).join(
      '\n\n',
    ),
  };
}

function chapter(heading: string, head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [`## ${heading}`, table(head, rows)];
}

function cells({ what, median, low, high, ratio }: Measured): string[] {
  return [what, median.toFixed(1), `${low.toFixed(1)} to ${high.toFixed(1)}`, ratio.toFixed(2)];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (row: readonly string[]) => `| ${row.join(' | ')} |`;
  return [line(head), line(head.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}
