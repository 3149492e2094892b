import { isRecord, memberOf } from './record.ts';

/** The name of a member of a wrapper, such as `{"result": …, "success": true, "error": null}`. */
const wrapperMember =
  /^(result|data|success|succeeded|issuccess|error|errors|code|status|statuscode|message|msg|targeturl|unauthorizedrequest|__abp|traceid|requestid|timestamp)$/i;

const verdicts: ReadonlySet<string> = new Set(['success', 'succeeded', 'issuccess']);

/**
 * Whether a JSON value reports a failure, whatever the status: `{"success": false, "error": …}` and similar forms. A record with a field `success` of its
 * own does not count: a failure has an error, or no other members than a wrapper.
 */
export function saysItFailed(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const members = Object.entries(value).map(([name, member]) => [name.toLowerCase(), member] as const);
  if (!members.some(([name, member]) => verdicts.has(name) && member === false)) return false;
  return (
    members.some(([name, member]) => namesError(name, member)) || members.every(([name]) => wrapperMember.test(name))
  );
}

function namesError(name: string, member: unknown): boolean {
  if (name === '__abp') return member === true;
  if (name !== 'error' && name !== 'errors') return false;
  return Array.isArray(member) ? member.length > 0 : Boolean(member);
}

/** Whether a response of ABP says that nobody is logged in. */
export function saysNotLoggedIn(value: unknown): boolean {
  return isRecord(value) && memberOf(value, 'unAuthorizedRequest') === true;
}

/** The content of a wrapper, such as ABP's `{"result": …, "success": true, "__abp": true}` or `{"data": …}`; any other value as it is. */
export function unwrapEnvelope(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const names = Object.keys(value);
  const [only, ...others] = names.filter((name) => /^(result|data)$/i.test(name));
  const isWrapper = only !== undefined && others.length === 0 && names.every((name) => wrapperMember.test(name));
  return isWrapper ? value[only] : value;
}
