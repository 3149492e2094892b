import { operation } from './operation.ts';
import { inPath } from './shared.ts';

export const setCustomInfo = operation({
  id: 'devices.customInfo.set',
  summary: "Set keys of a device's custom information",
  description:
    "Creates the keys that the device's custom information does not have and overwrites those it has. Keys that are not named stay as they are. " +
    'A value may be null. An overwritten value cannot be restored.',
  method: 'PUT',
  path: '/platform/solutions/api/v1/devices/{deviceId}/custom-info',
  security: 'bearer',
  params: { deviceId: inPath('Device') },
  body: {
    type: 'object',
    description: 'Keys and their values, strings or null',
    additionalProperties: { type: ['string', 'null'], description: 'Value' },
  },
  responses: { 204: 'Keys created or overwritten', 404: 'Device not found' },
});
