import { isRecord, memberOf } from '../text/record.ts';
import { wrapperMembers } from '../text/wrapper.ts';

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
