import type * as contract from '../../contract/devices.ts';
import { fieldsOf } from '../../text/record.ts';
import { type Handler, notFound, Refusal } from '../handler.ts';

/** "keys that do not exist are created; existing keys are overwritten with the new values"; all others stay. */
export const setCustomInfo: Handler<typeof contract.setCustomInfo> = ({ deviceId, body }, { world, caller }) => {
  const device = world.devices.get(deviceId);
  if (!device) throw notFound('Device', deviceId);
  // "Tenant-scoped; optional scopes and deviceIds": a credential with device IDs can access only those. The interface does not show the status for
  // other devices.
  const limit = caller.kind === 'machine' ? caller.credential.deviceIds : [];
  if (limit.length > 0 && !limit.includes(deviceId)) {
    throw new Refusal(403, 'Devices:NotOfCredential', 'The client credential is limited to other devices.');
  }
  for (const [key, value] of fieldsOf(body)) device.customInfo.set(key, value as string | null); // checked by the contract
  return { status: 204 };
};
