import { placeOfLogin } from '../../auth/login-place.ts';
import type { Context } from '../../command/context.ts';
import { placeOf } from '../../command/place.ts';
import { baseUrl } from '../../command/target.ts';
import { readExpiry, toUtc } from '../../command/time.ts';
import { utcTime } from '../../contract/formats.ts';
import { text } from '../../contract/shared.ts';
import { ignoreFailure, usage } from '../../failure.ts';
import type { Column } from '../../output/result.ts';
import { sameTenant } from '../../place.ts';
import type { Login } from '../../store/credentials.ts';
import { groupDigits } from '../../text/group-digits.ts';
import { fieldsOf, isLongNumber, isRecord, type JsonRecord, memberOf } from '../../text/record.ts';
import { soundsSecret } from '../../text/secret-names.ts';

export const credentialColumns: readonly Column[] = [
  { field: 'clientCredentialId', header: 'CREDENTIAL ID', keep: 'whole' },
  { field: 'name', header: 'NAME' },
  { field: 'clientId', header: 'CLIENT ID', keep: 'whole', dropOrder: 4 },
  { field: 'createdAt', header: 'CREATED', keep: 'whole', shows: 'time', dropOrder: 1 },
  { field: 'expiredAt', header: 'EXPIRES', keep: 'whole', shows: 'time' },
  { field: 'scopes', header: 'SCOPES', dropOrder: 3 },
  { field: 'deviceIds', header: 'DEVICES', dropOrder: 2 },
];

export type CredentialFacts = ReturnType<typeof credentialFacts>;

/** The identifying fields of a client credential; a platform may spell their names differently from the interface. */
export function credentialFacts(record: JsonRecord) {
  return {
    id: textOrNumber(record, 'clientCredentialId') ?? textOrNumber(record, 'id'),
    clientId: textOrNumber(record, 'clientId'),
    name: textOrNumber(record, 'name'),
    createdAt: textOrNumber(record, 'createdAt'),
    expiredAt: textOrNumber(record, 'expiredAt'),
  };
}

/** Longer than any header or form accepts. */
const longestSecret = 16_384;

/** "clientSecret: returned only once, at creation." Undefined if it cannot be a secret. */
export function secretIn(record: JsonRecord): string | undefined {
  const secret = textOrNumber(record, 'clientSecret') ?? textOrNumber(record, 'secret');
  return secret !== undefined && secret.length <= longestSecret ? secret : undefined;
}

/** A copy of the value without fields named like a secret, at any depth, and without the secret itself anywhere. */
export function withoutSecrets(value: unknown, secret?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, secret));
  if (typeof value === 'string') return secret !== undefined && value.includes(secret) ? '***' : value;
  if (!isRecord(value) || isLongNumber(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !soundsSecret(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutSecrets(inner, secret)]));
}

/** A text, or a number, which some platforms use for names and ids. */
function textOrNumber(record: JsonRecord, name: string): string | undefined {
  const found = memberOf(record, name);
  if (typeof found === 'number' || typeof found === 'bigint') return String(found);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

export const expiresFlag = text(
  'When it expires, for example 90d, or 2027-01-31 for the start of that day in UTC (default: never)',
  { flag: 'expires', value: 'DURATION|TIME' },
);

type ExpiryInput = { readonly expiredAt?: string | null | undefined; readonly bodyFile?: string };

/** Parses --expires here, because the platform accepts only a time; `now` is the platform's, once it is known. @throws usage */
export function withExpiry(body: object, { expiredAt, bodyFile }: ExpiryInput, context: Context, now?: number): object {
  if (expiredAt === undefined) return body;
  if (bodyFile !== undefined)
    throw usage('--body-file is the whole body and cannot be combined with --expires.', 'Give one or the other');
  const never = expiredAt === null || expiredAt === 'never';
  const notice = now === undefined ? context.notice : () => undefined;
  const time = never ? null : readExpiry(expiredAt, '--expires', now ?? context.world.now(), notice);
  return { ...body, expiredAt: time };
}

const year = 31_556_952_000;

/** What to ask about an expiry that is hardly meant, in a sentence; a note where nobody is asked. */
export function farExpiry(body: object, { expiredAt }: ExpiryInput, { world, options, notice }: Context) {
  const end = fieldsOf(body).get('expiredAt');
  const years = Math.floor(((expiresAt(end) ?? 0) - world.now()) / year);
  if (years < 50) return undefined;
  const [, buddhist] = /^(2[4-6]\d\d|2700)-/.exec(String(expiredAt ?? end)) ?? [];
  const perhaps =
    buddhist && Number(buddhist) - 543 >= new Date(world.now()).getUTCFullYear()
      ? `: ${buddhist} looks like the Buddhist year of ${Number(buddhist) - 543}`
      : '';
  const doubt = `It expires in ${groupDigits(years)} years${perhaps}.`;
  if (options.dryRun || options.yes) notice(`Note: ${doubt}`);
  return doubt;
}

/** When a listed credential expires, in epoch milliseconds. Undefined if it never expires, or if the value is not a time. */
export function expiresAt(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const time = utcTime(value);
  return Number.isNaN(time) ? undefined : time;
}

/** The expiry of one credential for another, as it is sent: null for never, undefined if it cannot be read. */
export function sameExpiry(value: unknown): string | null | undefined {
  if (value === null || value === undefined) return null;
  const time = expiresAt(value);
  return time === undefined ? undefined : toUtc(time);
}

/**
 * Finds what uses it on this machine, without asking the platform: the profiles that are logged in with it, and the variable with which this command
 * itself does. A client ID, which the platform's list contains, is of one credential of a platform. The credential's own ID may be another one's in
 * another tenant; a login has it if this tool created the credential.
 */
export async function usesOf({ id, clientId }: CredentialFacts, context: Context) {
  const here = await placeOf(context);
  const using = machineLogins(context).filter(({ login }) => {
    const tenant = sameTenant(here, placeOfLogin(login));
    const { clientCredentialId: own } = login;
    if (clientId === undefined) return own === id && tenant === 'same';
    return login.clientId === clientId && (own ?? id) === (id ?? own) && tenant !== 'other';
  });
  const { source, clientId: own } = await (await context.session()).status();
  const isOwn = clientId !== undefined && own === clientId && source !== 'profile';
  return { profiles: using.map(({ name }) => name), variable: isOwn ? source : undefined };
}

/** The profiles that are logged in as a machine on the command's platform, with their logins. */
export function machineLogins(context: Context): readonly { readonly name: string; readonly login: Login }[] {
  const { store, settings } = context;
  const base = baseUrl(context);
  const names = ignoreFailure(() => Object.keys(store.readConfig().profiles)) ?? [];
  return [...new Set([settings.profile.value, ...names])].flatMap((name) => {
    const login = ignoreFailure(() => store.readLogin(name));
    return login?.flow === 'm2m' && login.base === base ? [{ name, login }] : [];
  });
}

/** What the user should know before it is deleted, each in a sentence. */
export function describeUse(
  { profiles, variable }: Awaited<ReturnType<typeof usesOf>>,
  { id = '', name: title }: CredentialFacts,
  context: Context,
): readonly string[] {
  const which = `client credential ${id}${title === undefined ? '' : ` ("${title}")`}`;
  const own = context.settings.profile.value;
  const lines = profiles.map((name) =>
    name === own && !variable
      ? `The login in use, of profile ${name}, is ${which}.`
      : `Profile ${name} is logged in with ${which}.`,
  );
  if (variable) lines.unshift(`The login in use, from ${variable}, is ${which}.`);
  return lines.length > 0 ? lines : [`No profile for ${baseUrl(context)} uses ${which}; other machines may.`];
}
