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
  policy: 'policies',
  'alert-policies': 'policies',
  batch: 'batches',
  user: 'orgs users',
  'client-credentials': 'credentials',
  'notification-templates': 'templates',
  'auth logout': 'logout',
  import: 'devices custom-info import',
  'orgs use': 'profiles set NAME org=ID',
  request: 'api',
  status: 'login status',
  tokens: 'login token',
  secrets: 'credentials',
  logs: 'history',
  notifications: 'templates',
  'custom-info': 'devices custom-info',
  'channels enable': 'channels update CHANNEL-ID --enabled',
  'channels disable': 'channels update CHANNEL-ID --disabled',
  'credentials revoke': 'credentials delete',
  'policies rename': 'policies update POLICY-ID --name NAME',
  'templates rename': 'templates update TEMPLATE-ID --name NAME',
  'channels rename': 'channels update CHANNEL-ID --name NAME',
  'templates apply': 'templates push',
  'templates export': 'templates pull',
  'templates validate': 'templates push DIR --dry-run',
  'templates render': 'templates preview',
  'templates rollback': 'templates push',
  'sandbox run': 'sandbox exec',
  'history list': 'history',
  'history ls': 'history',
  'profiles create': 'profiles set NAME KEY=VALUE',
  'profiles add': 'profiles set NAME KEY=VALUE',
  'profiles get': 'profiles show',
  'profiles describe': 'profiles show',
  'batches validate': 'batches cron EXPRESSION',
  'history get': 'history show',
};

/** Options of other tools, and what they may be here: the first that the command has. */
export const familiarOptions: Readonly<Record<string, readonly string[]>> = {
  '--paginate': ['--all'],
  '--page': ['--skip'],
  '--per-page': ['--page-size'],
  '--offset': ['--skip'],
  '--max': ['--limit'],
  '--sort-by': ['--sort'],
  '--order-by': ['--sort'],
  '--search': ['--name'],
  '--format': ['--output'],
  '--yaml': ['--output'],
  '--csv': ['--output'],
  '--query': ['--query-param', '--jq'],
  '--filter': ['--jq'],
  '--fields': ['--columns'],
  '--schedule': ['--cron'],
  '--threshold': ['--alert-level'],
  '--expires-in': ['--expires'],
  '--expires-at': ['--expires'],
  '--expiration': ['--expires'],
  '--type': ['--channel-type'],
  '--content-type': ['--channel-type', '--header'],
  '--parallel': ['--concurrency'],
  '--timeout': ['--settings-timeout', '--request-timeout'],
  '--organization': ['--org'],
  '--org-id': ['--org'],
  '--context': ['--profile'],
  '--url': ['--base-url'],
  '--host': ['--base-url'],
  '--port': ['--base-url'],
  '--insecure': ['--ca-file'],
  '--input': ['--body-file'],
  '--data': ['--body-file'],
  '-d': ['--body-file'],
  '--confirm': ['--org-name', '--yes'],
  '--force': ['--org-name', '--yes'],
  '--client': ['--client-id'],
  '--sort': [],
  '--watch': [],
  '--set': [],
  '--export': [],
  '--date': [],
};

/** The usual words for an operation, and how `iiot api` would call it on a platform that has it at *. */
const verbs: Readonly<Record<string, string>> = {
  list: '*',
  ls: '*',
  get: '*/ID',
  show: '*/ID',
  describe: '*/ID',
  enable: 'PATCH */ID',
  disable: 'PATCH */ID',
  run: 'POST */ID/run',
  test: 'POST */ID/test',
  add: 'POST *',
  create: 'POST *',
  update: 'PATCH */ID',
  rename: 'PATCH */ID',
  delete: 'DELETE */ID',
  rm: 'DELETE */ID',
};

const inConsole = (what: string) => `You find ${what} in the platform's web console`;

/** By the words before the verb: where a platform may have it, and what there is instead. A command that exists never gets here. */
const resources: Readonly<Record<string, readonly [path: string, instead: string]>> = {
  orgs: ['/api/v1/orgs', inConsole('organizations and their IDs')],
  'orgs users': ['/api/v1/orgs/{orgId}/users', 'See everybody with: iiot orgs users list -o json'],
  devices: ['/platform/solutions/api/v1/devices', inConsole('devices and their IDs')],
  'devices custom-info': ['/platform/solutions/api/v1/devices/ID/custom-info', inConsole('the values of a device')],
  policies: ['/api/v1/orgs/{orgId}/alert-policies', inConsole('alert policies and their IDs')],
  templates: ['/api/v1/orgs/{orgId}/notifications/templates', 'See them with: iiot templates list -o json'],
  channels: ['/api/v1/orgs/{orgId}/notifications/channels', inConsole('channels and their IDs')],
  batches: ['/api/v1/orgs/{orgId}/batches', inConsole('batches and their IDs')],
  credentials: ['/api/v1/oauth2/client-credentials', 'See them with: iiot credentials list -o json'],
};

/** What to do instead of a command that the interface has no operation for; undefined for any other word. */
export function insteadOf(group = '', word = ''): string | undefined {
  if (!Object.hasOwn(resources, group) || !Object.hasOwn(verbs, word)) return undefined;
  const [path = '', instead] = resources[group] ?? [];
  // The values of a device have no ID of their own.
  const call = verbs[word]?.replace('*', path).replace('custom-info/ID', 'custom-info');
  return `${instead}. If your platform has such an operation, for example: iiot api ${call}`;
}
