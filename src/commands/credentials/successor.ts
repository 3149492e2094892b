import { usage } from '../../failure.ts';
import { fieldsOf, type JsonRecord, memberOf } from '../../text/record.ts';
import { credentialFacts, sameExpiry } from './fields.ts';

type Print = (line: string) => void;
type Prints = { readonly print: Print; readonly warn: Print };

/**
 * The body of a successor: the given fields, and the rest from the old credential. The interface does not show which fields the list
 * returns, so missing ones are reported.
 * @param now epoch milliseconds
 * @param warn says what the successor does not have because the old one did not show it: it may be allowed more
 * @throws usage if the name has to be given, or if the expiry is in the past
 */
export function successorOf(old: JsonRecord, given: object, now: number, { print, warn }: Prints): object {
  const fields = fieldsOf(given);
  const copied = {
    name: fields.has('name') ? undefined : nameOf(old),
    scopes: fields.has('scopes') ? undefined : listOf('scopes', '--scope', old, warn),
    deviceIds: fields.has('deviceIds') ? undefined : listOf('deviceIds', '--device-id', old, warn),
    expiredAt: fields.has('expiredAt') ? undefined : expiryOf(old, now, { print, warn }),
  };
  const present = Object.entries(copied).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(present), ...Object.fromEntries(fields) };
}

function nameOf(old: JsonRecord): string {
  const { name } = credentialFacts(old);
  if (name !== undefined) return name;
  throw usage("The platform does not return the old one's name.", 'Give the name of the successor with --name', [
    { option: '--name', message: 'is required' },
  ]);
}

function listOf(
  field: 'scopes' | 'deviceIds',
  option: string,
  old: JsonRecord,
  warn: Print,
): readonly string[] | undefined {
  const value = memberOf(old, field);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.length > 0 ? value : undefined;
  if (value !== null)
    warn(`The platform does not return the ${field} of the old one: the successor has what ${option} gives.`);
  return undefined;
}

function expiryOf(old: JsonRecord, now: number, { print, warn }: Prints): string | undefined {
  const returned = memberOf(old, 'expiredAt');
  const expiry = returned === undefined ? undefined : sameExpiry(returned);
  if (expiry === undefined) {
    warn(
      'The platform does not return when the old one expires: the successor never expires unless you give --expires.',
    );
    return undefined;
  }
  if (expiry === null) return undefined;
  if (Date.parse(expiry) <= now) {
    throw usage(
      `The old one has expired (${expiry}), and so would its successor.`,
      'Give --expires DURATION, or --expires never',
      [{ option: '--expires', message: 'is required' }],
    );
  }
  print(`The successor expires as the old one does (${expiry}); use --expires to change that.`);
  return expiry;
}
