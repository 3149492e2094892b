import { isRecord, memberOf } from './page.ts';

/** What stands beside the answer itself in a wrapper, in small letters. */
const aroundIt = new Set([
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

/** What is inside a wrapper, ABP's `{"result": …, "success": true, "__abp": true}` or `{"data": …}`; the value itself where it is none. */
export function unwrapped(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const names = Object.keys(value).map((name) => name.toLowerCase());
  const holder = names.filter((name) => name === 'result' || name === 'data');
  const [only] = holder;
  return only !== undefined && holder.length === 1 && names.every((name) => aroundIt.has(name))
    ? memberOf(value, only)
    : value;
}

/** ABP wraps refusals too, and some platforms send them with a status of success. */
export function isWrappedRefusal(value: unknown): boolean {
  return isRecord(value) && value.__abp === true && memberOf(value, 'success') === false;
}
