/** What people look for and the interface does not have. Loaded only for an unknown command. */

/** The usual words for an operation, and how `iiot api` would call it on a platform that has it. */
const verbs: Readonly<Record<string, readonly [method: string, of: string]>> = {
  list: ['', ''],
  ls: ['', ''],
  get: ['', '/ID'],
  show: ['', '/ID'],
  create: ['POST ', ''],
  update: ['PATCH ', '/ID'],
  delete: ['DELETE ', '/ID'],
  rm: ['DELETE ', '/ID'],
};

const inConsole = (what: string) => `You find ${what} in the platform's web console`;

/** By the words before the verb: where a platform may have it, and what there is instead. A command that exists never gets here. */
const resources: Readonly<Record<string, readonly [path: string, instead: string]>> = {
  orgs: ['/api/v1/orgs', inConsole('organizations and their IDs')],
  'orgs users': ['/api/v1/orgs/{orgId}/users', 'See everybody with: iiot orgs users list --all -o json'],
  devices: ['/platform/solutions/api/v1/devices', inConsole('devices and their IDs')],
  'devices custom-info': ['/platform/solutions/api/v1/devices/ID/custom-info', inConsole('the values of a device')],
  policies: ['/api/v1/orgs/{orgId}/alert-policies', inConsole('alert policies and their IDs')],
  templates: ['/api/v1/orgs/{orgId}/notifications/templates', 'See them with: iiot templates list --all -o json'],
  channels: ['/api/v1/orgs/{orgId}/notifications/channels', inConsole('channels and their IDs')],
  batches: ['/api/v1/orgs/{orgId}/batches', inConsole('batches and their IDs')],
  credentials: ['/api/v1/oauth2/client-credentials', 'See them with: iiot credentials list --all -o json'],
};

/** What to do instead of a command that the interface has no operation for; undefined for any other word. */
export function insteadOf(group: string, word: string): string | undefined {
  const resource = Object.hasOwn(resources, group) ? resources[group] : undefined;
  const verb = Object.hasOwn(verbs, word) ? verbs[word] : undefined;
  if (!resource || !verb) return undefined;
  const [path, instead] = resource;
  const [method, of] = verb;
  return `${instead}. If your platform has such an operation: iiot api ${method}${path}${of}`;
}
