import { createHash } from 'node:crypto';
import { furtherProblems } from '../../command/body.ts';
import type { Command } from '../../command/command.ts';
import type { BulkOptions, Context } from '../../command/context.ts';
import { kebab, optionsOf } from '../../command/option.ts';
import { type Change, isPlainTable, perform, type Replacement } from '../../command/perform.ts';
import type { RowsInput } from '../../command/row-flags.ts';
import { organization } from '../../command/target.ts';
import { contextOfOne } from '../../command/work.ts';
import { Failure, type FailureDetail, usage } from '../../failure.ts';
import { cellText, idOf, valueAt } from '../../output/columns.ts';
import type { Result } from '../../output/result.ts';
import type { Cells } from '../../rows/csv.ts';
import { type Place, type Problem, placeFields, placeText, type Row, type RowContent } from '../../rows/row.ts';
import { countedRows, groupDigits } from '../../text/group-digits.ts';
import { compact } from '../../text/json-write.ts';
import { fieldsOf, isRecord } from '../../text/record.ts';
import { unfit } from '../../work/run.ts';
import { asTyped, columnNames } from './as-typed.ts';
import { columnsOf, type Read, type RowInput } from './columns.ts';
import type { CallFacts, CheckedRows, RowKind } from './kind.ts';
import { placeAndKey, placeColumns } from './result.ts';
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
  const context = contextOfRows(given);
  const { operation } = command;
  if (!operation) throw new TypeError(`${command.name} has no operation`);
  const typed = typedOf(command, input);
  const missing = optionsOf(command).find(({ name }) => name === facts.needs && typed[name] === undefined);
  if (missing) throw usage(`--rows needs --${missing.long} ${missing.schema.value}.`, 'See iiot help rows');
  const unfit = optionsOf(command).find(({ name }) => facts.without?.includes(name) && typed[name] !== undefined);
  if (unfit)
    throw usage(`--${unfit.long} cannot be combined with --rows: it is for one ${facts.one}.`, 'See iiot help rows');
  const orgId = operation.params.orgId ? organization(context) : undefined;
  facts.leftovers?.(context);
  const { fromCells, fromJson, ...columns } = columnsOf(command, {
    typed,
    orgId,
    ignored: columnNames(input.ignoreColumns),
    filesBy: facts.filesBy,
  });
  const { changes, ...survey } = openSurvey(command, facts, { typed, orgId }, context);
  const kind: RowKind<Call> = {
    ...facts,
    ...asTyped(command, { ...input, file: input.rows }, context),
    files() {
      const texts = [...(context.input.texts?.values() ?? [])].toSorted();
      return texts.length === 0 ? undefined : createHash('sha256').update(JSON.stringify(texts)).digest('hex');
    },
    operation,
    orgId,
    steps: { adds: command.changes?.adds === true },
    columns,
    reader(csv) {
      const read = (value: unknown) => (csv ? fromCells(value as Cells, csv) : fromJson(value)); // the CSV reader returns cells
      return reader(command, facts.key, typed, read);
    },
    wasDone: facts.wasDone && (({ input: own, key }) => facts.wasDone?.(own, key) === true),
    contentOf: () => '', // the journal has each row by its number
    ...survey,
    rehearse: (checked) => rehearse(checked, changes(), command, context),
    open: (own, bulk) => sender(command, facts.results ?? [], own, bulk),
  };
  return runRows(kind, { ...input, file: input.rows }, context);
}

/** Prints a warning only once, although each row gives it, and reads each file of the command line once. */
function contextOfRows(context: Context): Context {
  const said = new Set<string>();
  return {
    ...context,
    input: { ...context.input, texts: new Map() },
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

function reader(
  command: Command,
  keyName: string,
  typed: Input,
  readValue: (value: unknown) => Read,
): (row: Row) => RowContent<Call> {
  const mayBeEmpty =
    command.operation?.body !== undefined &&
    !command.changes?.adds &&
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
      return { ...wrongIn([...problems, ...further], read), key };
    }
    if (key === '' && keyName in command.arguments) return { problem: `has no ${keyName}`, field: keyName };
    const isEmpty = mayBeEmpty && Object.keys(read.input).every((name) => name === keyName);
    return { key, value: () => ({ ...read, input, key }), isEmpty };
  };
}

const run = (command: Command, { input }: Call, context: Context) => command.run(input as never, context, []); // columnsOf made this input

/** The result of the command for one row, its change carried out or rehearsed. */
async function resultOf(command: Command, call: Call, context: Context): Promise<Result | undefined> {
  const outcome = await run(command, call, context);
  return outcome && 'operation' in outcome ? perform(outcome, context) : outcome;
}

/** Checks each row by the command itself, and counts what they do for the question. */
function openSurvey(
  command: Command,
  facts: CallFacts,
  { typed, orgId }: { readonly typed: Input; readonly orgId: string | undefined },
  context: Context,
) {
  const replaced = new Map<string, Counted>();
  const changed = new Map<string, number>();
  const keys = new Set<string>();
  const said = new Set<string>();
  const twins = { count: 0, first: '' };
  let place: Place = { line: 0 };
  const say = (note: string) => {
    if (said.size >= mostNotes || said.has(note)) return;
    said.add(note);
    context.notice(`${placeAndKey(place)}: ${note}`);
  };
  const checking = contextOfOne(context, true, { notice: say, warn: say });
  const labels = bodyLabels(command).filter(([, label]) => label !== facts.key);
  const countFields = (body: unknown) => {
    for (const [path, label] of labels)
      if (valueAt(body, path) !== undefined) changed.set(label, (changed.get(label) ?? 0) + 1);
  };
  const count = ({ replacing = [], announce = [], input }: Change) => {
    countFields(input.body);
    for (const replacement of replacing) {
      const { what, mayMerge, lost = '' } = replacement;
      const same = `${what} ${mayMerge} ${lost}`;
      const known = replaced.get(same) ?? { replacement, count: 0 };
      replaced.set(same, { ...known, count: known.count + 1 });
    }
    if (replacing.length === 0) announce.forEach(say);
  };
  const paths = new Map(optionsOf(command).map(({ name, path }) => [name, path?.join('.') ?? name]));
  const fields = new Set<string>();
  return {
    changes: () => labels.filter(([, label]) => changed.has(label)),
    fields: () => [...fields],
    async inspect(call: Call, at: Place): Promise<Problem | undefined> {
      place = at;
      for (const name of Object.keys(call.input)) if (paths.has(name)) fields.add(paths.get(name) ?? name);
      try {
        const outcome = await run(command, call, checking);
        if (outcome && 'operation' in outcome) count(outcome);
        else if (outcome && 'value' in outcome) countFields(valueAt(outcome.value, 'request.body'));
      } catch (error) {
        if (error instanceof Failure) return problemOf(error, call);
        throw error;
      }
      if (!keys.has(call.key)) {
        if (facts.isUnique || keys.size < mostKeys) keys.add(call.key);
        return undefined;
      }
      if (facts.isUnique) return { problem: `has the ${facts.key} of another row: ${call.key}`, field: facts.key };
      twins.count += 1;
      twins.first ||= placeText(at);
      return undefined;
    },
    question({ total, bad }: CheckedRows<Call>, number: number) {
      if (twins.count > 0) context.notice(twinsLine(twins, facts.key));
      // Of the rows that are left it is not known which these are.
      const isAll = number === total - bad;
      const announce = [...replaced.values()].map((each) => replacesLine(each, isAll));
      const fieldsIn = command.changes?.adds
        ? []
        : [...changed].toSorted().map(([label, many]) => (isAll ? `${label} in ${groupDigits(many)}` : label));
      const verb = command.name.split(' ').at(-1) ?? '';
      const place = orgId === undefined ? '' : ` of organization ${orgId}`;
      return {
        action: `${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${groupDigits(number)} ${number === 1 ? facts.one : facts.many}${place}`,
        detail: fieldsIn.join(', '),
        announce,
        asks: [...announce, facts.asks?.(number, typed) ?? ''].filter(Boolean).join(' '),
      };
    },
  };
}

function twinsLine({ count, first }: { readonly count: number; readonly first: string }, key: string): string {
  const one = `${first.replace(/^line/, 'The row on line').replace(/^row/, 'Row')} has`;
  const rows = count === 1 ? one : `${groupDigits(count)} rows, the first on ${first}, have`;
  return `Note: ${rows} the ${key} of an earlier row; they are sent in order.`;
}

type Counted = { readonly replacement: Replacement; readonly count: number };

function replacesLine({ replacement: { what, mayMerge, lost }, count }: Counted, isAll: boolean): string {
  const those = isAll ? countedRows(count) : 'Some rows';
  const replace = mayMerge || !isAll ? 'may replace' : count === 1 ? 'replaces' : 'replace';
  return `${those} ${replace} ${what}${lost === undefined ? '.' : `: ${lost}`}`;
}

/** What a table shows of the new values of a row: an empty list and null as JSON. */
function newValues(body: unknown, labels: Labels): object {
  const values = labels.map(([path, label]) => [label, valueAt(body, path)] as const);
  const given = values.filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([label, value]) => [label, cellText(value) || compact(value)]));
}

/** The fields of a body by their path, each with the name of its option in camelCase; a list has that of the platform. */
type Labels = readonly (readonly [path: string, label: string])[];

function bodyLabels(command: Command): Labels {
  return optionsOf(command).flatMap(({ path, name, long, schema, readsJson }) => {
    if (!path) return [];
    const isWhole = readsJson || schema.type === 'array' || schema.type === 'object';
    return [[path.join('.'), isWhole ? name : long.replace(/-./g, (part) => part.charAt(1).toUpperCase())] as const];
  });
}

/** How many different notes are shown, and how many IDs are compared. */
const [mostNotes, mostKeys] = [20, 100_000];

/** What is wrong, by the columns of the row. */
function problemOf({ message, facts: { details = [] } }: Failure, row: RowInput): Problem {
  return details.length > 0 ? wrongIn(details, row) : { problem: message.replace(/\.$/, '') };
}

function wrongIn(details: readonly FailureDetail[], { labels }: RowInput): Problem {
  const nameOf = ({ option = '', field = '' }: FailureDetail) => labels.get(option) ?? (option || field);
  const problem = details.map((detail) => `${nameOf(detail)} ${detail.message}`.trim()).join('; ');
  return { problem, field: details[0] && (details[0].field ?? nameOf(details[0])) };
}

/** A line for each row: its new values, and for programs its request. */
async function rehearse(
  { kind, plan, read, meaningOf, source }: CheckedRows<Call>,
  labels: Labels,
  command: Command,
  context: Context,
): Promise<Result> {
  const { key, one } = kind;
  const isTable = isPlainTable(context);
  const rehearsing = contextOfOne(context, true);
  const rowOf = async (row: Row): Promise<object | undefined> => {
    const meaning = meaningOf(row);
    const wrong = (id: string | null, { problem }: Problem) => ({
      ...{
        ...placeFields(row),
        [key]: id,
        fields: [],
        dryRun: true,
        request: null,
        curl: null,
        replaces: [],
        notes: [],
      },
      error: unfit(problem),
    });
    if ('problem' in meaning) return wrong(meaning.key ?? null, meaning);
    if (meaning.isEmpty) return undefined;
    const call = meaning.value();
    try {
      const shown = await resultOf(command, call, rehearsing);
      if (isTable && shown?.kind === 'record')
        return { ...placeFields(row), [key]: call.key, ...newValues(valueAt(shown.asText, 'request.body'), labels) };
      const value = shown && 'value' in shown && isRecord(shown.value) ? shown.value : {};
      const fields = [...fieldsOf(Object(valueAt(value, 'request.body'))).keys()];
      return { ...placeFields(row), [key]: call.key, fields, ...value, error: null };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return wrong(call.key, problemOf(error, call));
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
      ...placeColumns(plan.format),
      { field: key, header: one.toUpperCase(), keep: 'whole' },
      ...(isTable ? labels : []).map(([, field]) => ({
        field,
        header: kebab(field).replaceAll('-', ' ').toUpperCase(),
      })),
      { field: 'error.message', header: 'ERROR' },
    ],
    fields: [
      ...placeColumns(plan.format).map(({ field }) => field),
      key,
      'fields',
      'replaces',
      'request',
      'curl',
      'error',
    ],
    noun: 'rows',
    empty: 'No rows.',
  };
}

/** Sends a row as the command alone would, over the connections of all rows. */
async function sender(command: Command, results: readonly string[], context: Context, bulk: BulkOptions) {
  const rows = await context.bulkPlatform(bulk);
  const platform = await context.platform();
  const sending = contextOfOne(context, false, {
    platform: async () => ({
      ...platform,
      // Only the change itself keeps the pace of all rows and is repeated by it; deleting a credential again is repeated as usual.
      send: (operation, request, extra) =>
        (operation === command.operation ? rows : platform).send(operation, request, extra),
    }),
  });
  return async (call: Call): Promise<object | undefined> => {
    const result = await resultOf(command, call, sending).catch((error: unknown) => {
      const isOfRow =
        error instanceof Failure && error.facts.details?.some(({ option = '' }) => call.labels.has(option));
      throw isOfRow ? usage(`${problemOf(error, call).problem}.`) : error;
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
