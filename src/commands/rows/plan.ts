import { createHash } from 'node:crypto';
import { basename, join, parse, resolve } from 'node:path';
import type { Context } from '../../command/context.ts';
import type { RowsInput } from '../../command/row-flags.ts';
import { repeatableMethods, usage } from '../../failure.ts';
import { type RowFormat, rowFormats, type Shard } from '../../rows/row.ts';
import { openSource, type Source, spool } from '../../rows/source.ts';
import { encodingNamed, oldWorkbookFailure } from '../../rows/text.ts';
import type { RowsPlan, RowWork } from './kind.ts';

/**
 * @param sandboxFolder the folder for journals inside a sandbox, so that they do not get in the way of a real import
 * @throws usage for options that conflict with each other or with the file
 */
export function planOf(kind: RowWork, input: RowsInput, sandboxFolder?: string): RowsPlan {
  const { file, nullAs, resume, numbersAsIds, listSeparator, repeatUnknown } = input;
  const format = formatOf(input);
  if (numbersAsIds && !hasCells(format))
    throw usage(`--numbers-as-ids is for CSV and workbooks; the format is ${format}.`);
  if (nullAs !== undefined && !hasCells(format)) {
    throw usage(`--null-as is for CSV and workbooks; in ${format} write null.`);
  }
  if (listSeparator === '' || (listSeparator !== undefined && !hasCells(format)))
    throw usage(`--list-separator is the text between values of a cell; JSON has lists: ["day", "night"].`);
  if (repeatUnknown && !resume)
    throw usage('--repeat-unknown needs --resume: only a journal knows which rows were sent.');
  const failedFile = fileOf('--failed-file', input.failedFile);
  const shard = shardOf(input.shard);
  const journal =
    fileOf('--journal', input.journal) ?? (file === '-' ? undefined : journalBeside(file, shard, sandboxFolder));
  if (resume && journal === undefined) {
    throw usage(
      '--resume needs to know which rows are done, and standard input has no journal by default.',
      'Give --journal FILE, in the first run too',
    );
  }
  return {
    ...input,
    kind,
    format,
    concurrency: input.concurrency ?? 16,
    rate: rateOf(input.rate),
    // Undefined for standard input without --journal.
    journal,
    isJournalNamed: input.journal !== undefined,
    failedFile,
    unknownFile: failedFile === undefined || !mustLook(kind) ? undefined : unknownBeside(failedFile),
    resultsFile: fileOf('--results-file', input.resultsFile),
    delimiter: delimiterOf(input.delimiter, format),
    encoding: encodingOf(input.encoding, format),
    sheet: sheetOf(input.sheet, format),
    shard,
  };
}

/** Whether a row is never sent twice unasked. */
export function mustLook({ steps, operation }: RowWork): boolean {
  return steps !== undefined && !repeatableMethods.has(operation.method);
}

/** failed.unknown.csv beside failed.csv. */
function unknownBeside(path: string): string {
  const { dir, name, ext } = parse(path);
  return join(dir, `${name}.unknown${ext}`);
}

/** Both are read again by a later run, so that neither can be standard output. */
function fileOf(option: string, path: string | undefined): string | undefined {
  if (path !== '-' && path !== '') return path;
  throw usage(`${option} takes the path of a file.`);
}

function delimiterOf(word: string | undefined, format: RowFormat): string | undefined {
  if (word === undefined) return undefined;
  if (format !== 'csv') throw usage(`--delimiter is for CSV, but the format is ${format}.`);
  const delimiter = ['tab', '\\t'].includes(word) ? '\t' : word;
  if (/^[^"\r\n]$/.test(delimiter)) return delimiter;
  throw usage('--delimiter takes the one character between cells: ";" or "|", and tab for a tab.');
}

/** Whether rows are cells in columns, not objects. */
export function hasCells(format: RowFormat): boolean {
  return format === 'csv' || isWorkbook(format);
}

function isWorkbook(format: RowFormat): boolean {
  return format === 'xlsx' || format === 'ods';
}

function sheetOf(word: string | undefined, format: RowFormat): string | undefined {
  if (word === undefined || isWorkbook(format)) return word;
  throw usage(`--sheet is for workbooks, but the format is ${format}.`);
}

function encodingOf(word: string | undefined, format: RowFormat): string | undefined {
  if (word === undefined) return undefined;
  if (isWorkbook(format)) throw usage(`--encoding is for text files, but the format is ${format}.`);
  const encoding = encodingNamed(word);
  if (encoding !== undefined) return encoding;
  const [isDos, page = '850'] = /^(?:(?:cp|ibm|dos|oem)?[-_]?(437|[78]\d\d)|dos|oem)$/i.exec(word) ?? [];
  if (isDos)
    throw usage(
      `--encoding ${word} is a DOS code page, which iiot does not read.`,
      `Convert it: iconv -f CP${page} -t UTF-8`,
    );
  throw usage(
    `--encoding ${word} is not an encoding that iiot knows.`,
    'Most files of older Windows programs (ANSI) are windows-1252; others are utf-16le, iso-8859-2 or shift_jis',
  );
}

/** Each part has its own journal, because parts may run at the same time in one folder. */
function journalBeside(file: string, shard: Shard | undefined, sandboxFolder: string | undefined): string {
  const ending = `${shard ? `.${shard.part}-of-${shard.parts}` : ''}.iiot-journal`;
  if (sandboxFolder === undefined) return file + ending;
  const place = createHash('sha256').update(resolve(file)).digest('hex').slice(0, 16);
  return join(sandboxFolder, `${basename(file)}.${place}${ending}`);
}

/** More parts than this make no sense. */
const mostParts = 10_000;

function shardOf(word: string | undefined): Shard | undefined {
  if (word === undefined) return undefined;
  const [, part = 0, parts = 0] = (/^(\d{1,5})\/(\d{1,5})$/.exec(word) ?? []).map(Number);
  if (part >= 1 && part <= parts && parts <= mostParts) return { part, parts };
  throw usage(
    '--shard takes a part and the number of parts: 1/8 to 8/8 for eight machines.',
    'Parts are counted from 1; for an index that starts at 0: --shard $((INDEX + 1))/8',
  );
}

const endings: Readonly<Record<RowFormat, RegExp>> = {
  csv: /\.(csv|tsv|tab|txt)$/i,
  ndjson: /\.(ndjson|jsonl)$/i,
  json: /\.json$/i,
  xlsx: /\.(xlsx|xlsm)$/i,
  ods: /\.ods$/i,
};

/** The format that a file's name shows. */
export function formatByName(file: string): RowFormat | undefined {
  return rowFormats.find((format) => endings[format].test(file));
}

/** The format of the rows. @throws usage if neither an option nor the name tells it */
export function formatOf({ file, format }: Pick<RowsInput, 'file' | 'format'>): RowFormat {
  if (/\.xlsb$/i.test(file))
    throw usage(`${file} is a binary Excel workbook, which iiot does not read.`, 'Save it as .xlsx');
  if (/\.fods$/i.test(file))
    throw usage(`${file} is a flat LibreOffice file, which iiot does not read.`, 'Save it as .ods');
  if (/\.ya?ml$/i.test(file) && !format)
    throw usage(`${file} is YAML, which iiot does not read as rows.`, 'Save the rows with -o json or -o ndjson');
  const found = format ?? formatByName(file);
  const known = rowFormats.find((each) => each === found);
  if (known) return known;
  if (/\.xls$/i.test(file)) throw oldWorkbookFailure(file);
  const what =
    file === '-' ? 'Standard input has no file name to tell its format' : `The name ${file} does not show its format`;
  throw usage(`${what}: --format is missing.`, `Give --format ${rowFormats.join(', --format ')}`);
}

function rateOf(word: string | undefined): number {
  if (word === undefined) return Number.POSITIVE_INFINITY;
  const rate = Number(/^(\d{1,6}(?:\.\d{1,3})?)\/s$/.exec(word)?.[1] ?? 0);
  if (rate > 0) return rate;
  throw usage('--rate takes requests per second, such as 20/s or 0.5/s.');
}

/**
 * Opens the input. Standard input is copied into a temporary file, because every row is checked before the first is sent.
 * @throws usage if it cannot be read, or if it is also the journal or the file for failed rows
 */
export async function openInput(
  { file, journal, failedFile, unknownFile, resultsFile }: RowsPlan,
  { world, notice }: Context,
): Promise<Source> {
  if (file === '-' && world.stdin.isTTY) notice('Reading rows from the terminal: Ctrl-D on an empty line ends them.');
  const source = file === '-' ? await spool(world.stdin, 'standard input', world.interrupt) : openSource(file);
  const taken = new Map<string, string>();
  for (const [option, path, what] of [
    ['--journal', journal, 'the journal'],
    ['--failed-file', failedFile, 'the file of --failed-file'],
    ['--failed-file writes the rows of unknown outcome to', unknownFile, 'their file'],
    ['--results-file', resultsFile, 'the file of --results-file'],
  ] as const) {
    if (path === undefined) continue;
    const other = source.isAt(path) ? 'the input itself' : taken.get(path);
    taken.set(path, what);
    if (other === undefined) continue;
    source.close();
    throw usage(`${option} ${path}${option.includes(' ') ? ', which' : ''} is ${other}.`, 'Name another file');
  }
  return source;
}
