import type { Command } from '../../command/command.ts';
import type { Option } from '../../command/option.ts';
import { isRepeatable } from '../../command/word.ts';
import { usage } from '../../failure.ts';
import { type Place, readPlace } from '../../place.ts';
import { sameColumnFailure } from '../../rows/column-names.ts';
import type { ColumnUse } from '../../rows/doubts.ts';
import { plainName as plain } from '../../text/alike.ts';
import { capitalized } from '../../text/capitalized.ts';
import { nearestOrPart } from '../../text/nearest.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import { otherWords } from '../other-words.ts';
import type { RowsRun } from './plan.ts';
import { type InputColumn, nameNormalizer, splitIgnored, type Vocabulary } from './vocabulary.ts';

/** A header, or the members of a row of JSON, as columns. A column that is left out is undefined. */
export type Header = {
  readonly columns: readonly (InputColumn | undefined)[];
  /** The names of the columns by option: `--alert-level` is "alertLevel" in the file. */
  readonly labels: ReadonlyMap<string, string>;
  /** The problem with the names, as text that follows "has", and a hint. */
  readonly refusal?: { readonly has: string; readonly hint: string };
  /** Columns of a record that the command does not set, and those of --ignore-columns that the header has. */
  readonly unset: readonly string[];
  readonly ignored: readonly string[];
};

export const noHeader: Header = { columns: [], labels: new Map(), unset: [], ignored: [] };

/** Finds the column for each name of a header, or each member of a row. Options that are no fields, such as a file, are never columns. */
export function headerFrom(names: readonly string[], what: 'column' | 'member', vocabulary: Vocabulary): Header {
  const { command, words } = vocabulary;
  const isRehearsal = ['request', 'curl', 'dryRun'].every((field) => names.includes(field));
  if (isRehearsal) {
    const has = `the ${what}s of what a dry run prints`;
    return { ...noHeader, refusal: { has, hint: 'give the file that it read' } };
  }
  const ignored = vocabulary.ignoredIn(names);
  const matches = names.map((label) =>
    label === '' && what === 'column' ? undefined : columnFor(label, names, ignored, what, vocabulary),
  );
  const refused = new Map(matches.flatMap((each) => (each && 'refused' in each ? [[each.refused, each.problem]] : [])));
  const columns = matches.map((each) => (each && 'schema' in each ? each : undefined));
  const unknown = [...refused].flatMap(([label, problem]) => (problem === undefined ? [label] : []));
  const hint = [what === 'column' ? `Columns: ${words.join(', ')}` : '', skipHint(unknown)].filter(Boolean).join('; ');
  return {
    columns,
    labels: new Map(columns.flatMap((each) => (each ? [[columnWord(each), each.label]] : []))),
    unset: matches.flatMap((each) => (each && 'unset' in each ? [each.unset] : [])),
    ignored: matches.flatMap((each) => (each && 'ignored' in each ? [each.ignored] : [])),
    ...(refused.size > 0 && { refusal: { has: refusalWords(refused, what, command, words), hint } }),
  };
}

function columnFor(
  label: string,
  names: readonly string[],
  ignored: ReadonlySet<string>,
  what: 'column' | 'member',
  { known, typed, elsewhere, recorded, normalize, facts }: Vocabulary,
):
  | InputColumn
  | { readonly ignored: string }
  | { readonly unset: string }
  | { readonly refused: string; readonly problem?: string }
  | undefined {
  const { others, filesBy } = facts;
  if (ignored.has(normalize(label))) return { ignored: normalize(label) };
  const name = plain(label);
  const column = known.get(name);
  const isReturned = others === undefined && names.includes(resultMark);
  if (isReturned && !column) return resultColumns.has(label) ? undefined : { unset: shortenName(label) };
  if (column && typed[column.name] === undefined) return { ...column, label };
  const isReport = () => ['line', 'status'].every((field) => names.some((each) => plain(each) === field));
  const isOfReport = reportFields.has(name) && isReport();
  if (others !== undefined && !isOfReport) {
    const isKey = what === 'column' || name === plain(others);
    return isKey
      ? { name: others, label, schema: anyKey, takesNull: true }
      : { refused: label, problem: `which is neither ${facts.key} nor ${others}: a row is ${rowForm({ facts })}` };
  }
  const typedOnly = elsewhere.get(name);
  if (typedOnly)
    return { refused: label, problem: `which only the command line takes: ${advice(typedOnly, known, filesBy)}` };
  if (column) return { refused: label, problem: 'which the command line also gives' };
  return recorded.has(name) || isOfReport ? { unset: shortenName(label) } : { refused: label };
}

/** A member of rows in --results-file and --before-file, which says what platform has returned the record. */
export const resultMark = 'iiot';

/** The member to add to a row that this place has returned. */
export function markOfResult({ base, tenant, tenantId }: Place): { readonly [resultMark]: Place } {
  return { [resultMark]: { base, tenant, tenantId } };
}

/** The place that has returned a row, if the row says so. */
export function placeOfResult(row: ReadonlyMap<string, unknown>): Place | undefined {
  const mark = row.get(resultMark);
  return mark instanceof Map ? readPlace(Object.fromEntries(mark)) : undefined;
}

/** The members of a returned row that are not fields of the record. */
const resultColumns: ReadonlySet<string> = new Set([resultMark, 'line', 'row']);

/** The form of a row of JSON, if it is not one member for each option. */
export function rowForm({ facts: { key, others } }: Pick<Vocabulary, 'facts'>): string | undefined {
  return others === undefined ? undefined : `{"${key}": "…", "${others}": {…}}`;
}

export const anyKey = { type: 'object', description: '' } as const;

/** Checks a header. @throws usage if it is refused, or has a column twice @param hintBelow a hint, if a header was found further down */
export function checkHeader({ columns, refusal: wrong }: Header, file: string, hintBelow?: string): void {
  if (wrong) throw usage(`${file} has ${wrong.has}.`, hintBelow ?? capitalized(wrong.hint));
  const labels = columns.map((column) => column?.label ?? '');
  const places = new Map<string, number>();
  for (const [index, column] of columns.entries()) {
    if (!column || column.schema === anyKey) continue;
    const first = places.get(column.name);
    if (first !== undefined && !isRepeatable(column.schema)) throw sameColumnFailure(file, labels, first, index);
    places.set(column.name, index);
  }
}

/** Whether at least one of these names is a column. */
export function isHeader(names: readonly string[], { known }: Vocabulary): boolean {
  return names.some((label) => known.has(plain(label)));
}

export type ColumnUses = readonly (ColumnUse | undefined)[];

/** The use of each column, for the checks of what a spreadsheet may have changed. */
export function columnUses({ columns }: Header, { facts }: RowsRun): ColumnUses {
  return columns.map((column) => column && { label: column.label, use: useOf(column, facts.key) });
}

function useOf({ name, option, schema }: InputColumn, key: string): ColumnUse['use'] {
  if (name === key) return 'key';
  if (schema === anyKey) return 'other';
  if (option === undefined || /ids?$/i.test(name)) return 'id';
  if (schema.type === 'integer') return 'number';
  if (schema.type === 'array') return 'list';
  return schema.type === 'string' && !option.readsJson && option.schema.value !== 'DURATION|TIME' ? 'text' : 'other';
}

/** Checks --ignore-columns. @throws usage for a name that no row has */
export function checkIgnored(
  { ignored, facts }: RowsRun,
  found: ReadonlySet<string>,
  file: string,
  names: readonly string[],
): void {
  const normalize = nameNormalizer(facts);
  const missing = ignored
    .flatMap((value) => (found.has(normalize(value)) ? [] : splitIgnored(value)))
    .find((name) => !found.has(normalize(name)));
  if (missing === undefined) return;
  const hint = names.length > 0 ? `Columns: ${listNames(names.map(quote))}` : undefined;
  throw usage(`${file} has no column ${quote(missing)} for --ignore-columns.`, hint);
}

/** The fields that a run with --rows reports for each row, in csv and NDJSON, besides those of the record. */
const reportFields: ReadonlySet<string> = new Set(['line', 'row', 'status', 'code', 'message', 'error', 'secretfile']);

/** A note on columns that records have, but the command does not set. */
export function leftOutNote(names: readonly string[], command: Command): string {
  const cannot = `iiot ${command.name} does not set`;
  return `${listNames(names)} ${names.length === 1 ? `is left out: ${cannot} it` : `are left out: ${cannot} them`}.`;
}

function skipHint(unknown: readonly string[]): string {
  if (unknown.length === 0) return '';
  const isSpecial = (name: string) => /[",]/.test(name);
  const names = [...new Set(unknown)];
  const usual = names.filter((name) => !isSpecial(name));
  const values = [listNames(usual, ','), ...names.filter(isSpecial)].filter(Boolean);
  return `to leave columns out: ${values.map((value) => `--ignore-columns=${quoteForShell(value)}`).join(' ')}`;
}

/** The advice for an option that was named as a column. */
function advice({ name, readsJson, schema }: Option, known: ReadonlyMap<string, unknown>, filesBy?: string): string {
  const field = name.replace(/File$/, '');
  if (readsJson) return `give its JSON in a column ${name}`;
  if (name === field || schema.forAgents) return 'leave it out';
  if (!known.has(plain(field))) return 'give its fields in separate columns';
  return `give the text in a column ${field}${filesBy === undefined ? '' : `, or ${filesBy}`}`;
}

/** Says what is wrong with the columns of a file or the members of a row, as text that follows "has". */
function refusalWords(
  refused: ReadonlyMap<string, string | undefined>,
  what: 'column' | 'member',
  command: Command,
  words: readonly string[],
): string {
  const unknown = [...refused.keys()].filter((label) => refused.get(label) === undefined);
  const named = unknown.map((label) => [quote(label), suggestionFor(label, words)] as const);
  const [first, ...more] = named;
  const not = `that iiot ${command.name} does not have`;
  const parts = [...refused].flatMap(([label, problem]) => (problem ? [`a ${what} ${quote(label)}, ${problem}`] : []));
  if (first && more.length === 0) parts.unshift(`a ${what} ${first[0]}, ${not.replace('that', 'which')}${first[1]}`);
  else if (first) parts.unshift(`${named.length} ${what}s ${not}: ${listNames(named.map((each) => each.join('')))}`);
  return parts.slice(0, mostNames).join('; ');
}

/** The option or argument that a column stands for. */
export const columnWord = ({ name, option }: InputColumn) => (option ? `--${option.long}` : `<${name}>`);

/** Suggests a column for an unknown name, as for an unknown option. */
function suggestionFor(word: string, words: readonly string[]): string {
  const other = Object.keys(otherWords).filter((name) => otherWords[name]?.map(plain).includes(plain(word)));
  const known = words.find((each) => other.map(plain).includes(plain(each)));
  const nearestName = known ?? (word.length > longestShown ? undefined : nearestOrPart(word, words));
  return nearestName === undefined ? '' : ` (did you mean ${JSON.stringify(nearestName)}?)`;
}

/** How many characters of a name are shown, and how many names, because a file of another kind may have any. */
const [longestShown, mostNames] = [80, 20];

export const shortenName = (name: string) => (name.length > longestShown ? `${name.slice(0, longestShown)}…` : name);

export const quote = (name: string) => JSON.stringify(shortenName(name));

export function listNames(names: readonly string[], separator = ', '): string {
  return names.slice(0, mostNames).join(separator) + (names.length > mostNames ? `${separator}…` : '');
}
