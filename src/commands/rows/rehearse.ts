import type { Command } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { kebab } from '../../command/option.ts';
import { isPlainTable, perform } from '../../command/perform.ts';
import { contextOfOne } from '../../command/work.ts';
import { asFailure, usage } from '../../failure.ts';
import { cellText, valueAt } from '../../output/columns.ts';
import type { Result } from '../../output/result.ts';
import { positionFields, type RowProblem } from '../../rows/row.ts';
import { errorFields } from '../../text/failure-sentence.ts';
import { groupDigits } from '../../text/group-digits.ts';
import { compact } from '../../text/json-write.ts';
import { fieldsOf, isRecord } from '../../text/record.ts';
import type { Call } from './calls.ts';
import { type BodyLabels, bodyLabels, problemOfFailure, runCall } from './check.ts';
import type { RowsRun } from './plan.ts';
import { countedFields } from './question.ts';
import { placeColumns } from './result.ts';
import type { SurveyFindings } from './survey.ts';

/** How many rows a table at a terminal has. */
const mostShown = 50;

/** The result of a dry run: the new values of each row, or its request for a program. @param calls include rows that cannot be sent @param onEnd called at the end */
export function rehearse(
  run: RowsRun,
  seen: SurveyFindings,
  calls: AsyncIterable<readonly Call[]>,
  count: number,
  onEnd: () => void,
  context: Context,
): Result {
  const { key, one, many, others } = run.facts;
  const isTable = isPlainTable(context);
  const isCut = isTable && context.world.stdout.isTTY === true;
  const labels = labelsOf(run.command, seen, others).filter(([, label]) => label !== key);
  const rowOf = openRehearsal(run, isTable ? labels : undefined, context);
  async function* pages() {
    try {
      let shown = 0;
      for await (const group of calls) {
        const items = await Promise.all((isCut ? group.slice(0, mostShown - shown) : group).map(rowOf));
        shown += items.length;
        yield { items };
        if (isCut && shown >= mostShown) return;
      }
    } finally {
      onEnd();
    }
  }
  const places = placeColumns(run.format);
  return {
    kind: 'list',
    pages: pages(),
    id: key,
    columns: [
      ...places,
      { field: key, header: one.toUpperCase(), keep: 'whole' },
      ...(isTable ? labels : []).map(([, field]) => ({
        field: others === undefined ? field : `${others}.${field}`,
        header: others === undefined ? kebab(field).replaceAll('-', ' ').toUpperCase() : field,
      })),
      { field: 'error.message', header: 'ERROR' },
    ],
    fields: [...places.map(({ field }) => field), key, 'fields', 'replaces', 'request', 'curl', 'error'],
    noun: 'rows',
    empty: 'No rows.',
    async ending() {
      const fields = count === 0 ? '' : countedFields(seen, count === seen.total);
      const sum = `${groupDigits(count)} ${count === 1 ? one : many}${fields && `: ${fields}`}`;
      if (isCut)
        context.notice(count > mostShown ? `${sum}. The first ${mostShown} are shown; -o ndjson shows all.` : sum);
      return undefined;
    },
  };
}

/** The fields that the rows set: the path in the body, and the name to show. */
function labelsOf(command: Command, { changed }: SurveyFindings, others: string | undefined): BodyLabels {
  if (others !== undefined) return [...changed.keys()].map((name) => [name, name] as const);
  return bodyLabels(command).filter(([, label]) => changed.has(label));
}

/** Returns what rehearses a row and gives its line. @param labels the columns, for a table */
function openRehearsal({ command, facts }: RowsRun, labels: BodyLabels | undefined, context: Context) {
  const rehearsing = contextOfOne(context, true);
  const lineOf = (call: Call) => ({ ...positionFields(call), [facts.key]: call.key });
  const wrongLine = (call: Call, { problem }: RowProblem) => ({
    ...{ ...lineOf(call), fields: [], dryRun: true, request: null, curl: null, replaces: [], notes: [] },
    error: errorFields(usage(problem)),
  });
  return async (call: Call): Promise<object> => {
    if (call.problem) return wrongLine(call, call.problem);
    try {
      const outcome = await runCall(command, call, rehearsing);
      const shown = outcome && 'operation' in outcome ? await perform(outcome, rehearsing) : outcome;
      if (labels && shown?.kind === 'record')
        return { ...lineOf(call), ...newValues(valueAt(shown.asText, 'request.body'), labels, facts.others) };
      const value = shown && 'value' in shown && isRecord(shown.value) ? shown.value : {};
      const fields = [...fieldsOf(Object(valueAt(value, 'request.body'))).keys()];
      return { ...lineOf(call), fields, ...value, error: null };
    } catch (error) {
      return wrongLine(call, problemOfFailure(asFailure(error), call));
    }
  };
}

/** The new values of a row for a table. An empty list and null are JSON there. */
function newValues(body: unknown, labels: BodyLabels, others: string | undefined): object {
  if (others !== undefined) return { [others]: body };
  const values = labels.map(([path, label]) => [label, valueAt(body, path)] as const);
  const given = values.filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([label, value]) => [label, cellText(value) || compact(value)]));
}
