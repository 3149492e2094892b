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
  readonly refusal?: { readonly problem: string; readonly hint: string };
  /** Columns of a record that the command does not set. */
  readonly unset: readonly string[];
  /** Columns of --ignore-columns that the header has. */
  readonly ignored: readonly string[];
};

export const noHeader: Header = { columns: [], labels: new Map(), unset: [], ignored: [] };

/** Finds the column for each name of a header, or each member of a row. Options that are not fields, such as the name of a file, are never columns. */
export function headerFrom(names: readonly string[], what: 'column' | 'member', vocabulary: Vocabulary): Header {
  const isDryRunOutput = ['request', 'curl', 'dryRun'].every((field) => names.includes(field));
  if (isDryRunOutput) {
    const problem = `the ${what}s of what a dry run prints`;
    return { ...noHeader, refusal: { problem, hint: 'give the file that it read' } };
  }
  const ignored = vocabulary.ignoredIn(names);
  const matches = names.map((label) =>
    label === '' && what === 'column' ? undefined : columnFor(label, names, ignored, what, vocabulary),
  );
  const namesOf = (kind: 'unset' | 'ignored') => matches.flatMap((each) => (each?.kind === kind ? [each.name] : []));
  const refused = new Map(matches.flatMap((each) => (each?.kind === 'refused' ? [[each.label, each.problem]] : [])));
  const columns = matches.map((each) => (each?.kind === 'column' ? each.column : undefined));
  const unknown = [...refused.keys()].filter((label) => refused.get(label) === undefined);
  const hint = [what === 'column' ? `Columns: ${vocabulary.words.join(', ')}` : '', skipHint(unknown)]
    .filter(Boolean)
    .join('; ');
  return {
    columns,
    labels: new Map(columns.flatMap((each) => (each ? [[columnWord(each), each.label]] : []))),
    unset: namesOf('unset'),
    ignored: namesOf('ignored'),
    ...(refused.size > 0 && { refusal: { problem: refusalWords(refused, unknown, what, vocabulary), hint } }),
  };
}

/** What a name of a header stands for. The problem of a refused name is undefined if the command does not have such a column. */
type ColumnMatch =
  | { readonly kind: 'column'; readonly column: InputColumn }
  | { readonly kind: 'ignored' | 'unset'; readonly name: string }
  | { readonly kind: 'refused'; readonly label: string; readonly problem?: string };

function columnFor(
  label: string,
  names: readonly string[],
  ignored: ReadonlySet<string>,
  what: 'column' | 'member',
  { known, typed, elsewhere, recorded, normalize, facts }: Vocabulary,
): ColumnMatch | undefined {
  const { others, filesBy } = facts;
  if (ignored.has(normalize(label))) return { kind: 'ignored', name: normalize(label) };
  const name = plain(label);
  const column = known.get(name);
  const isReturned = others === undefined && names.includes(resultMark);
  if (isReturned && !column) return resultColumns.has(label) ? undefined : { kind: 'unset', name: shortenName(label) };
  if (column && typed[column.name] === undefined) return { kind: 'column', column: { ...column, label } };
  const refuse = (problem?: string): ColumnMatch => ({ kind: 'refused', label, problem });
  const isReport = () => ['line', 'status'].every((field) => names.some((each) => plain(each) === field));
  const isOfReport = reportFields.has(name) && isReport();
  if (others !== undefined && !isOfReport) {
    const isKey = what === 'column' || name === plain(others);
    if (isKey) return { kind: 'column', column: { name: others, label, schema: anyKey, takesNull: true } };
    return refuse(`which is neither ${facts.key} nor ${others}: a row is ${rowForm({ facts })}`);
  }
  const typedOnly = elsewhere.get(name);
  if (typedOnly) return refuse(`which only the command line takes: ${advice(typedOnly, known, filesBy)}`);
  if (column) return refuse('which the command line also gives');
  return recorded.has(name) || isOfReport ? { kind: 'unset', name: shortenName(label) } : refuse();
}

/** A member of rows in --results-file and --before-file, which says which platform returned the record. */
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

/** Checks a header. @param hintBelow the hint to give instead, if a header was found further down @throws usage if it is refused, or has a column twice */
export function checkHeader({ columns, refusal }: Header, file: string, hintBelow?: string): void {
  if (refusal) throw usage(`${file} has ${refusal.problem}.`, hintBelow ?? capitalized(refusal.hint));
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
  unknown: readonly string[],
  what: 'column' | 'member',
  { command, words }: Vocabulary,
): string {
  const named = unknown.map((label) => [quote(label), suggestionFor(label, words)] as const);
  const [first, ...others] = named;
  const lacks = `iiot ${command.name} does not have`;
  const parts = [...refused].flatMap(([label, problem]) => (problem ? [`a ${what} ${quote(label)}, ${problem}`] : []));
  if (first && others.length === 0) parts.unshift(`a ${what} ${first[0]}, which ${lacks}${first[1]}`);
  else if (first)
    parts.unshift(`${named.length} ${what}s that ${lacks}: ${listNames(named.map((each) => each.join('')))}`);
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
