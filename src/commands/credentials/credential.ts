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

export type CredentialFacts = {
  readonly [K in 'id' | 'clientId' | 'name' | 'createdAt' | 'expiredAt']: string | undefined;
};

/** Reads the fields that identify a client credential, however the platform spells their names. */
export function credentialFacts(record: JsonRecord): CredentialFacts {
  return {
    id: textIn(record, 'clientCredentialId') ?? textIn(record, 'id'),
    clientId: textIn(record, 'clientId'),
    name: textIn(record, 'name'),
    createdAt: textIn(record, 'createdAt'),
    expiredAt: textIn(record, 'expiredAt'),
  };
}

/** In characters: longer than any header or form accepts. */
const longestSecret = 16_384;

/** The secret in the response to a creation; undefined if there is none that could be used. */
export function clientSecretIn(record: JsonRecord): string | undefined {
  const secret = textIn(record, 'clientSecret') ?? textIn(record, 'secret');
  return secret !== undefined && secret.length <= longestSecret ? secret : undefined;
}

/** Copies a value without fields that sound like a secret, at any depth. Texts that contain `secret` become `***`. */
export function removeSecrets(value: unknown, secret?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => removeSecrets(item, secret));
  if (typeof value === 'string') return secret !== undefined && value.includes(secret) ? '***' : value;
  if (!isRecord(value) || isLongNumber(value)) return value;
  const harmless = Object.entries(value).filter(([name]) => !soundsSecret(name));
  return Object.fromEntries(harmless.map(([name, inner]) => [name, removeSecrets(inner, secret)]));
}

/** A field as text. Some platforms use numbers for names and IDs. */
function textIn(record: JsonRecord, name: string): string | undefined {
  const value = memberOf(record, name);
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export const expiresFlag = text(
  'When it expires, for example 90d, or 2027-01-31 for the start of that day in UTC (default: never)',
  { flag: 'expires', value: 'DURATION|TIME' },
);

type ExpiryInput = { readonly expiredAt?: string | null | undefined; readonly bodyFile?: string };

/** Replaces a duration of --expires by a time, which is all that the platform accepts. @param now the platform's time, once it is known @throws usage */
export function withExpiry(body: object, { expiredAt, bodyFile }: ExpiryInput, context: Context, now?: number): object {
  if (expiredAt === undefined) return body;
  if (bodyFile !== undefined)
    throw usage('--body-file is the whole body and cannot be combined with --expires.', 'Give one or the other');
  const never = expiredAt === null || expiredAt === 'never';
  const notice = now === undefined ? context.notice : () => undefined;
  const time = never ? null : readExpiry(expiredAt, '--expires', now ?? context.world.now(), notice);
  return { ...body, expiredAt: time };
}

const yearInMilliseconds = 31_556_952_000;

/** A sentence about an expiry that is suspiciously far away, to ask about. If nobody is asked, it is also printed as a note. */
export function noteFarExpiry(body: object, { expiredAt }: ExpiryInput, { world, options, notice }: Context) {
  const end = fieldsOf(body).get('expiredAt');
  const years = Math.floor(((timeIn(end) ?? 0) - world.now()) / yearInMilliseconds);
  if (years < 50) return undefined;
  const [, buddhist] = /^(2[4-6]\d\d|2700)-/.exec(String(expiredAt ?? end)) ?? [];
  const guess =
    buddhist && Number(buddhist) - 543 >= new Date(world.now()).getUTCFullYear()
      ? `: ${buddhist} looks like the Buddhist year of ${Number(buddhist) - 543}`
      : '';
  const doubt = `It expires in ${groupDigits(years)} years${guess}.`;
  if (options.dryRun || options.yes) notice(`Note: ${doubt}`);
  return doubt;
}

/** A time of a credential in epoch milliseconds; undefined if the value is not a time, such as an expiry of null. */
export function timeIn(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const time = utcTime(value);
  return Number.isNaN(time) ? undefined : time;
}

/** Converts a listed expiry into one to send: null for never, undefined if it cannot be read. */
export function expiryToSend(value: unknown): string | null | undefined {
  if (value === null || value === undefined) return null;
  const time = timeIn(value);
  return time === undefined ? undefined : toUtc(time);
}

type CredentialUses = { readonly profiles: readonly string[]; readonly variable: string | undefined };

/**
 * Finds what uses a credential on this machine: the profiles that are logged in with it, and the variable that gives it to this command. Sends
 * nothing. A client ID is unique on a platform. A credential's own ID is only unique in its tenant, and a login has it only if this tool created
 * the credential.
 */
export async function findUses({ id, clientId }: CredentialFacts, context: Context): Promise<CredentialUses> {
  const here = await placeOf(context);
  const using = readMachineLogins(context).filter(({ login }) => {
    const tenant = sameTenant(here, placeOfLogin(login));
    const { clientCredentialId: own } = login;
    if (clientId === undefined) return own === id && tenant === 'same';
    return login.clientId === clientId && (own ?? id) === (id ?? own) && tenant !== 'other';
  });
  const { source, clientId: own } = await (await context.session()).status();
  const isOwn = clientId !== undefined && own === clientId && source !== 'profile';
  return { profiles: using.map(({ name }) => name), variable: isOwn ? source : undefined };
}

/** Reads the logins of the profiles that are logged in as a machine on the command's platform. */
export function readMachineLogins(context: Context): readonly { readonly name: string; readonly login: Login }[] {
  const { store, settings } = context;
  const base = baseUrl(context);
  const names = ignoreFailure(() => Object.keys(store.readConfig().profiles)) ?? [];
  return [...new Set([settings.profile.value, ...names])].flatMap((name) => {
    const login = ignoreFailure(() => store.readLogin(name));
    return login?.flow === 'm2m' && login.base === base ? [{ name, login }] : [];
  });
}

/** Sentences for the user, before a credential is deleted, on what uses it. */
export function describeUse(
  { profiles, variable }: CredentialUses,
  { id = '', name: title }: CredentialFacts,
  context: Context,
): readonly string[] {
  const credential = `client credential ${id}${title === undefined ? '' : ` ("${title}")`}`;
  const ownProfile = context.settings.profile.value;
  const lines = profiles.map((name) =>
    name === ownProfile && !variable
      ? `The login in use, of profile ${name}, is ${credential}.`
      : `Profile ${name} is logged in with ${credential}.`,
  );
  if (variable) lines.unshift(`The login in use, from ${variable}, is ${credential}.`);
  return lines.length > 0 ? lines : [`No profile for ${baseUrl(context)} uses ${credential}; other machines may.`];
}
