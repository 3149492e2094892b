import { createHash } from 'node:crypto';
import { basename, join, parse, resolve } from 'node:path';
import type { Command } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { lastingLine, lastingOptions } from '../../command/lasting-line.ts';
import { lineOf, optionsForShell } from '../../command/line.ts';
import { kebab, optionsOf } from '../../command/option.ts';
import { placeOf } from '../../command/place.ts';
import type { RowsInput } from '../../command/row-flags.ts';
import { organization } from '../../command/target.ts';
import { milliseconds } from '../../command/time.ts';
import { isRepeatable, type Operation } from '../../contract/operation.ts';
import { usage } from '../../failure.ts';
import { statusAt, streamAt } from '../../files/open-regular.ts';
import { openPipe } from '../../network/pipe.ts';
import type { Place } from '../../place.ts';
import { type RowFormat, rowFormats, type Shard } from '../../rows/row.ts';
import { openSource, type Source, spool } from '../../rows/source.ts';
import { nearest } from '../../text/nearest.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import { oldWorkbookFailure } from '../../text/utf8.ts';
import { takenFileFailure } from '../../work/failed-rows.ts';
import type { RowFacts } from './facts.ts';

/** The plan of a run over rows, made before any row is read. */
export type RowsRun = Omit<RowsInput, 'format' | 'rate' | 'patience' | 'shard' | 'ignoreColumns'> & {
  readonly facts: RowFacts;
  /** The command that each row calls, and its operation. */
  readonly command: Command;
  readonly operation: Operation;
  /** The command line that shows what happened to rows. */
  readonly look: string | undefined;
  /** The organization of all rows, and their place as far as it is known. */
  readonly orgId: string | undefined;
  readonly place: Place;
  /** The place as the result shows it, and the path of the file; null for standard input. */
  readonly target: Readonly<Record<'baseUrl' | 'profile' | 'orgId' | 'file', string | null>>;
  /** The arguments and options of the command that hold for every row. */
  readonly typed: Readonly<Record<string, unknown>>;
  /** The arguments and options of `typed` as words, and --shard. A run that continues another one must have the same. */
  readonly meaning: readonly string[];
  /** Writes the command line again, with other values for some of its arguments and options. */
  readonly line: (changes: Partial<RowsInput>) => string;
  readonly format: RowFormat;
  readonly concurrency: number;
  /** Requests per second. */
  readonly rate: number;
  /** How long to wait out an outage, in milliseconds. */
  readonly patience: number;
  /** The values of --ignore-columns. */
  readonly ignored: readonly string[];
  readonly isJournalNamed: boolean;
  /** The file for rows of unknown outcome that are not safe to repeat, beside `failedFile`. */
  readonly unknownFile: string | undefined;
  /** The part of the IDs to send; undefined for all. */
  readonly shard: Shard | undefined;
  /** Set for all methods but PUT: the journal records every step of a row, and stays. `adds`: sending a row twice would create two records. */
  readonly steps: { readonly adds: boolean } | undefined;
  /** Whether rows of unknown outcome are sent again. */
  readonly sendsAgain: boolean;
};

/** Plans a run. @param written the typed command, which may send its rows through `command` @throws usage for options that do not fit each other or the file */
export async function planRun(
  written: Command,
  command: Command,
  facts: RowFacts,
  input: RowsInput & RowsRun['typed'],
  context: Context,
): Promise<RowsRun> {
  const { operation } = command;
  if (!operation) throw new TypeError(`${command.name} has no operation`);
  const { resume, repeatUnknown } = input;
  const typed = readTyped(command, facts, input);
  const format = readFormat(input);
  refuseOptions(input, format);
  const failedFile = checkPath('--failed-file', input.failedFile);
  const shard = readShard(input.shard);
  const orgId = operation.params.orgId ? organization(context) : undefined;
  const place = await placeOf(context, orgId);
  const file = input.file === '-' ? null : resolve(input.file);
  return {
    ...input,
    ...{ facts, command, operation, typed, format, failedFile, shard },
    ...{ orgId, line: openLine(written, input, context, orgId), meaning: meaningWords(command, typed, input.shard) },
    ...{ place, target: { baseUrl: place.base, profile: context.settings.profile.value, orgId: orgId ?? null, file } },
    look: facts.look && lastingLine(facts.look, context, orgId),
    concurrency: input.concurrency ?? 16,
    rate: readRate(input.rate),
    patience: readPatience(input.patience),
    // Undefined for standard input, and for a pipe, without --journal.
    journal: readJournalPath(input, shard, context),
    isJournalNamed: input.journal !== undefined,
    unknownFile: failedFile === undefined || isRepeatable(operation) ? undefined : unknownBeside(failedFile),
    resultsFile: checkPath('--results-file', input.resultsFile),
    beforeFile: checkPath('--before-file', input.beforeFile),
    delimiter: readDelimiter(input.delimiter),
    encoding: await readEncoding(input.encoding),
    listSeparator: input.listSeparator && (separatorEscapes.get(input.listSeparator) ?? input.listSeparator),
    ignored: input.ignoreColumns ?? [],
    steps: operation.method === 'PUT' ? undefined : { adds: command.changes?.adds === true },
    sendsAgain: isRepeatable(operation) || (resume === true && repeatUnknown === true),
  };
}

/** Reads the arguments and options that hold for every row. @throws usage for one that is missing, or cannot hold for several */
function readTyped(command: Command, { needs, without, one }: RowFacts, input: RowsRun['typed']): RowsRun['typed'] {
  const options = optionsOf(command);
  const names = new Set([...Object.keys(command.arguments), ...options.map(({ name }) => name)]);
  const given = Object.entries(input).filter(([name, value]) => names.has(name) && value !== undefined);
  const typed = Object.fromEntries(given);
  const missing = options.find(({ name }) => name === needs && typed[name] === undefined);
  if (missing) throw usage(`--rows needs --${missing.long} ${missing.schema.value}.`, 'See iiot help rows');
  const unfit = options.find(({ name }) => without?.includes(name) && typed[name] !== undefined);
  if (unfit) throw usage(`--${unfit.long} cannot be combined with --rows: it is for one ${one}.`, 'See iiot help rows');
  return typed;
}

const cellFormats = { formats: ['csv', 'xlsx', 'ods'], what: 'CSV and workbooks' };

/** The formats of the options that are not for all formats. */
const optionFormats: Readonly<Record<string, { readonly formats: readonly string[]; readonly what: string }>> = {
  nullAs: cellFormats,
  numbersAsIds: cellFormats,
  listSeparator: cellFormats,
  headerRow: cellFormats,
  delimiter: { formats: ['csv'], what: 'CSV' },
  encoding: { formats: ['csv', 'ndjson', 'json'], what: 'text files' },
  sheet: { formats: ['xlsx', 'ods'], what: 'workbooks' },
};

function refuseOptions(input: RowsInput, format: RowFormat): void {
  for (const [name, { formats, what }] of Object.entries(optionFormats))
    if (input[name as keyof RowsInput] !== undefined && !formats.includes(format))
      throw usage(`--${kebab(name)} is for ${what}; the format is ${format}.`);
  if (input.listSeparator === '') throw usage('--list-separator takes the text between the values of a cell.');
  if (input.repeatUnknown && !input.resume)
    throw usage('--repeat-unknown needs --resume: only a journal knows which rows were sent.');
}

/** Returns what writes the typed command line again, with the options for the same place. */
function openLine(
  written: Command,
  { file, ...input }: RowsInput & RowsRun['typed'],
  context: Context,
  orgId: string | undefined,
): RowsRun['line'] {
  const where = lastingOptions(context, orgId);
  const fileName = 'file' in written.arguments ? 'file' : 'rows';
  return ({ file: other = file, ...changes }) => lineOf(written, { ...input, ...changes, [fileName]: other }, where);
}

function meaningWords(command: Command, typed: RowsRun['typed'], shard: string | undefined): string[] {
  const words = Object.keys(command.arguments).flatMap((name) =>
    typed[name] === undefined ? [] : [quoteForShell(String(typed[name]))],
  );
  const options = optionsOf(command).map((option) => optionsForShell([option], typed).join(' '));
  return [...words, ...options, shard === undefined ? '' : `--shard ${shard}`].filter(Boolean);
}

/** The path of the journal: beside the file, but in a sandbox's settings folder inside of one, so that it does not affect a real run. */
function readJournalPath(
  { file, journal, resume }: RowsInput,
  shard: Shard | undefined,
  { world, store }: Context,
): string | undefined {
  const folder = world.env.IIOT_SANDBOX ? join(store.folder, 'journals') : undefined;
  const path = checkPath('--journal', journal) ?? (streamAt(file) ? undefined : journalBeside(file, shard, folder));
  if (!resume || path !== undefined) return path;
  throw usage(
    `--resume needs to know which rows are done, and ${streamAt(file) === 'pipe' ? 'a pipe' : 'standard input'} has no journal by default.`,
    'Give --journal FILE, in the first run too',
  );
}

/** failed.unknown.csv beside failed.csv. */
function unknownBeside(path: string): string {
  const { dir, name, ext } = parse(path);
  return join(dir, `${name}.unknown${ext}`);
}

/** Checks the path of a file that a later run reads, so that it cannot be standard output. */
function checkPath(option: string, path: string | undefined): string | undefined {
  if (path !== '-' && path !== '') return path;
  throw usage(`${option} takes the path of a file.`);
}

function readDelimiter(word: string | undefined): string | undefined {
  if (word === undefined) return undefined;
  const delimiter = delimiters.get(word.toLowerCase()) ?? word;
  if (/^[^"\r\n]$/.test(delimiter)) return delimiter;
  throw usage('--delimiter takes the one character between cells: ";" or "|", and tab for a tab.');
}

/** Escapes for line ends and tabs, which are hard to type in a shell. */
const separatorEscapes = new Map(Object.entries({ '\\n': '\n', '\\t': '\t' }));

const delimiters = new Map(Object.entries({ tab: '\t', '\\t': '\t', comma: ',', semicolon: ';', pipe: '|' }));

/** Whether rows are cells in columns, not objects. */
export function hasCells(format: RowFormat): boolean {
  return cellFormats.formats.includes(format);
}

/** Reads --encoding. @returns iiot's name for it; undefined for UTF-8 */
async function readEncoding(word: string | undefined): Promise<string | undefined> {
  if (word === undefined) return undefined;
  const { encodingNamed, encodingNames, everyEncodingName } = await import('../../text/encodings.ts');
  const encoding = await encodingNamed(word);
  if (encoding !== undefined) return encoding;
  const digits = (name: string) => name.replace(/\D/g, '');
  const near = everyEncodingName.filter((name) => digits(name) === digits(word) && nearest(word, [name]));
  const hint = near.length === 0 ? `Encodings: ${encodingNames.join(', ')}` : `Did you mean ${near.join(', ')}?`;
  throw usage(`--encoding ${word} is not an encoding that iiot knows.`, hint);
}

/** Each part has its own journal, because parts may run at the same time in one folder. */
function journalBeside(file: string, shard: Shard | undefined, sandboxFolder: string | undefined): string {
  const ending = `${shard ? `.${shard.part}-of-${shard.parts}` : ''}.iiot-journal`;
  if (sandboxFolder === undefined) return file + ending;
  const place = createHash('sha256').update(resolve(file)).digest('hex').slice(0, 16);
  return join(sandboxFolder, `${basename(file)}.${place}${ending}`);
}

const mostParts = 10_000;

function readShard(word: string | undefined): Shard | undefined {
  if (word === undefined) return undefined;
  const [, part = 0, parts = 0] = (/^(\d{1,5})\/(\d{1,5})$/.exec(word) ?? []).map(Number);
  if (part >= 1 && part <= parts && parts <= mostParts) return { part, parts };
  const hint = 'Parts are counted from 1; for an index that starts at 0: --shard $((INDEX + 1))/8';
  throw usage('--shard takes a part and the number of parts: 1/8 to 8/8 for eight machines.', hint);
}

const endings: Readonly<Record<RowFormat, RegExp>> = {
  csv: /\.(csv|tsv|tab|txt)$/i,
  ndjson: /\.(ndjson|jsonl)$/i,
  json: /\.json$/i,
  xlsx: /\.(xlsx|xlsm)$/i,
  ods: /\.ods$/i,
};

export function formatByName(file: string): RowFormat | undefined {
  return rowFormats.find((format) => endings[format].test(file));
}

/** Files with tables that iiot does not read, unless --format is given, and what to do with them. */
const unreadFormats = [
  { ending: /\.xlsb$/i, what: 'is a binary Excel workbook, which iiot does not read', hint: 'Save it as .xlsx' },
  { ending: /\.fods$/i, what: 'is a flat LibreOffice file, which iiot does not read', hint: 'Save it as .ods' },
  {
    ending: /\.ya?ml$/i,
    what: 'is YAML, which iiot does not read as rows',
    hint: 'Save the rows with -o json or -o ndjson',
  },
] as const;

/** The format of the rows. @throws usage if neither --format nor the file's name says it */
function readFormat({ file, format }: RowsInput): RowFormat {
  const found = format ?? formatByName(file);
  if (found) return found;
  const other = unreadFormats.find(({ ending }) => ending.test(file));
  if (other) throw usage(`${file} ${other.what}.`, other.hint);
  if (/\.xls$/i.test(file)) throw oldWorkbookFailure(file);
  const problem =
    file === '-' ? 'Standard input has no file name to tell its format' : `The name ${file} does not show its format`;
  throw usage(`${problem}: --format is missing.`, `Give --format ${rowFormats.join(', --format ')}`);
}

function readPatience(word = '10m'): number {
  const patience = milliseconds(word);
  if (patience !== undefined) return patience;
  throw usage('--patience takes a duration such as 30s, 10m or 2h; 0s gives up at once.');
}

function readRate(word: string | undefined): number {
  if (word === undefined) return Number.POSITIVE_INFINITY;
  const rate = Number(/^(\d{1,6}(?:\.\d{1,3})?)\/s$/.exec(word)?.[1] ?? 0);
  if (rate > 0) return rate;
  throw usage('--rate takes requests per second, such as 20/s or 0.5/s.');
}

/** Opens the input. Standard input or a pipe is copied into a file, to be read twice. @throws usage if it cannot be read, or is a file that the run writes */
export async function openInput(
  { file, journal, failedFile, unknownFile, resultsFile, beforeFile, resume, encoding = 'utf-8' }: RowsRun,
  { world, notice, options }: Context,
): Promise<Source> {
  const source = await openSourceAt(file, world, notice);
  const named = new Map<string, string>();
  for (const [option, path, what] of [
    ['--journal', journal, 'the journal'],
    ['--failed-file', failedFile, 'the file of --failed-file'],
    ['--failed-file writes the rows of unknown outcome to', unknownFile, 'their file'],
    ['--results-file', resultsFile, 'the file of --results-file'],
    ['--before-file', beforeFile, 'the file of --before-file'],
  ] as const) {
    if (path === undefined) continue;
    const other = source.isAt(path) ? 'the input itself' : named.get(path);
    named.set(path, what);
    const isOld = !resume && [resultsFile, beforeFile].includes(path) && (statusAt(path)?.size ?? 0) > 0;
    if (other === undefined && !isOld) continue;
    source.close();
    if (other === undefined) throw takenFileFailure(path, option);
    throw usage(`${option} ${path}${option.includes(' ') ? ', which' : ''} is ${other}.`, 'Name another file');
  }
  if (encoding === 'utf-8' || options.yes) return source;
  const { isForeignUtf8 } = await import('../../text/encodings.ts');
  if (!(await isForeignUtf8(source.bytes()))) return source;
  source.close();
  throw usage(`${source.name} is UTF-8; leave out --encoding.`, `To read it as ${encoding} anyway, add --yes`);
}

async function openSourceAt(file: string, world: Context['world'], notice: Context['notice']): Promise<Source> {
  const stream = streamAt(file);
  if (!stream) return openSource(file);
  if (stream === 'pipe') return spool(await openPipe(file), file, world.interrupt);
  if (world.stdin.isTTY) notice('Reading rows from the terminal: Ctrl-D on an empty line ends them.');
  return spool(world.stdin, stream, world.interrupt);
}
