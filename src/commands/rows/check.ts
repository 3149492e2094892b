/** The first pass over the rows: the command checks each in a dry run, before any is sent. */
import type { Command } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { optionsOf } from '../../command/option.ts';
import { type Change, isForProgram } from '../../command/perform.ts';
import { noteTwins, openTwins } from '../../command/twins.ts';
import { contextOfOne } from '../../command/work.ts';
import { asFailure, type Failure, usage } from '../../failure.ts';
import { valueAt } from '../../output/columns.ts';
import { positionAndKey, positionFields, positionText, type RowProblem } from '../../rows/row.ts';
import type { Source } from '../../rows/source.ts';
import { capitalized } from '../../text/capitalized.ts';
import { countedRows, groupDigits } from '../../text/group-digits.ts';
import { fieldsOf } from '../../text/record.ts';
import { visibleWithBlanks } from '../../text/visible.ts';
import { type Call, forEachCall, problemFrom, readCalls } from './calls.ts';
import { checkIgnored, leftOutNote, listNames } from './header.ts';
import type { RowsRun } from './plan.ts';
import { most, openSurvey, type SurveyFindings } from './survey.ts';

/** Checks every row, and keeps none in memory. @throws usage with all problems, unless `--skip-invalid` is given, and if the input cannot be read */
export async function checkRows(run: RowsRun, source: Source, context: Context): Promise<SurveyFindings> {
  const survey = openSurvey();
  const { seen } = survey;
  await forEachCall(`Checking ${source.name}`, readCalls(run, source, survey), context, openCheck(run, seen, context));
  noticeFindings(seen, run, source.name, context);
  await noticeMisread(seen, context);
  if (seen.bad > 0 && run.skipInvalid !== true) {
    warnOfProblems(seen, context);
    throw usage(
      `${countedRows(seen.bad)} of ${groupDigits(seen.total)} in ${source.name} cannot be sent, so nothing was sent.`,
      'Fix them, or send the other rows with --skip-invalid',
      seen.problems.map(({ problem, field, key: _key, ...place }) => ({ ...place, field, message: problem })),
    );
  }
  return seen;
}

/** Returns what checks one row and adds it to the survey. */
function openCheck(run: RowsRun, seen: SurveyFindings, context: Context) {
  const { command, facts } = run;
  let current: Call | undefined;
  const say = (note: string) => {
    if (current) seen.doubts.say(positionAndKey(current), note);
  };
  const twinOf = openTwins(most.keys);
  const checking = contextOfOne(context, true, { notice: say, warn: say });
  const labels = bodyLabels(command).filter(([, label]) => label !== facts.key);
  const paths = new Map(optionsOf(command).map(({ name, path }) => [name, path?.join('.') ?? name]));
  const countField = (name: string, counted = name) => {
    if (seen.fields.size < most.names) seen.fields.add(name);
    if (seen.changed.size < most.names || seen.changed.has(counted))
      seen.changed.set(counted, (seen.changed.get(counted) ?? 0) + 1);
  };
  const countFields = (body: unknown) => {
    if (facts.others !== undefined) for (const name of fieldsOf(Object(body)).keys()) countField(name);
    else for (const [path, label] of labels) if (valueAt(body, path) !== undefined) countField(path, label);
  };
  const countChange = ({ replacing = [], announce = [], input }: Change) => {
    countFields(input.body);
    for (const replacement of replacing) {
      const identity = `${replacement.what} ${replacement.mayMerge} ${replacement.lost ?? ''}`;
      seen.replaced.set(identity, { replacement, count: (seen.replaced.get(identity)?.count ?? 0) + 1 });
    }
    if (replacing.length === 0) announce.forEach(say);
  };
  const problemOf = async (call: Call): Promise<RowProblem | undefined> => {
    if (call.problem) return call.problem;
    for (const name of Object.keys(call.input)) if (paths.has(name)) seen.fields.add(paths.get(name) ?? name);
    try {
      const outcome = await runCall(command, call, checking);
      if (outcome && 'operation' in outcome) countChange(outcome);
      else if (outcome && 'value' in outcome) countFields(valueAt(outcome.value, 'request.body'));
    } catch (error) {
      return problemOfFailure(asFailure(error), call);
    }
    const key = call.key ?? '';
    const isTwin = seen.keys.has(key);
    if (isTwin && facts.isUnique) return { problem: `has the ${facts.key} of another row: ${key}`, field: facts.key };
    if (isTwin) seen.doubts.add('twin', { where: positionText(call), label: facts.key }, key);
    else if (facts.isUnique || seen.keys.size < most.keys) seen.keys.add(key);
    return undefined;
  };
  return async (call: Call): Promise<void> => {
    current = call;
    seen.total += 1;
    const key = call.key ?? '';
    const twin = twinOf(key);
    if (twin !== undefined) say(`the ${facts.key} ${twin}.`);
    const place = { where: positionText(call), label: facts.key };
    const problem = await problemOf(call);
    if (!problem && paddedId.test(key)) seen.doubts.add('padded', place, key);
    else if (!problem && visibleWithBlanks(key) !== key) seen.doubts.add('unseen', place, key);
    if (!problem && key !== key.normalize('NFC')) seen.doubts.add('form', place, key);
    if (problem) {
      seen.bad += 1;
      if (seen.problems.length < most.problems)
        seen.problems.push({ ...positionFields(call), ...problem, key: call.key });
    }
  };
}

/** An ID with a blank, an invisible character or an apostrophe at its beginning or end, as when it is copied from a page or a mail. */
const paddedId = /^['\s\u00ad\u200b-\u200f\u2060]|[\s\u00ad\u200b-\u200f\u2060]$/;

export const runCall = (command: Command, { input }: Call, context: Context) =>
  command.run(input as never, context, []); // its columns made this input

/** Turns a failure into a problem that names the row's columns. */
export function problemOfFailure({ message, facts: { details = [] } }: Failure, { labels }: Call): RowProblem {
  return details.length > 0 ? problemFrom(details, labels) : { problem: message.replace(/\.$/, '') };
}

export type BodyLabels = readonly (readonly [path: string, label: string])[];

/** The fields of a body: the path, and the name of the option in camelCase. For lists and objects, that is the platform's name. */
export function bodyLabels(command: Command): BodyLabels {
  return optionsOf(command).flatMap(({ path, name, long, schema, readsJson }) => {
    if (!path) return [];
    const isWhole = readsJson || schema.type === 'array' || schema.type === 'object';
    return [[path.join('.'), isWhole ? name : long.replace(/-./g, (part) => part.charAt(1).toUpperCase())] as const];
  });
}

function noticeFindings(seen: SurveyFindings, run: RowsRun, file: string, context: Context): void {
  checkIgnored(run, seen.ignored, file, seen.columns);
  const [noun, names] = seen.columns.length > 0 ? ['column', seen.columns] : ['key', seen.fields];
  if (run.facts.others !== undefined) noteTwins(noun, names, context);
  const { empty, total } = seen;
  if (seen.read !== '') context.notice(seen.read);
  const notes = [
    seen.unset.size > 0 && leftOutNote([...seen.unset], run.command),
    seen.nulls.size > 0 && `null changes nothing in ${listNames([...seen.nulls])}.`,
    empty > 0 && `${countedRows(empty)} without a value ${empty === 1 ? 'is' : 'are'} not sent.`,
    empty === 0 && total === 0 && `${file} has no rows.`,
  ];
  for (const note of [...notes, ...seen.doubts.notes()]) if (note) context.notice(`Note: ${note}`);
}

/** Says which texts were probably read in a wrong encoding before, and how they were meant. */
async function noticeMisread({ misread }: SurveyFindings, context: Context): Promise<void> {
  if (misread.length === 0) return;
  const { undoMisreading } = await import('../../text/encodings.ts');
  const notes: string[] = [];
  for (const { where, text } of misread) {
    const before = await undoMisreading(text);
    if (before !== undefined)
      notes.push(
        `${capitalized(where)}: ${JSON.stringify(text)} looks garbled; it was probably ${JSON.stringify(before)}.`,
      );
  }
  for (const note of notes.slice(0, most.notes)) context.notice(note);
  if (notes.length > most.notes) context.notice('… and more');
}

/** How many problems to print; programs get all of them as details of the failure. */
const mostShown = 20;

function warnOfProblems({ bad, problems }: SurveyFindings, context: Context): void {
  if (isForProgram(context)) return;
  const groups = new Map<string, { readonly problem: string; readonly places: string[] }>();
  for (const { problem, key, ...place } of problems) {
    // Problems that differ only in the value are one group.
    const kind = problem.replace(/, not "[^"]*"/g, '');
    const group = groups.get(kind) ?? { problem, places: [] };
    group.places.push(positionAndKey(place, place.row === undefined ? '' : (key ?? '')));
    groups.set(kind, group);
  }
  const shown = [...groups.values()].slice(0, mostShown);
  for (const { problem, places } of shown) {
    const others = places.length > 1 ? ` (and ${countedRows(places.length - 1)} more)` : '';
    context.warn(`${places[0]}${others}${/^(?:has|is|repeats) /.test(problem) ? '' : ':'} ${problem}.`);
  }
  const unshown = bad - shown.reduce((sum, { places }) => sum + places.length, 0);
  if (unshown > 0) context.warn(`… and ${unshown} more`);
}
