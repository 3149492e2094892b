import { command } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { usage } from '../failure.ts';
import { readQuartz } from '../quartz/quartz.ts';
import { quartzOfUnix } from '../quartz/unix.ts';

const assumedZone = 'UTC';

export const cron = command({
  name: 'batches cron',
  summary: 'Explain a Quartz cron expression and show its next times',
  description:
    'Reads a Quartz cron expression (seconds first, six or seven parts), explains it in words and lists its next times. Nothing is ' +
    'sent. The interface does not say which time zone a platform runs its batches in; UTC is assumed unless --tz gives another.',
  arguments: { expression: { type: 'string', value: 'EXPRESSION', description: 'Quartz cron expression, in quotes' } },
  flags: {
    tz: { type: 'string', value: 'ZONE', default: 'UTC', description: 'Time zone, Europe/Berlin for example' },
    count: { type: 'integer', value: 'N', minimum: 1, maximum: 1000, default: 3, description: 'How many times' },
  },
  examples: [
    { line: 'iiot batches cron "0 0 2 ? * MON-FRI"', says: 'What does it mean?' },
    { line: 'iiot batches cron "0 0/15 8-18 * * ?" --tz Asia/Tokyo --count 5', says: 'In another time zone' },
  ],
  result: {
    type: 'object',
    description: 'The expression, explained',
    properties: {
      expression: { type: 'string', description: 'As it was given' },
      words: { type: 'string', description: 'In words' },
      timeZone: { type: 'string', description: 'The time zone of the next times' },
      next: { type: 'array', items: { type: 'string', description: 'Time, RFC 3339' }, description: 'The next times' },
      warnings: {
        type: 'array',
        items: { type: 'string', description: 'Sentence' },
        description: 'Where engines differ',
      },
    },
  },
  async run({ expression, tz = assumedZone, count = 3 }, context) {
    const explanation = await explain(expression, tz, count, context);
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

type Explanation = {
  readonly expression: string;
  readonly words?: string;
  readonly timeZone: string;
  readonly next: readonly string[];
  readonly warnings: readonly string[];
};

async function explain(expression: string, zone: string, count: number, { world }: Context): Promise<Explanation> {
  const now = new Date(world.now());
  const { refusal, warnings, fields } = readQuartz(expression, now.getUTCFullYear());
  if (refusal !== undefined) {
    const quartz = quartzOfUnix(expression);
    const hint =
      quartz === undefined
        ? 'Quartz has seconds first: second minute hour day month weekday [year]'
        : `Try: iiot batches cron "${quartz}"`;
    throw usage(`"${expression.slice(0, 200)}" is not a Quartz expression: ${refusal}.`, hint);
  }
  if (fields === undefined) {
    const none = 'Engines read it differently, so its times cannot be previewed reliably.';
    return { expression, timeZone: zone, next: [], warnings: [...warnings, none] };
  }
  const [{ describeSchedule }, { nextTimes }] = await Promise.all([
    import('../quartz/words.ts'),
    import('../quartz/times.ts'),
  ]);
  const times = await nextTimes(fields, now, zone, count);
  return {
    expression,
    words: await describeSchedule(fields),
    timeZone: zone,
    next: times.map((time) => zoned(time, zone)),
    warnings,
  };
}

/** The description, and a line for each of the next times: `Mon 2026-11-23 02:00:00 Europe/Berlin (+01:00)`. */
function scheduleText({ words, next, timeZone }: Explanation): string {
  const times = next.map((time) => {
    const [, date = '', clock = '', offset = ''] = /^([^T]+)T(.{8})(.*)$/.exec(time) ?? [];
    const day = new Date(date).toLocaleDateString('en-US', { weekday: 'short', timeZone: 'UTC' });
    return `  ${day} ${date} ${clock} ${timeZone}${offset === 'Z' ? '' : ` (${offset})`}`;
  });
  const never = words !== undefined && next.length === 0 ? ['It never runs again.'] : [];
  return [...(words === undefined ? [] : [words]), ...times, ...never].map((line) => `${line}\n`).join('');
}

/** RFC 3339 in the zone's own offset: "2026-11-22T02:00:00+09:00", and Z for UTC. */
function zoned(time: Date, zone: string): string {
  const name = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
    .formatToParts(time)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign = '+', hours = '00', minutes = '00'] = /([+-])(\d{2}):(\d{2})/.exec(name ?? '') ?? [];
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  const local = new Date(time.getTime() + offset * 60_000).toISOString().slice(0, 19);
  return offset === 0 ? `${local}Z` : `${local}${sign}${hours}:${minutes}`;
}

/** Two lines to show before a batch is created. */
export async function schedulePreview(expression: string, context: Context): Promise<readonly string[]> {
  const { words, next, warnings } = await explain(expression, assumedZone, 3, context);
  const times =
    next.length > 0
      ? `Next, if the platform's time zone is ${assumedZone}: ${next.join(', ')}`
      : 'It never runs again.';
  return words === undefined ? warnings : [`${expression}: ${words}`, times];
}
