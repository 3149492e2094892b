/** Reads the rows of a file as calls of a command. */
import { furtherProblems } from '../../command/body.ts';
import type { Context } from '../../command/context.ts';
import type { FailureDetail } from '../../failure.ts';
import { placeWords, sameTenant } from '../../place.ts';
import { cellChecker } from '../../rows/cells.ts';
import type { Cells } from '../../rows/csv.ts';
import { readRows } from '../../rows/read.ts';
import {
  columnName,
  positionFields,
  positionText,
  type Row,
  type RowPosition,
  type RowProblem,
  shardOf,
} from '../../rows/row.ts';
import type { Source } from '../../rows/source.ts';
import { handleSignals } from '../../text/abort.ts';
import { plainName } from '../../text/alike.ts';
import { stringsIn, unfitIn } from '../../text/json.ts';
import { canonical } from '../../text/json-write.ts';
import { withoutSecrets } from '../../text/secret-names.ts';
import { markOf } from '../../work/marks.ts';
import {
  type ColumnUses,
  checkHeader,
  columnUses,
  type Header,
  headerFrom,
  isHeader,
  noHeader,
  placeOfResult,
  resultMark,
  rowForm,
} from './header.ts';
import { hasCells, type RowsRun } from './plan.ts';
import type { Survey } from './survey.ts';
import { inputOfCells, inputOfMembers, membersOf, type RowInput } from './values.ts';
import { type Vocabulary, vocabularyOf } from './vocabulary.ts';

/** A row as a call of its command. A row that is wrong has a `problem`. */
export type Call = RowPosition &
  Pick<Row, 'text'> &
  Pick<RowInput, 'input'> &
  Pick<Header, 'labels'> & {
    /** The number among the rows of this run (those of its shard) that are not empty, from 1. */
    readonly number: number;
    /** The ID of what the row changes; null if it cannot be read. */
    readonly key: string | null;
    readonly problem?: RowProblem | undefined;
  };

/** Reads all rows, and skips those without a value. @param survey gets notes on the file @throws usage if the source or its header cannot be read */
export async function* readCalls(run: RowsRun, source: Source, survey?: Survey): AsyncGenerator<readonly Call[], void> {
  const { shard, facts } = run;
  const vocabulary = vocabularyOf(run);
  let readCall = rowReader(run, vocabulary, { header: noHeader, uses: [] }, survey);
  let uses: ColumnUses = [];
  const rows = readRows(source, {
    ...run,
    ...(facts.others === undefined ? { isHeader: (names) => isHeader(names, vocabulary) } : { required: facts.key }),
    headerOption: '--header-row',
    columnAt: (at) => uses[at],
    doubts: survey?.seen.doubts,
    onHeader(names, separator, below) {
      const header = headerFrom(names, 'column', vocabulary);
      checkHeader(header, source.name, below);
      uses = columnUses(header, run);
      readCall = rowReader(run, vocabulary, { header, uses }, survey);
      survey?.header(names, separator, header);
    },
    onRead: survey?.read,
    empty: survey?.empty,
  });
  let number = 0;
  for await (const handful of rows) {
    const calls: Call[] = [];
    for (const row of handful) {
      const call = readCall(row, number + 1);
      // Empty rows have no key; each is counted by one shard only.
      if (shard && shardOf(call?.key ?? '', shard.parts) !== shard.part) continue;
      if (!call) survey?.empty(1);
      else calls.push(call);
      if (call) number += 1;
    }
    // An empty group is passed on too, because the reader handles signals between groups.
    yield calls;
  }
}

/** Calls `see` for every row, and sends none. @param words what the user waits for: "Checking rows.csv" */
export async function forEachCall(
  words: string,
  groups: AsyncIterable<readonly Call[]>,
  { waiting, world }: Context,
  see: (call: Call) => Promise<void> | void,
): Promise<void> {
  const wait = waiting.begin(words);
  try {
    for await (const calls of groups) {
      await world.limitHeapGrowth?.('all');
      // Reading a file never yields to the event loop, so let signals be handled here.
      await handleSignals(world.interrupt);
      for (const call of calls) await see(call);
    }
  } finally {
    wait.end();
  }
}

type ReadRow = RowInput & Pick<Header, 'labels'>;

/** Returns a function that reads a row as a call, or gives undefined for a row that changes nothing. */
function rowReader(
  run: RowsRun,
  vocabulary: Vocabulary,
  { header, uses }: { readonly header: Header; readonly uses: ColumnUses },
  survey: Survey | undefined,
): (row: Row, number: number) => Call | undefined {
  const { command, facts, typed, format } = run;
  const problemOfCells = cellChecker(uses, run.numbersAsIds);
  const isOfCells = hasCells(format);
  const knownHeaders = new Map<string, Header>();
  const mayBeEmpty =
    command.operation?.body !== undefined &&
    !command.changes?.adds &&
    Object.keys(typed).every((name) => name in command.arguments);
  const keyParameter = command.operation?.params[facts.key];
  const isGuid = keyParameter?.type === 'string' && keyParameter.format === 'guid';
  // GUIDs in upper and in lower case name the same record.
  const keyOf = (input: RowInput['input']) => {
    const key = typed[facts.key] ?? input[facts.key];
    if (typeof key !== 'string') return '';
    return isGuid ? key.toLowerCase() : key;
  };
  const readCells = (cells: readonly string[]): RowProblem | ReadRow => {
    const cellProblem = problemOfCells(cells);
    if (cellProblem) return { problem: cellProblem };
    return { ...inputOfCells(header.columns, cells, run), labels: header.labels };
  };
  const readObject = (row: RowPosition & { readonly value: unknown }): RowProblem | ReadRow => {
    const placeOf = () => ({ where: positionText(row) });
    const maskedText = stringsIn(row.value).find((text) => maskedSecret.test(text));
    if (maskedText !== undefined) survey?.seen.doubts.add('masked', placeOf(), maskedText);
    survey?.texts(stringsIn(withoutSecrets(row.value)), placeOf);
    const unfit = unfitIn(row.value);
    return unfit ? { problem: `has ${unfit}` } : readMembers(row.value, vocabulary, knownHeaders, survey);
  };
  const checkCall = (call: Call, problems: RowInput['problems']): Call => {
    const { input, key, labels } = call;
    if (problems.length > 0)
      return { ...call, problem: problemFrom([...problems, ...furtherProblems(command, { input, problems })], labels) };
    if (key !== '' || !(facts.key in command.arguments)) return call;
    return { ...call, key: null, problem: { problem: `has no ${facts.key}`, field: facts.key } };
  };
  return (row, number) => {
    const position = { ...positionFields(row), number, text: row.text };
    if ('problem' in row) return { ...position, ...unread, key: row.key ?? null, problem: { problem: row.problem } };
    const cells = isOfCells ? (row.value as Cells).cells : undefined; // the CSV reader returns cells
    if (cells && uses.every((use, at) => !use || cells[at] === '')) return undefined;
    const read = cells ? readCells(cells) : readObject(row);
    if ('problem' in read)
      return { ...position, ...unread, key: keyOf({ [facts.key]: keyOfRow(row.value, facts) }) || null, problem: read };
    const { problems, labels } = read;
    const call = { ...position, key: keyOf(read.input), input: { ...typed, ...read.input }, labels };
    const checked = checkCall(call, problems);
    if (checked.problem) return checked;
    if (mayBeEmpty && Object.keys(read.input).every((name) => name === facts.key)) return undefined;
    if (cells) survey?.cells(cells, uses, (at) => placeOfCell(format, row, at), run.listSeparator);
    return checked;
  };
}

/** Text that platforms return instead of a secret: only asterisks or dots. */
const maskedSecret = /^[*•●]{3,}$/;

const unread: Pick<Call, 'input' | 'labels'> = { input: {}, labels: new Map() };

/** The place of a cell: "cell C3" in a sheet, "line 3" in CSV. */
function placeOfCell(format: RowsRun['format'], row: RowPosition, column: number): string {
  return format === 'csv' ? positionText(row) : `cell ${columnName(column)}${row.line}`;
}

/** The key of a row that is wrong in another way, because later rows with that key are held back. */
function keyOfRow(value: unknown, { key }: RowsRun['facts']): unknown {
  return value instanceof Map ? [...value].find(([label]) => plainName(label) === plainName(key))?.[1] : undefined;
}

/** How many headers are kept; most rows of a file have the same members. */
const mostHeaders = 100;

/** Reads a row of JSON. @param knownHeaders the headers of earlier rows, by the names of their members */
function readMembers(
  value: unknown,
  vocabulary: Vocabulary,
  knownHeaders: Map<string, Header>,
  survey: Survey | undefined,
): RowProblem | ReadRow {
  const form = rowForm(vocabulary);
  if (!(value instanceof Map))
    return { problem: `is not an object: a row ${form ? `is ${form}` : 'has a member for each option'}` };
  const { place, facts } = vocabulary;
  const origin = facts.others === undefined ? placeOfResult(value) : undefined;
  if (origin && sameTenant(origin, place) === 'other')
    return {
      problem: `was returned by ${placeWords(origin, place)}, and the rows go to ${placeWords(place, origin)}; without its member ${resultMark}, it can be sent there`,
    };
  const { members, nulls, ignored } = membersOf(value, vocabulary);
  const names = members.map(([label]) => label);
  const joinedNames = names.join('\n');
  const header = knownHeaders.get(joinedNames) ?? headerFrom(names, 'member', vocabulary);
  if (knownHeaders.size < mostHeaders) knownHeaders.set(joinedNames, header);
  survey?.members(header, nulls, ignored);
  if (header.refusal)
    return { problem: `has ${header.refusal.problem}${header.refusal.hint && `; ${header.refusal.hint}`}` };
  const { others } = facts;
  if (others !== undefined && !header.columns.some((column) => column?.name === others))
    return { problem: `has no ${others}: a row is ${form}` };
  return { ...inputOfMembers(header.columns, members), labels: header.labels };
}

/** Turns the details of a failure into a problem that names the row's columns. */
export function problemFrom(details: readonly FailureDetail[], labels: Header['labels']): RowProblem {
  const nameOf = ({ option = '', field = '' }: FailureDetail) => labels.get(option) ?? (option || field);
  const problem = details.map((detail) => `${nameOf(detail)} ${detail.message}`.trim()).join('; ');
  return { problem, field: details[0] && (details[0].field ?? nameOf(details[0])) };
}

/** The mark of a row in a journal, which depends neither on its place in the file nor on the order of columns. @param files checksum of the files that options name */
export function rowMark({ key, input }: Call, files: string): string {
  return markOf(key ?? '', canonical(input) + files);
}
