import type { Cells } from '../../bulk/csv.ts';
import type { Row, RowContent } from '../../bulk/row.ts';
import { furtherProblems } from '../../command/body.ts';
import type { Command } from '../../command/command.ts';
import type { BulkOptions, Context } from '../../command/context.ts';
import { optionsOf } from '../../command/option.ts';
import { type Change, perform } from '../../command/perform.ts';
import type { RowsInput } from '../../command/row-flags.ts';
import { organization } from '../../command/target.ts';
import { Failure, type FailureDetail, usage } from '../../failure.ts';
import type { PlatformResponse } from '../../http/platform.ts';
import { idOf, valueAt } from '../../output/columns.ts';
import type { Result } from '../../output/result.ts';
import { groupDigits } from '../../text/group-digits.ts';
import { fieldsOf, isRecord } from '../../text/record.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import { columnsOf, type Read, type RowInput } from './columns.ts';
import type { CallFacts, CheckedRows, RowKind } from './kind.ts';
import { runRows } from './run.ts';

type Input = Readonly<Record<string, unknown>>;

/** One row: a call of the command. */
type Call = RowInput & { readonly key: string };

/** Calls a command for each row of a file, through the engine of bulk work. @throws Failure as `runRows` does */
export async function runCalls(
  command: Command,
  facts: CallFacts,
  input: RowsInput & { readonly rows: string },
  given: Context,
): Promise<Result> {
  const context = warningOnce(given);
  const { operation } = command;
  if (!operation) throw new TypeError(`${command.name} has no operation`);
  const typed = typedOf(command, input);
  const missing = optionsOf(command).find(({ name }) => name === facts.needs && typed[name] === undefined);
  if (missing) throw usage(`--rows needs --${missing.long} ${missing.schema.value}.`, 'See iiot help rows');
  const orgId = operation.params.orgId ? organization(context) : undefined;
  facts.leftovers?.(context);
  const { fromCells, fromJson, ...columns } = columnsOf(command, typed);
  const kind: RowKind<Call> = {
    ...facts,
    command: `${command.name} --rows`,
    typed: wordsOf(command, typed).join(' '),
    operation,
    orgId,
    steps: { adds: command.adds === true },
    columns,
    reader(csv) {
      const read = (value: unknown) => (csv ? fromCells(value as Cells, csv) : fromJson(value)); // the CSV reader returns cells
      return reader(command, facts.key, typed, read);
    },
    contentOf: () => '', // the journal has each row by its number
    ...openSurvey(command, facts, orgId, context),
    rehearse: (checked) => rehearse(checked, command, context),
    open: (own, bulk) => sender(command, facts.results ?? [], own, bulk),
  };
  return runRows(kind, { ...input, file: input.rows }, context);
}

/** What each row would say, such as that a killed run has left a secret, is said once. */
function warningOnce(context: Context): Context {
  const said = new Set<string>();
  return {
    ...context,
    warn(line) {
      if (!said.has(line)) context.warn(line);
      said.add(line);
    },
  };
}

/** The arguments and options that hold for every row. */
function typedOf(command: Command, input: Input): Input {
  const names = new Set([...Object.keys(command.arguments), ...optionsOf(command).map(({ name }) => name)]);
  return Object.fromEntries(Object.entries(input).filter(([name, value]) => names.has(name) && value !== undefined));
}

/** The same as they are typed. */
function wordsOf(command: Command, typed: Input): string[] {
  const args = Object.keys(command.arguments).flatMap((name) =>
    typed[name] === undefined ? [] : [String(typed[name])],
  );
  const options = optionsOf(command).flatMap(({ name, long, schema }) => {
    const value = typed[name];
    if (value === undefined || name in command.arguments) return [];
    if (schema.type === 'boolean') return [`--${value ? long : schema.negative}`];
    const values = value instanceof Map ? [...value].map((pair) => pair.join('=')) : [value].flat();
    return values.flatMap((each) => [`--${long}`, String(each)]);
  });
  return [...args, ...options].map((word) => quoteForShell(word));
}

function reader(
  command: Command,
  keyName: string,
  typed: Input,
  readValue: (value: unknown) => Read,
): (row: Row) => RowContent<Call> {
  const mayBeEmpty =
    command.operation?.body !== undefined &&
    !command.adds &&
    Object.keys(typed).every((name) => name in command.arguments);
  const keyParameter = command.operation?.params[keyName];
  const isGuid = keyParameter?.type === 'string' && keyParameter.format === 'guid';
  return (row) => {
    if ('problem' in row) return { problem: row.problem };
    const read = readValue(row.value);
    if ('problem' in read) return read;
    const own = typed[keyName] ?? read.input[keyName];
    // The same GUID in another case is the same record.
    const key = typeof own !== 'string' ? '' : isGuid ? own.toLowerCase() : own;
    const { problems } = read;
    const input = { ...typed, ...read.input };
    if (problems.length > 0) {
      const further = furtherProblems(command, { input, problems });
      return { problem: sentenceOf([...problems, ...further], read), key };
    }
    if (key === '' && keyName in command.arguments) return { problem: `has no ${keyName}` };
    const isEmpty = mayBeEmpty && Object.keys(read.input).every((name) => name === keyName);
    return { key, value: () => ({ ...read, input, key }), isEmpty };
  };
}

/** The context of the command for one row: nobody is asked and nothing is said, the history has one line for all rows, and agreement was given. */
function contextOfRow(context: Context, dryRun: boolean, own: Partial<Context> = {}): Context {
  const { options, settings } = context;
  return {
    ...context,
    notice: () => undefined,
    options: { ...options, yes: true, quiet: true, dryRun, protectedProfile: [settings.profile.value] },
    settings: { ...settings, stored: { ...settings.stored, history: false } },
    person: async () => ({ ...(await context.person()), canAnswer: false, obstacle: 'rows are not asked about' }),
    input: {
      async take(option) {
        throw usage(`${option} cannot be standard input for each row.`, 'Name a file');
      },
    },
    ...own,
  };
}

const run = (command: Command, { input }: Call, context: Context) => command.run(input as never, context, []); // columnsOf made this input

/** The result of the command for one row, its change carried out or rehearsed. */
async function resultOf(command: Command, call: Call, context: Context): Promise<Result | undefined> {
  const outcome = await run(command, call, context);
  return outcome && 'operation' in outcome ? perform(outcome, context) : outcome;
}

/** Checks each row by the command itself, and counts what they do for the question. */
function openSurvey(command: Command, facts: CallFacts, orgId: string | undefined, context: Context) {
  const replaced = new Map<string, number>();
  const keys = new Set<string>();
  const said = new Set<string>();
  const twins = { count: 0, first: 0 };
  let partial = 0;
  let line = 0;
  const say = (note: string) => {
    if (said.size >= mostNotes || said.has(note)) return;
    said.add(note);
    context.notice(`Line ${line}: ${note}`);
  };
  const checking = contextOfRow(context, true, { notice: say, warn: say });
  const count = ({ replaces = [], announce = [], asks, operation, input }: Change) => {
    const fields = fieldsOf(Object(input.body));
    const wholes = replaces.filter((name) => typeof fields.get(name) !== 'string');
    for (const name of wholes.map((field) => operation.body?.properties?.[field]?.whole ?? field))
      replaced.set(name, (replaced.get(name) ?? 0) + 1);
    if (asks !== undefined && wholes.length > 0) partial += 1;
    if (wholes.length === 0) announce.forEach(say);
  };
  const paths = new Map(optionsOf(command).map(({ name, path }) => [name, path?.join('.') ?? name]));
  const fields = new Set<string>();
  return {
    fields: () => [...fields],
    async inspect(call: Call, at: number): Promise<string | undefined> {
      line = at;
      for (const name of Object.keys(call.input)) if (paths.has(name)) fields.add(paths.get(name) ?? name);
      try {
        const outcome = await run(command, call, checking);
        if (outcome && 'operation' in outcome) count(outcome);
      } catch (error) {
        if (error instanceof Failure) return problemOf(error, call);
        throw error;
      }
      if (!keys.has(call.key)) {
        if (facts.isUnique || keys.size < mostKeys) keys.add(call.key);
        return undefined;
      }
      if (facts.isUnique) return `has the ${facts.key} of another row: ${call.key}`;
      twins.count += 1;
      twins.first ||= at;
      return undefined;
    },
    question({ total, bad }: CheckedRows<Call>, number: number) {
      const { count: twice, first } = twins;
      const rows =
        twice === 1 ? `The row on line ${first} has` : `${groupDigits(twice)} rows, the first on line ${first}, have`;
      if (twice > 0) context.notice(`Note: ${rows} the ${facts.key} of an earlier row; they are sent in their order.`);
      const those = (many: number, verb: string) => `${groupDigits(many)}${verb}${many === 1 ? 's' : ''}`;
      // Of the rows that are left it is not known which these are.
      const isAll = number === total - bad;
      const wholes = [...replaced].map(([what, many]) =>
        isAll ? `${those(many, ' replace')} the whole ${what}` : `some may replace the whole ${what}`,
      );
      const parts = [
        ...wholes,
        ...(partial > 0 && isAll ? [`${those(partial, ' of them give')} only a part of it`] : []),
      ];
      const verb = command.name.split(' ').at(-1) ?? '';
      const place = orgId === undefined ? '' : ` of organization ${orgId}`;
      return {
        action: `${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${groupDigits(number)} ${number === 1 ? facts.one : facts.many}${place}`,
        asks: [parts.length > 0 ? `${parts.join(', ')}.` : '', facts.asks ?? ''].filter(Boolean).join(' '),
      };
    },
  };
}

/** How many different notes are shown, and how many IDs are compared. */
const [mostNotes, mostKeys] = [20, 100_000];

/** What is wrong, by the columns of the row. */
function problemOf({ message, facts: { details = [] } }: Failure, row: RowInput): string {
  return details.length > 0 ? sentenceOf(details, row) : message.replace(/\.$/, '');
}

function sentenceOf(details: readonly FailureDetail[], { labels }: RowInput): string {
  const nameOf = ({ option = '', field = '' }: FailureDetail) => labels.get(option) ?? (option || field);
  return details.map((detail) => `${nameOf(detail)} ${detail.message}`.trim()).join('; ');
}

/** A line for each row: what it changes and what it replaces, and for programs its request. */
async function rehearse(
  { kind, read, meaningOf, source }: CheckedRows<Call>,
  command: Command,
  context: Context,
): Promise<Result> {
  const { key, one } = kind;
  const rehearsing = contextOfRow(context, true);
  const rowOf = async (row: Row): Promise<object | undefined> => {
    const meaning = meaningOf(row);
    if ('problem' in meaning) return { line: row.line, [key]: meaning.key ?? null, error: meaning.problem };
    if (meaning.isEmpty) return undefined;
    const call = meaning.value();
    try {
      const shown = await resultOf(command, call, rehearsing);
      const value = shown && 'value' in shown && isRecord(shown.value) ? shown.value : {};
      const fields = [...fieldsOf(Object(valueAt(value, 'request.body'))).keys()];
      return { line: row.line, [key]: call.key, fields, ...value };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { line: row.line, [key]: call.key, error: problemOf(error, call) };
    }
  };
  async function* pages() {
    try {
      for await (const rows of read())
        yield { items: (await Promise.all(rows.map(rowOf))).filter((item) => item !== undefined) };
    } finally {
      source.close();
    }
  }
  return {
    kind: 'list',
    pages: pages(),
    id: key,
    columns: [
      { field: 'line', header: 'LINE', keep: 'whole' },
      { field: key, header: one.toUpperCase(), keep: 'whole' },
      { field: 'request.method', header: 'METHOD' },
      { field: 'fields', header: 'FIELDS' },
      { field: 'replaces', header: 'REPLACES' },
      { field: 'error', header: 'ERROR' },
    ],
    fields: ['line', key, 'fields', 'replaces', 'request', 'curl', 'error'],
    noun: 'rows',
    empty: 'No rows.',
  };
}

/** Sends a row as the command alone would, over the connections of all rows. */
async function sender(command: Command, results: readonly string[], context: Context, bulk: BulkOptions) {
  const rows = await context.bulkPlatform({ ...bulk, answers: true });
  const platform = await context.platform();
  const sending = contextOfRow(context, false, {
    platform: async () => ({
      ...platform,
      // Only the change itself keeps the pace of all rows and is repeated by it; deleting a credential again is repeated as usual.
      send: async (operation, request, extra) =>
        operation === command.operation
          ? ((await rows.send(operation, request, extra)) as PlatformResponse) // every response is read
          : platform.send(operation, request, extra),
    }),
  });
  return async (call: Call): Promise<object | undefined> => {
    const result = await resultOf(command, call, sending).catch((error: unknown) => {
      const isOfRow =
        error instanceof Failure && error.facts.details?.some(({ option = '' }) => call.labels.has(option));
      throw isOfRow ? usage(`${problemOf(error, call)}.`) : error;
    });
    const end = await result?.ending?.(undefined);
    if (end instanceof Failure) throw end;
    const value = result && 'value' in result ? result.value : undefined;
    const found = results
      // The first is the ID, which a platform may call id.
      .map((name, index) => [name, index === 0 ? idOf(value, name) : valueAt(value, name)] as const)
      .filter(([, each]) => each !== undefined);
    return found.length > 0 ? Object.fromEntries(found) : undefined;
  };
}
