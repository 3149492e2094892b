import { latest, toUtc } from '../../command/time.ts';
import { type Failure, usage } from '../../failure.ts';
import { spanText } from '../../output/brief.ts';
import { fieldsOf, type JsonRecord, memberOf } from '../../text/record.ts';
import { credentialFacts, expiresAt, sameExpiry } from './fields.ts';

type Print = (line: string) => void;
type Prints = { readonly print: Print; readonly warn: Print; readonly soon: (failure: Failure) => void };

const [hour, tenthOfYear] = [3_600_000, 36.5 * 86_400_000];

/**
 * The body of a successor: the given fields, and the rest from the old credential. The interface does not show which fields the list
 * returns, so missing ones are reported.
 * @param now epoch milliseconds
 * @param warn says what the successor does not have because the old one did not show it: it may be allowed more
 * @param soon takes a failure that only a person may ignore: the successor has little time left
 * @throws usage if the name has to be given, or if the expiry is in the past
 */
export function successorOf(old: JsonRecord, given: object, now: number, prints: Prints): object {
  const { warn } = prints;
  const fields = fieldsOf(given);
  const copied = {
    name: fields.has('name') ? undefined : nameOf(old),
    scopes: fields.has('scopes') ? undefined : listOf('scopes', '--scope', old, warn),
    deviceIds: fields.has('deviceIds') ? undefined : listOf('deviceIds', '--device-id', old, warn),
    expiredAt: fields.has('expiredAt') ? undefined : expiryOf(old, now, prints),
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

function expiryOf(old: JsonRecord, now: number, { print, warn, soon }: Prints): string | undefined {
  const returned = memberOf(old, 'expiredAt');
  const expiry = returned === undefined ? undefined : sameExpiry(returned);
  if (expiry === undefined) {
    warn(
      'The platform does not return when the old one expires: the successor never expires unless you give --expires.',
    );
    return undefined;
  }
  if (expiry === null) return undefined;
  const end = Date.parse(expiry);
  const lifetime = end - (expiresAt(memberOf(old, 'createdAt')) ?? end);
  if (lifetime > 0) {
    const renewed = toUtc(Math.min(Math.ceil((now + lifetime) / 1000) * 1000, latest));
    // The clocks of the platform and of whoever created it differ by some seconds.
    const span = spanText(Math.round(lifetime / hour) * hour || lifetime);
    print(`The successor has the old one's lifetime of ${span} and expires ${renewed}; use --expires to change that.`);
    return renewed;
  }
  const sentence =
    end <= now
      ? `The old one has expired (${expiry}), and so would its successor.`
      : `The successor expires as the old one does, in ${spanText(end - now)} (${expiry}).`;
  const failure = usage(sentence, 'Give --expires DURATION, or --expires never', [
    { option: '--expires', message: 'is required' },
  ]);
  if (end <= now) throw failure;
  if (end - now < tenthOfYear) soon(failure);
  else print(`${sentence} Use --expires to change that.`);
  return expiry;
}
