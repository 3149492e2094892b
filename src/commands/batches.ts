import { bodyOf, checkRequest } from '../command/body.ts';
import { command } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { organization, organizationHint } from '../command/target.ts';
import { createBatch } from '../contract/batches.ts';
import { type Failure, usage } from '../failure.ts';
import { readQuartz } from '../quartz/quartz.ts';
import { quartzOfUnix } from '../quartz/unix.ts';
import { fieldsOf } from '../text/record.ts';
import { cron, schedulePreview } from './batches-cron.ts';
import { changedRecord, recordOf } from './update.ts';

const create = command({
  name: 'batches create',
  operation: createBatch,
  changes: 'final',
  adds: true,
  // The interface does not show the fields of BatchDto.
  result: {
    type: 'object',
    description: 'The batch if the platform returns it, otherwise its organization and name',
    properties: {
      orgId: { type: 'string', description: 'Organization' },
      name: { type: 'string', description: 'Name' },
      created: { type: 'boolean', description: 'True' },
    },
  },
  examples: [
    {
      line: 'iiot batches create --name nightly --cron "0 0 2 * * ?" --enabled --no-run-on-startup',
      says: 'Every night at two, in the time zone of the platform',
    },
    {
      line: 'iiot batches create --name hourly --cron "0 0 * ? * *" --disabled --no-run-on-startup --dry-run',
      says: 'See the request first',
    },
  ],
  async run(input, context) {
    const orgId = organization(context);
    const given = input.bodyFile === undefined ? await promptForMissing(input, context) : input;
    const body = await bodyOf(create, given, context);
    const inner = input.bodyFile === undefined ? undefined : inputIn(body);
    const whole = input.bodyFile === undefined ? { orgId, ...body } : withOrg(inner ?? body, orgId);
    const isWrapped = inner !== undefined || context.settings.stored.batchBody === 'input';
    const known = asKnown(whole);
    refuseUnix(known);
    checkRequest(create, createBatch, { orgId, body: known }, context);
    const name = String(known.get('Name'));
    return {
      kind: 'change',
      operation: createBatch,
      input: { orgId, body: whole },
      ...(isWrapped && { sentBody: { input: whole } }),
      about: `batch ${name}`,
      action: `Create batch ${name}`,
      before: () => preview(String(known.get('CronExpression')), context),
      explain: (failure) => explain(failure, orgId, { isWrapped, settings: context.settings }),
      result: (response) => {
        // The interface does not show the fields of BatchDto, so its id may also be named id.
        const record = recordOf(response.value, 'batchId');
        if (record) return changedRecord(record, { field: 'batchId', operation: createBatch, what: 'Created batch' });
        return { kind: 'done', value: { orgId, name, created: true }, sentence: `Created batch ${name}`, id: 'id' };
      },
    };
  },
});

function explain(
  failure: Failure,
  orgId: string,
  { settings, isWrapped }: Pick<Context, 'settings'> & { readonly isWrapped: boolean },
): Failure {
  const hint = hintFor(failure, orgId);
  if (hint !== undefined) return failure.with({ hint });
  const { stored, profile } = settings;
  const wrap = `This platform may want the body wrapped: iiot profiles set ${profile.value} batchBody=input`;
  return !isWrapped && stored.batchBody === undefined && missesFields(failure) ? failure.with({ hint: wrap }) : failure;
}

function hintFor({ kind }: Failure, orgId: string): string | undefined {
  if (kind === 'conflict') return 'It may be from an earlier run of this command';
  return kind === 'not_found' ? organizationHint(orgId) : undefined;
}

/** All required fields are sent: a platform that misses one looks for it elsewhere, in `input` perhaps. */
function missesFields({ kind, message, facts }: Failure): boolean {
  const messages = facts.details?.map((detail) => `${detail.field ?? ''} ${detail.message}`) ?? [message];
  return kind === 'rejected' && messages.some((words) => missing.test(words));
}

const missing =
  /\binput\b|\bmissing\b|\b(is|are|field|property|value) required\b|\brequired (field|property|value)|\b(not|cannot) be (null|undefined)\b/i;

/** "An object named input": a file may have the body in one, and is then sent so. */
function inputIn(body: object): object | undefined {
  const fields = fieldsOf(body);
  const inner = fields.get('input');
  return fields.size === 1 && inner instanceof Map ? inner : undefined;
}

/** The fields as the interface writes them. A file may write them otherwise, as a batch that the platform returned does: most platforms read any case. */
function asKnown(body: object): ReadonlyMap<string, unknown> {
  const names = Object.keys(createBatch.body.properties);
  const known = (field: string) => names.find((name) => name.toLowerCase() === field.toLowerCase()) ?? field;
  return new Map([...fieldsOf(body)].map(([field, value]) => [known(field), value]));
}

function withOrg(body: object, orgId: string): object {
  return asKnown(body).has('orgId') ? body : new Map([['orgId', orgId], ...fieldsOf(body)]);
}

type BatchInput = {
  readonly Name?: string | undefined;
  readonly CronExpression?: string | undefined;
  readonly IsEnabled?: boolean | undefined;
  readonly RunOnStartup?: boolean | undefined;
};

/** All four facts are required: asked for at a terminal, a usage error elsewhere. */
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
    Name: input.Name ?? (await person.ask('Name of the batch')),
    CronExpression: input.CronExpression ?? (await person.ask('Quartz cron expression', { check: refusalOf })),
    IsEnabled: input.IsEnabled ?? (await person.confirm('Enable it?')),
    RunOnStartup: input.RunOnStartup ?? (await person.confirm('Run it on startup?')),
  };
}

function refusalOf(expression: string): string | undefined {
  const { refusal } = readQuartz(expression);
  const quartz = refusal === undefined ? undefined : quartzOfUnix(expression);
  return quartz === undefined ? refusal : `${refusal}; in Quartz it is: ${quartz}`;
}

function refuseUnix(body: ReadonlyMap<string, unknown>): void {
  const expression = body.get('CronExpression');
  if (typeof expression !== 'string') return;
  const { refusal } = readQuartz(expression);
  const quartz = refusal === undefined ? undefined : quartzOfUnix(expression);
  if (refusal === undefined || quartz === undefined) return;
  throw usage(
    `--cron takes a Quartz cron expression, and this is a Unix one: ${refusal}.`,
    `In Quartz it is: --cron "${quartz}"`,
    [{ field: 'CronExpression', option: '--cron', message: `takes a Quartz cron expression: ${refusal}` }],
  );
}

/** Explains the cron expression at a terminal, before anything is created. */
async function preview(expression: string, context: Context): Promise<void> {
  if (context.world.stderr.isTTY !== true) return;
  for (const line of await schedulePreview(expression, context)) context.notice(line);
}

export const commands = [create, cron];
