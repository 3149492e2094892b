import { isRecord, memberOf } from './record.ts';

/** Members beside the content in a wrapper, in lower case: `{"result": …, "success": true, "error": null}`. */
const wrapperMembers: ReadonlySet<string> = new Set([
  'result',
  'data',
  'success',
  'succeeded',
  'issuccess',
  'error',
  'errors',
  'code',
  'status',
  'statuscode',
  'message',
  'msg',
  'targeturl',
  'unauthorizedrequest',
  '__abp',
  'traceid',
  'requestid',
  'timestamp',
]);

const verdicts: ReadonlySet<string> = new Set(['success', 'succeeded', 'issuccess']);

/**
 * Whether a JSON value reports a failure, whatever the status: `{"success": false, "error": …}` and similar forms. A record that happens to have a
 * field `success` does not count: a failure has an error, or is nothing but a wrapper.
 */
export function saysItFailed(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const members = Object.entries(value).map(([name, member]) => [name.toLowerCase(), member] as const);
  if (!members.some(([name, member]) => verdicts.has(name) && member === false)) return false;
  return (
    members.some(([name, member]) => namesError(name, member)) || members.every(([name]) => wrapperMembers.has(name))
  );
}

function namesError(name: string, member: unknown): boolean {
  if (name === '__abp') return member === true;
  if (name !== 'error' && name !== 'errors') return false;
  return Array.isArray(member) ? member.length > 0 : Boolean(member);
}

/** ABP sends this if nobody is logged in. */
export function saysNotLoggedIn(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).some(([name, member]) => /^unauthorizedrequest$/i.test(name) && member === true)
  );
}

/** The content of a wrapper, such as ABP's `{"result": …, "success": true, "__abp": true}` or `{"data": …}`; any other value as it is. */
export function unwrapEnvelope(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const names = Object.keys(value).map((name) => name.toLowerCase());
  const holder = names.filter((name) => name === 'result' || name === 'data');
  const [only] = holder;
  return only !== undefined && holder.length === 1 && names.every((name) => wrapperMembers.has(name))
    ? memberOf(value, only)
    : value;
}
