/** A line for each command that changes something on the platform. */
import { ids } from '../../src/sandbox/world/ids.ts';

export type ChangeLine = {
  readonly words: readonly string[];
  /** The options that agree to what it asks at a terminal. */
  readonly agrees?: readonly string[];
  /** The request that it sends; a command that sends several has a test of its own. */
  readonly sends?: readonly [method: string, path: string, body?: object];
  /** What it takes to call it as a tool, if agents have it. */
  readonly tool?: Readonly<Record<string, unknown>>;
};

const org = `/api/v1/orgs/${ids.root}`;
const policyPath = `${org}/alert-policies/${ids.policy}`;
const credentials = '/api/v1/oauth2/client-credentials';
const nightly = { Name: 'n', CronExpression: '0 0 2 * * ?', IsEnabled: true, RunOnStartup: false };
const credential = { clientCredentialId: 'credential_001' };

/** By the name of the command, in the order of help. */
export const changes: Readonly<Record<string, ChangeLine>> = {
  'orgs delete': {
    words: [ids.withoutUsers],
    agrees: ['--org-name', 'Storage'],
    sends: ['DELETE', `/api/v1/orgs/${ids.withoutUsers}?orgName=Storage`],
    tool: { orgId: ids.withoutUsers },
  },
  'devices custom-info set': {
    words: ['Hall 3/Press 7', 'a=1'],
    sends: ['PUT', '/platform/solutions/api/v1/devices/Hall%203%2FPress%207/custom-info', { a: '1' }],
    tool: { deviceId: 'press-0001', pairs: ['line=3'] },
  },
  'devices custom-info import': { words: ['fleet.ndjson'], agrees: ['--yes'] },
  'policies update': {
    words: [ids.policy, '--delay', '5'],
    sends: ['PATCH', policyPath, { delay: 5 }],
    tool: { alertPolicyId: ids.policy },
  },
  'templates update': {
    words: ['template_001', '--clear-tags'],
    sends: ['PATCH', `${org}/notifications/templates/template_001`, { tags: [] }],
    tool: { templateId: 'template_001' },
  },
  'templates push': { words: ['files', '--force'], agrees: ['--yes'] },
  'channels update': {
    words: ['channel_email', '--disabled'],
    sends: ['PATCH', `${org}/notifications/channels/channel_email`, { isEnabled: false }],
    tool: { channelId: 'channel_email' },
  },
  'batches create': {
    words: ['--name', 'n', '--cron', '0 0 2 * * ?', '--enabled', '--no-run-on-startup'],
    sends: ['POST', `${org}/batches`, { orgId: ids.root, ...nightly }],
    tool: { name: 'n', cron: '0 0 2 * * ?', enabled: true, runOnStartup: false },
  },
  'credentials create': {
    words: ['--name', 'n', '--secret-file', 'secret.txt'],
    sends: ['POST', credentials, { name: 'n' }],
    tool: { name: 'n', saveProfile: 'n' },
  },
  'credentials delete': {
    words: ['credential_001'],
    agrees: ['--yes'],
    sends: ['DELETE', `${credentials}/credential_001`],
    tool: credential,
  },
  'credentials rotate': {
    words: ['credential_001', '--secret-file', 'secret.txt'],
    agrees: ['--yes'],
    tool: { ...credential, saveProfile: 'm' },
  },
  api: { words: ['PATCH', policyPath, '--field', 'delay=5'], sends: ['PATCH', policyPath, { delay: 5 }] },
};
