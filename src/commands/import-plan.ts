import { type Format, formats } from '../bulk/row.ts';
import { openSource, type Source, spool } from '../bulk/source.ts';
import type { Context } from '../context.ts';
import { usage } from '../failure.ts';

/** What was typed. */
export type ImportInput = {
  readonly file: string;
  readonly format?: string | undefined;
  readonly nullAs?: string | undefined;
  readonly concurrency?: number | undefined;
  readonly rate?: string | undefined;
  readonly journal?: string | undefined;
  readonly resume?: boolean | undefined;
  readonly onError?: string | undefined;
  readonly failedTo?: string | undefined;
};

/** What it means, settled before anything is read. */
export type ImportPlan = {
  readonly file: string;
  readonly format: Format;
  readonly nullAs: string | undefined;
  readonly concurrency: number;
  /** Requests a second. */
  readonly rate: number;
  /** Undefined for standard input, unless one was named. */
  readonly journal: string | undefined;
  readonly resume: boolean;
  readonly onError: 'continue' | 'stop' | undefined;
  readonly failedTo: string | undefined;
};

/** @throws usage for options that contradict each other or the file */
export function planOf(input: ImportInput): ImportPlan {
  const { file, nullAs, resume = false } = input;
  const format = formatOf(input);
  if (nullAs !== undefined && format !== 'csv') {
    throw usage(`--null-as is for CSV; in ${format} null is written null.`);
  }
  const journal = input.journal ?? (file === '-' ? undefined : `${file}.iiot-journal`);
  if (resume && journal === undefined) {
    throw usage(
      '--resume needs to know which rows are done, and standard input leaves no journal by itself.',
      'Give --journal FILE, in the first run too',
    );
  }
  return {
    file,
    format,
    nullAs,
    concurrency: input.concurrency ?? 16,
    rate: rateOf(input.rate),
    journal,
    resume,
    onError: input.onError === 'continue' || input.onError === 'stop' ? input.onError : undefined,
    failedTo: input.failedTo,
  };
}

const endings: Readonly<Record<string, Format>> = { csv: 'csv', ndjson: 'ndjson', jsonl: 'ndjson', json: 'json' };

function formatOf({ file, format }: ImportInput): Format {
  const found = format === undefined ? endings[/\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase() ?? ''] : format;
  const known = formats.find((each) => each === found);
  if (known) return known;
  const what =
    file === '-' ? 'Standard input has no name that tells its format' : `The name ${file} does not tell its format`;
  throw usage(`${what}: --format is missing.`, `Give --format ${formats.join(', --format ')}`);
}

function rateOf(word: string | undefined): number {
  if (word === undefined) return Number.POSITIVE_INFINITY;
  const rate = Number(/^(\d{1,6}(?:\.\d{1,3})?)\/s$/.exec(word)?.[1] ?? 0);
  if (rate > 0) return rate;
  throw usage('--rate takes how many requests a second there may be: 20/s, or 0.5/s.');
}

/**
 * Opens the input. Standard input is kept in a nameless file of our own, because every row is looked at before the first is sent.
 * @throws usage where it cannot be read, or where it is the journal or the file for failed rows at the same time
 */
export async function openInput({ file, journal, failedTo }: ImportPlan, context: Context): Promise<Source> {
  const source = file === '-' ? await spoolInput(context) : openSource(file);
  for (const [option, path] of [
    ['--journal', journal],
    ['--failed-to', failedTo],
  ] as const) {
    if (path === undefined || !source.isAt(path)) continue;
    source.close();
    throw usage(`${option} ${path} is the input itself.`, 'Name another file');
  }
  if (failedTo === undefined || failedTo !== journal) return source;
  source.close();
  throw usage(`--failed-to ${failedTo} is the journal.`, 'Name another file');
}

function spoolInput({ world, notice }: Context): Promise<Source> {
  if (world.stdin.isTTY) notice('Reading rows from the terminal: Ctrl-D on an empty line ends them.');
  return spool(world.stdin, 'standard input', world.interrupt);
}
