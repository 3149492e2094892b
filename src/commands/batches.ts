import { checkRequest, readBody, withInterfaceNames } from '../command/body.ts';
import { command } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { placeOf, whereText } from '../command/place.ts';
import { organization, organizationHint } from '../command/target.ts';
import { createBatch } from '../contract/batches.ts';
import type { Infer } from '../contract/schema.ts';
import { boolean, integer, list, object, record, text } from '../contract/shared.ts';
import { type Failure, usage } from '../failure.ts';
import { readQuartz } from '../quartz/quartz.ts';
import { quartzOfOther } from '../quartz/unix.ts';
import { fieldsOf } from '../text/record.ts';
import { rowsOf } from './rows/rows-of.ts';
import { changedRecord, recordOf } from './update.ts';

const create = command({
  name: 'batches create',
  changes: { undoable: false, adds: true },
  operation: createBatch,
  rows: rowsOf({ one: 'batch', many: 'batches', key: 'Name', results: ['batchId'] }),
  // The interface does not show the fields of BatchDto.
  result: object('The batch if the platform returns it, otherwise its organization and name', {
    orgId: text('Organization'),
    name: text('Name'),
    created: boolean('True'),
  }),
  examples: {
    'iiot batches create --name nightly --cron "0 0 2 * * ?" --enabled --no-run-on-startup':
      'Every night at two, in the time zone of the platform',
    'iiot batches create --name hourly --cron "0 0 * ? * *" --disabled --no-run-on-startup --dry-run':
      'See the request first',
    'iiot batches create --rows batches.csv --dry-run': 'One batch per row, all checked first; see iiot help rows',
  },
  async run(input, context) {
    const orgId = organization(context);
    const typed = input.bodyFile === undefined ? await promptForMissing(input, context) : input;
    const body = await readBody(create, typed, context);
    const inner = input.bodyFile === undefined ? undefined : unwrapInput(body);
    const typedBody =
      input.bodyFile === undefined ? { orgId, ...body } : new Map([['orgId', orgId], ...(inner ?? fieldsOf(body))]);
    const whole = replaceOddBlanks(typedBody, context);
    const isWrapped = inner !== undefined || context.settings.stored.batchBody === 'input';
    const fields = fieldsOf(whole);
    refuseOtherDialect(fields.get('CronExpression'));
    checkRequest(create, createBatch, { orgId, body: whole }, context);
    const name = String(fields.get('Name'));
    return {
      kind: 'change',
      operation: createBatch,
      input: { orgId, body: whole },
      sentBody: isWrapped ? { input: whole } : undefined,
      subject: { type: 'batch', id: name },
      action: `Create batch ${name}`,
      before: () => noticeSchedule(String(fields.get('CronExpression')), context),
      explain: (failure) => explainBatch(failure, orgId, isWrapped, fields, context),
      result: (response) => {
        // The interface does not show the fields of BatchDto, so its id may also be named id.
        const record = recordOf(response.value, 'batchId');
        if (record) return changedRecord(record, { field: 'batchId', operation: createBatch, what: 'Created batch' });
        return { kind: 'done', value: { orgId, name, created: true }, sentence: `Created batch ${name}`, id: 'id' };
      },
    };
  },
});

function explainBatch(
  failure: Failure,
  orgId: string,
  isWrapped: boolean,
  body: ReadonlyMap<string, unknown>,
  { settings }: Context,
): Failure {
  const { stored, profile } = settings;
  if (failure.kind === 'conflict') return failure.with({ hint: 'It may be from an earlier run of this command' });
  if (failure.kind === 'not_found') return failure.with({ hint: organizationHint(orgId) });
  const isChosen = stored.batchBody === 'dto' || (isWrapped && stored.batchBody !== 'input');
  if (isChosen || !missesSentFields(failure, body)) return failure;
  const line = `iiot profiles set ${profile.value} batchBody=`;
  const hint = isWrapped ? `may not want the body wrapped: ${line}dto` : `may want the body wrapped: ${line}input`;
  return failure.with({ hint: `This platform ${hint}` });
}

/** Whether the platform only complains about missing fields, and all of them were sent with a value: then it expects them elsewhere in the body. */
function missesSentFields({ kind, message, facts }: Failure, body: ReadonlyMap<string, unknown>): boolean {
  if (kind !== 'rejected') return false;
  const sent = [...body].flatMap(([name, value]) => (String(value ?? '').trim() === '' ? [] : [name.toLowerCase()]));
  const { details = [] } = facts;
  if (details.length === 0) return missing.test(message) && ['input', ...sent].some((name) => mentions(message, name));
  return details.every(({ field = '', message: words }) => {
    const named = field === '' ? ['input', ...sent].find((name) => mentions(words, name)) : field.toLowerCase();
    return missing.test(words) && named !== undefined && ['input', ...sent].includes(named);
  });
}

function mentions(message: string, name: string): boolean {
  return message.toLowerCase().split(/\W+/).includes(name);
}

/** Phrases with which platforms say that a field is missing. */
const missing =
  /\bmissing\b|\b(is|are|field|property|value) required\b|\brequired (field|property|value)|\b(not|cannot) be (null|undefined)\b/i;

/** The body inside `{"input": {…}}`, if a file wraps it like that: the interface speaks of "an object named input". */
function unwrapInput(body: object): Map<string, unknown> | undefined {
  const fields = fieldsOf(body);
  const inner = fields.get('input');
  return fields.size === 1 && inner instanceof Map ? withInterfaceNames(createBatch.body, inner) : undefined;
}

type BatchInput = Pick<Infer<typeof createBatch.body>, 'Name' | 'CronExpression' | 'IsEnabled' | 'RunOnStartup'>;

/** Asks for the required fields that were not given. @throws usage if nobody can answer */
async function promptForMissing<I extends BatchInput>(input: I, context: Context): Promise<I> {
  const missing = [
    input.Name === undefined && '--name',
    input.CronExpression === undefined && '--cron',
    input.IsEnabled === undefined && '--enabled or --disabled',
    input.RunOnStartup === undefined && '--run-on-startup or --no-run-on-startup',
  ].filter((option) => option !== false);
  if (missing.length === 0) return input;
  const person = await context.person();
  if (!person.canAnswer) {
    const details = missing.map((option) => ({ option: option.split(' ')[0] ?? option, message: 'is required' }));
    throw usage(`Missing: ${missing.join(', ')}.`, 'See iiot batches create --help', details);
  }
  return {
    ...input,
    Name: input.Name ?? (await person.ask(`Name of the batch ${whereText(await placeOf(context), context)}`)),
    CronExpression: input.CronExpression ?? (await person.ask('Quartz cron expression', { check: cronRefusal })),
    IsEnabled: input.IsEnabled ?? (await person.confirm('Enable it?')),
    RunOnStartup: input.RunOnStartup ?? (await person.confirm('Run it on startup?')),
  };
}

/** Reads a Quartz expression. If it is refused but valid in another dialect of cron, `quartz` is the same schedule for Quartz. */
function readExpression(expression: string, year?: number) {
  const read = readQuartz(expression, year);
  const { quartz, why = read.refusal } = (read.refusal && quartzOfOther(expression)) || {};
  return { ...read, refusal: why, quartz };
}

function cronRefusal(expression: string): string | undefined {
  const { refusal, quartz } = readExpression(expression);
  return quartz === undefined ? refusal : `${refusal}; in Quartz it is "${quartz}"`;
}

/** Replaces blanks in the cron expression that no engine accepts, such as U+00A0, with spaces, and says so. */
function replaceOddBlanks(body: object, { notice }: Context): object {
  const expression = fieldsOf(body).get('CronExpression');
  const CronExpression = typeof expression === 'string' ? expression.replace(/[^\S \t\r\n]/g, ' ') : expression;
  if (CronExpression === expression) return body;
  notice('Note: The cron expression has blanks that are not spaces, such as U+00A0; they are sent as spaces.');
  return body instanceof Map ? new Map([...body, ['CronExpression', CronExpression]]) : { ...body, CronExpression };
}

function refuseOtherDialect(expression: unknown): void {
  const { refusal, quartz } = typeof expression === 'string' ? readExpression(expression) : {};
  if (quartz === undefined) return;
  const sentence = `takes a Quartz cron expression: ${refusal}`;
  const detail = { field: 'CronExpression', option: '--cron', message: `${sentence}; in Quartz it is "${quartz}"` };
  throw usage(`--cron ${sentence}.`, `In Quartz it is: --cron "${quartz}"`, [detail]);
}

/** At a terminal, says what a cron expression means before the batch is created. */
async function noticeSchedule(expression: string, context: Context): Promise<void> {
  if (context.world.stderr.isTTY !== true) return;
  const { words, next, warnings } = await explainSchedule(expression, assumedZone, 3, context);
  const times =
    next.length > 0
      ? `Next, if the platform's time zone is ${assumedZone}: ${next.join(', ')}`
      : 'It never runs again.';
  for (const line of words === undefined ? warnings : [`${expression}: ${words}`, times, ...warnings])
    context.notice(line);
}

const assumedZone = 'UTC';

const cron = command({
  name: 'batches cron',
  summary: 'Explain a Quartz cron expression and show its next times',
  description:
    'Reads a Quartz cron expression (seconds first, six or seven parts), explains it in words and lists its next times. Nothing is ' +
    'sent. The interface does not say which time zone a platform runs its batches in; UTC is assumed unless --tz gives another.',
  arguments: { expression: text('Quartz cron expression, in quotes', { value: 'EXPRESSION' }) },
  flags: {
    tz: text('Time zone, Europe/Berlin for example', { value: 'ZONE', default: 'UTC' }),
    count: integer('How many times', { value: 'N', minimum: 1, maximum: 1000, default: 3 }),
  },
  examples: {
    'iiot batches cron "0 0 2 ? * MON-FRI"': 'What does it mean?',
    'iiot batches cron "0 0/15 8-18 * * ?" --tz Asia/Tokyo --count 5': 'In another time zone',
  },
  result: record('The expression, explained', {
    expression: text('As it was given'),
    words: text('In words'),
    timeZone: text('The time zone of the next times'),
    next: list('The next times', text('Time, RFC 3339')),
    warnings: list('Where engines differ', text('Sentence')),
  }),
  async run({ expression, tz = assumedZone, count = 3 }, context) {
    const explanation = await explainSchedule(expression, tz, count, context);
    for (const warning of explanation.warnings) context.notice(`Note: ${warning}`);
    return {
      kind: 'record',
      value: explanation,
      screen: () => scheduleText(explanation),
      id: 'expression',
      columns: [
        { field: 'words', header: 'IN WORDS', keep: 'whole' },
        { field: 'timeZone', header: 'TIME ZONE', keep: 'whole' },
        { field: 'next', header: 'NEXT', keep: 'whole' },
      ],
    };
  },
});

/** A schedule that engines read differently has neither words nor times. */
type Schedule = {
  readonly expression: string;
  readonly words?: string;
  readonly timeZone: string;
  /** RFC 3339 */
  readonly next: readonly string[];
  readonly warnings: readonly string[];
};

/** @throws usage for an expression that Quartz does not take */
async function explainSchedule(expression: string, zone: string, count: number, { world }: Context): Promise<Schedule> {
  const now = new Date(world.now());
  const { refusal, quartz, warnings, fields } = readExpression(expression, now.getUTCFullYear());
  if (refusal !== undefined) {
    const hint =
      quartz === undefined
        ? 'Quartz has seconds first: second minute hour day month weekday [year]'
        : `Try: iiot batches cron "${quartz}"`;
    throw usage(`"${expression.slice(0, 200)}" is not a Quartz expression: ${refusal}.`, hint);
  }
  if (fields === undefined) {
    const warning = 'Engines read it differently, so its times cannot be previewed reliably.';
    return { expression, timeZone: zone, next: [], warnings: [...warnings, warning] };
  }
  const [{ describeSchedule }, { doubtfulTimes, nextTimes, offsetOf }] = await Promise.all([
    import('../quartz/words.ts'),
    import('../quartz/times.ts'),
  ]);
  const times = await nextTimes(fields, now, zone, count);
  const until = times.length < count ? undefined : times.at(-1);
  const doubtful = await doubtfulTimes(fields, now, zone, { count, until });
  return {
    expression,
    words: await describeSchedule(fields),
    timeZone: zone,
    next: times.map((time) => zonedTime(time, offsetOf(time, zone))),
    warnings: [...warnings, ...(doubtful.length > 0 ? [clockChangeWarning(doubtful)] : [])],
  };
}

/** The description, and a line for each of the next times: `Mon 2026-11-23 02:00:00 Europe/Berlin (+01:00)`. */
function scheduleText({ words, next, timeZone }: Schedule): string {
  const times = next.map((time) => {
    const [, date = '', clock = '', offset = ''] = /^([^T]+)T(.{8})(.*)$/.exec(time) ?? [];
    const day = new Date(date).toLocaleDateString('en-US', { weekday: 'short', timeZone: 'UTC' });
    return `  ${day} ${date} ${clock} ${timeZone}${offset === 'Z' ? '' : ` (${offset})`}`;
  });
  const ending = words !== undefined && next.length === 0 ? ['It never runs again.'] : [];
  return [...(words === undefined ? [] : [words]), ...times, ...ending].map((line) => `${line}\n`).join('');
}

function clockChangeWarning(times: readonly string[]): string {
  const [first = '', ...others] = times;
  const subject = others.length > 0 ? `${first} and ${others.length} more are` : `${first} is`;
  return `${subject} ambiguous: the clock changes then, and engines run it later, twice, or not at all.`;
}

/** RFC 3339 in the zone's own offset: "2026-11-22T02:00:00+09:00", and Z for UTC. */
function zonedTime(time: Date, offset: number): string {
  const local = new Date(time.getTime() + offset).toISOString().slice(0, 19);
  if (offset === 0) return `${local}Z`;
  const ahead = new Date(Math.abs(offset)).toISOString().slice(11, 16);
  return `${local}${offset < 0 ? '-' : '+'}${ahead}`;
}

export const commands = [create, cron];
