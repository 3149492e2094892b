import { loginCommand } from '../auth/login-failures.ts';
import type { SessionStatus } from '../auth/session.ts';
import { command } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { type Label, labelOf } from '../command/label.ts';
import { baseUrl } from '../command/target.ts';
import { Failure } from '../failure.ts';
import { spanText } from '../output/brief.ts';
import type { ScreenOptions } from '../output/result.ts';
import { wrapWords } from '../output/text-width.ts';
import { visible } from '../text/visible.ts';

export const status = command({
  name: 'login status',
  reach: 'organization',
  summary: 'Show who is logged in, where, and for how long',
  description:
    'Shows who is logged in to which platform, by which flow, when the access token expires and whether it can be renewed. ' +
    'Nothing is sent, unless --check asks the platform whether it accepts the login. The exit code is 3 if nobody is logged in.',
  flags: { check: { type: 'boolean', description: 'Ask the platform' } },
  examples: [
    { line: 'iiot login status', says: 'Who am I?' },
    { line: 'iiot login status --check -o json', says: 'Does the platform agree?' },
  ],
  result: {
    type: 'object',
    description: 'Who is logged in; fields that do not apply are left out',
    required: ['baseUrl', 'signedIn', 'source', 'profile', 'renewable', 'expiresAt'],
    properties: {
      baseUrl: { type: 'string', description: 'Address of the platform' },
      signedIn: { type: 'boolean', description: 'Whether there is a usable login for it' },
      why: { type: 'string', description: 'Why not, or why it cannot be renewed any more' },
      source: { type: 'string', enum: ['IIOT_TOKEN', 'IIOT_CLIENT_ID', 'profile'], description: 'Where it comes from' },
      profile: { type: 'string', description: 'Profile' },
      flow: { type: 'string', enum: ['token', 'user', 'm2m'], description: 'A bare token, a person, or a machine' },
      account: { type: 'string', description: 'Email of the account' },
      clientId: { type: 'string', description: 'Client ID' },
      renewable: { type: 'boolean', description: 'Whether a new token can be requested without a person' },
      expiresAt: { type: ['string', 'null'], description: 'When the token expires; null if that is not known' },
      readOnly: { type: 'boolean', description: 'True if every change is refused' },
      label: { type: 'string', description: 'The label of the profile' },
      accepted: { type: 'boolean', description: 'Whether the platform accepts it, with --check' },
    },
  },
  async run({ check }, context) {
    const base = baseUrl(context);
    const session = await context.session();
    const before = await session.status();
    const { signedIn, why } = before;
    const accepted = check && signedIn ? { accepted: await isAccepted(context) } : {};
    // The check renews an expired token.
    const { expiresAt, base: _base, ...known } = check && signedIn ? await session.status() : before;
    const present = Object.entries(known).filter(([, fact]) => fact !== undefined);
    const { readOnly } = context.settings;
    const label = labelOf(context.settings);
    const held = { ...(readOnly && { readOnly: true }), ...(label && { label: label.name }) };
    const value = {
      baseUrl: base,
      ...Object.fromEntries(present),
      expiresAt: timeText(expiresAt),
      ...held,
      ...accepted,
    };
    const nobody = signedIn
      ? undefined
      : new Failure('unauthenticated', why ?? 'You are not logged in.', {
          hint: `Run: ${loginCommand(before.profile, before.flow === 'm2m' ? 'm2m' : 'user')}`,
        });
    const screen = (options: ScreenOptions) => statusText({ ...before, ...value, readOnly, label }, options);
    return { kind: 'record', value, id: 'profile', screen, ending: async () => nobody };
  },
});

type ShownStatus = Omit<SessionStatus, 'expiresAt'> & {
  readonly baseUrl: string;
  readonly expiresAt: string | null;
  readonly accepted?: true;
  readonly readOnly: string | undefined;
  readonly label: Label | undefined;
};

/** Two or three sentences; empty if not logged in, because the error says so. */
function statusText(status: ShownStatus, { columns, now, paint }: ScreenOptions): string {
  if (!status.signedIn) return '';
  const { baseUrl: base, source, profile, accepted, readOnly, label } = status;
  const as = status.account ?? status.clientId;
  const where = source === 'profile' ? `profile ${profile}` : source;
  const sentences = [
    `Logged in to ${new URL(base).host}${as === undefined ? '' : ` as ${as}`} (${where}).`,
    validity(status, now),
    ...(readOnly ? [`Read-only: every change is refused (${readOnly}).`] : []),
    ...(accepted ? ['The platform accepts the login.'] : []),
  ];
  const name = label ? `${paint[label.paint](label.text)}\n` : '';
  return `${name}${wrapWords(visible(sentences.join(' ')), columns).join('\n')}\n`;
}

function validity({ expiresAt, renewable }: ShownStatus, now: number): string {
  if (expiresAt === null)
    return renewable ? 'Tokens are renewed automatically.' : 'It is not known when the token expires.';
  const left = Date.parse(expiresAt) - now;
  if (left <= 0) return 'The token has expired and is renewed with the next call.';
  return `The token expires in ${spanText(left)}${renewable ? ' and is renewed automatically' : ''}.`;
}

async function isAccepted(context: Context): Promise<true> {
  const { testCall } = await import('../doctor/login.ts');
  const { failure, isKnown } = await testCall(context);
  if (failure && !isKnown) throw failure;
  return true;
}

/** A time in a result; null if it is not known. */
export function timeText(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}

export const token = command({
  name: 'login token',
  withheld: 'its result is a secret',
  alone: 'its result is a secret',
  reach: 'platform',
  summary: 'Print a valid access token',
  description:
    'Prints an access token and a newline, nothing else, and renews it first if it has expired. Keep it private: anyone who has it can ' +
    'act as you.',
  examples: [
    {
      line: 'curl -H "Authorization: Bearer $(iiot login token)" https://platform.example/api/v1/oauth2/client-credentials',
      says: 'For another program',
    },
    { line: 'IIOT_TOKEN=$(iiot login token) make rollout', says: 'For a script, until it expires' },
  ],
  result: { type: 'string', description: 'Only the access token, in every format' },
  async run(_, context) {
    const bearer = await (await context.session()).bearer();
    return { kind: 'text', text: `${bearer.token}\n` };
  },
});

export const refresh = command({
  name: 'login refresh',
  withheld: 'happens automatically',
  reach: 'platform',
  summary: 'Renew the login now',
  description: 'Renews the access token now, whether it has expired or not. A new refresh token replaces the old one.',
  examples: [
    { line: 'iiot login refresh', says: 'Two hours more' },
    { line: 'iiot login refresh --profile robot', says: 'Of another profile' },
  ],
  result: {
    type: 'object',
    description: 'What was renewed',
    required: ['profile', 'refreshed', 'expiresAt'],
    properties: {
      profile: { type: 'string', description: 'Profile' },
      refreshed: { type: 'boolean', description: 'True' },
      expiresAt: { type: ['string', 'null'], description: 'When the new token expires; null if that is not known' },
    },
  },
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
