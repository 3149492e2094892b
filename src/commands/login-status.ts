import { loginCommand } from '../auth/login-failures.ts';
import type { SessionStatus } from '../auth/session.ts';
import { command, refusals } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { type Label, labelOf } from '../command/label.ts';
import { isOnlyPlace } from '../command/place.ts';
import { baseUrl } from '../command/target.ts';
import { boolean, record, text, textOrNull } from '../contract/shared.ts';
import { Failure } from '../failure.ts';
import { spanText } from '../output/brief.ts';
import type { ScreenOptions } from '../output/result.ts';
import { wrapWords } from '../output/text-width.ts';
import { placeWords } from '../place.ts';
import type { JsonRecord } from '../text/record.ts';
import { visible } from '../text/visible.ts';

const statusSchema = record('Who is logged in; a field that does not apply is null', {
  baseUrl: text('Address of the platform'),
  loggedIn: boolean('Whether there is a usable login for it'),
  message: textOrNull('Why not, or why it can no longer be renewed'),
  source: text('Where it comes from', { enum: ['IIOT_TOKEN', 'IIOT_CLIENT_ID', 'profile'] }),
  profile: text('Profile'),
  flow: textOrNull('token (a bare one), user (a person) or m2m (a machine)'),
  account: textOrNull('Email of the account'),
  clientId: textOrNull('Client ID'),
  tenant: textOrNull('Tenant'),
  app: textOrNull('Application'),
  renewable: boolean('Whether a new token can be requested without a person'),
  expiresAt: textOrNull('When the token expires; null if that is not known'),
  readOnly: boolean('True if every change is refused'),
  label: textOrNull('The label of the profile'),
  accepted: { description: 'Whether the platform accepts it; null without --check' },
});

export const status = command({
  name: 'login status',
  shell: { ends: refusals },
  reach: 'organization',
  summary: 'Show who is logged in, where, and for how long',
  description:
    'Shows who is logged in to which platform, by which flow, when the access token expires and whether it can be renewed. ' +
    'Nothing is sent, unless --check asks the platform whether it accepts the login. The exit code is 3 if nobody is logged in.',
  flags: { check: boolean('Ask the platform') },
  examples: {
    'iiot login status': 'Who am I?',
    'iiot login status --check -o json': 'Does the platform agree?',
  },
  result: statusSchema,
  async run({ check }, context) {
    const base = baseUrl(context);
    const session = await context.session();
    const before = await session.status();
    const { loggedIn, why } = before;
    const accepted = check && loggedIn ? { accepted: await checkAccepted(context) } : {};
    // The check renews an expired token.
    const current = check && loggedIn ? await session.status() : before;
    const { expiresAt, issuer } = current;
    const { readOnly } = context.settings;
    const label = await labelOf(context);
    const fields: JsonRecord = {
      ...{ ...current, ...accepted, baseUrl: base, message: current.why },
      ...{ expiresAt: timeText(expiresAt), label: label?.name, readOnly: readOnly !== undefined },
    };
    const value = {
      ...Object.fromEntries(statusSchema.required.map((name) => [name, fields[name] ?? null])),
      ...(issuer !== undefined && { issuer }),
    };
    const facts = { hint: loginHint(before) };
    const failure = loggedIn ? undefined : new Failure('unauthenticated', why ?? 'You are not logged in.', facts);
    const { account = before.clientId } = before;
    const isOnly = isOnlyPlace({ ...before, base }, context);
    const where = isOnly ? `${new URL(base).host}${account ? ` as ${account}` : ''}` : placeWords({ ...before, base });
    const shown = { ...before, ...accepted, where, expiresAt: timeText(expiresAt), readOnly, label };
    const screen = (options: ScreenOptions) => statusText(shown, options);
    return { kind: 'record', value, id: 'profile', screen, ending: async () => failure };
  },
});

function loginHint({ source, hint, profile, flow }: SessionStatus): string {
  if (source === 'IIOT_TOKEN') return 'Set another one, or unset IIOT_TOKEN to use the login of the profile';
  return hint ?? `Run: ${loginCommand(profile, flow === 'm2m' ? 'm2m' : 'user')}`;
}

type ShownStatus = Omit<SessionStatus, 'expiresAt'> & {
  readonly where: string;
  readonly expiresAt: string | null;
  readonly accepted?: true;
  readonly readOnly: string | undefined;
  readonly label: Label | undefined;
};

/** The status as a paragraph for a terminal. Empty if nobody is logged in, because the error says that. */
function statusText(status: ShownStatus, { columns, now, paint }: ScreenOptions): string {
  if (!status.loggedIn) return '';
  const { source, profile, accepted, readOnly, label } = status;
  const origin = source === 'profile' ? `profile ${profile}` : source;
  const sentences = [
    `Logged in to ${status.where} (${origin}).`,
    validitySentence(status, now),
    ...(readOnly ? [`Read-only: every change is refused (${readOnly}).`] : []),
    ...(accepted ? ['The platform accepts the login.'] : []),
  ];
  const name = label ? `${paint[label.paint](label.text)}\n` : '';
  return `${name}${wrapWords(visible(sentences.join(' ')), columns).join('\n')}\n`;
}

function validitySentence({ expiresAt, renewable }: ShownStatus, now: number): string {
  if (expiresAt === null)
    return renewable ? 'Tokens are renewed automatically.' : 'When the token expires is not known.';
  const timeLeft = Date.parse(expiresAt) - now;
  if (timeLeft <= 0) return `The token has expired${renewable ? ' and is renewed with the next call' : ''}.`;
  return `The token expires in ${spanText(timeLeft)}${renewable ? ' and is renewed automatically' : ''}.`;
}

async function checkAccepted(context: Context): Promise<true> {
  const { makeTestCall } = await import('../doctor/login.ts');
  const { failure, isKnown } = await makeTestCall(context);
  if (failure && !isKnown) throw failure;
  return true;
}

export function timeText(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}

export const token = command({
  name: 'login token',
  without: { agents: 'its result is a secret', each: 'its result is a secret' },
  shell: { ends: refusals },
  reach: 'platform',
  summary: 'Print a valid access token',
  description:
    'Prints an access token and a newline, nothing else, and renews it first if it has expired. With -o or --jq on the command line, ' +
    'it is an object with its expiry; IIOT_OUTPUT and the profile do not change what is printed. Keep it private: anyone who has it can act as you.',
  examples: {
    'curl -H "Authorization: Bearer $(iiot login token)" https://platform.example/api/v1/oauth2/client-credentials':
      'For another program',
    'IIOT_TOKEN=$(iiot login token) make rollout': 'For a script, until it expires',
  },
  result: record('The token', {
    accessToken: text('Access token'),
    tokenType: text('How it is sent', { enum: ['Bearer'] }),
    expiresAt: textOrNull('When it expires; null if that is not known'),
  }),
  async run(_, context) {
    const session = await context.session();
    const { token: accessToken } = await session.bearer();
    const { output = 'table', json, jq, columns } = context.options;
    if (output === 'table' && !json && jq === undefined && !columns) return { kind: 'text', text: `${accessToken}\n` };
    const { expiresAt } = await session.status();
    return {
      kind: 'record',
      value: { accessToken, tokenType: 'Bearer', expiresAt: timeText(expiresAt) },
      id: 'accessToken',
    };
  },
});

export const refresh = command({
  name: 'login refresh',
  without: { agents: 'happens automatically' },
  shell: { ends: refusals },
  reach: 'platform',
  summary: 'Renew the login now',
  description: 'Renews the access token now, whether it has expired or not. A new refresh token replaces the old one.',
  examples: {
    'iiot login refresh': 'For two more hours',
    'iiot login refresh --profile robot': 'Of another profile',
  },
  result: record('What was renewed', {
    profile: text('Profile'),
    refreshed: boolean('True'),
    expiresAt: textOrNull('When the new token expires; null if that is not known'),
  }),
  async run(_, context) {
    const session = await context.session();
    await session.renew();
    const { expiresAt } = await session.status();
    const until = timeText(expiresAt);
    const profile = context.settings.profile.value;
    return {
      kind: 'done',
      value: { profile, refreshed: true, expiresAt: until },
      sentence: until === null ? 'Renewed the login' : `Renewed the login until ${until}`,
      id: 'profile',
    };
  },
});
