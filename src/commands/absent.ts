/** What people look for and the interface does not have. Loaded only for an unknown command. */

/** Commands of other tools, and their names here. */
export const familiar: Readonly<Record<string, string>> = {
  whoami: 'login status',
  auth: 'login',
  signin: 'login',
  'sign-in': 'login',
  signout: 'logout',
  users: 'orgs users list',
  organizations: 'orgs',
  config: 'profiles',
  configure: 'profiles set',
  context: 'profiles',
  alerts: 'policies',
  request: 'api',
};

/** The usual words for an operation, and how `iiot api` would call it on a platform that has it at *. */
const verbs: Readonly<Record<string, string>> = {
  list: '*',
  ls: '*',
  get: '*/ID',
  show: '*/ID',
  create: 'POST *',
  update: 'PATCH */ID',
  delete: 'DELETE */ID',
  rm: 'DELETE */ID',
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
  if (!Object.hasOwn(resources, group) || !Object.hasOwn(verbs, word)) return undefined;
  const [path = '', instead] = resources[group] ?? [];
  return `${instead}. If your platform has such an operation: iiot api ${verbs[word]?.replace('*', path)}`;
}
