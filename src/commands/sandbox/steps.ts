import { thingsToTry } from '../../sandbox/world/things-to-try.ts';

export type Step = { readonly says: string; readonly words: readonly string[]; readonly input?: string };

const [admin] = thingsToTry.accounts;
const [policy] = thingsToTry.policies;
const nightly = '0 0 2 ? * MON-FRI';

/** The file that the tour imports. */
export const fleet = { name: 'fleet.csv', text: 'deviceId,line,owner\npress-0001,3,Night shift\npress-0002,4,\n' };

/** The commands of the tour, in an order in which each finds what it needs. */
export const steps: readonly Step[] = [
  {
    says: 'Log in as a person. The password comes from standard input here; on a terminal it is asked for.',
    words: ['login', '--account', admin.account, '--password-stdin'],
    input: `${admin.password}\n`,
  },
  { says: 'Who is logged in, and until when? --check asks the platform.', words: ['login', 'status', '--check'] },
  { says: 'It is in a profile, which says where commands talk to.', words: ['profiles', 'list'] },
  { says: 'Does anything stand in the way?', words: ['doctor'] },
  { says: 'Users of the organization, the first five.', words: ['orgs', 'users', 'list', '--limit', '5'] },
  {
    says: 'Its admins, counted by jq, which is built in.',
    words: ['orgs', 'users', 'list', '--role', 'admin', '--all', '--jq', 'length'],
  },
  {
    says: "A device's custom information. First rehearsed: nothing is sent.",
    words: ['devices', 'custom-info', 'set', 'press-0001', 'line=3', 'owner=Night shift', '--dry-run'],
  },
  { says: 'Then for real.', words: ['devices', 'custom-info', 'set', 'press-0001', 'line=3', 'owner=Night shift'] },
  {
    says: `The same for a fleet, from ${fleet.name}, which has two rows.`,
    words: ['devices', 'custom-info', 'import', fleet.name],
  },
  { says: 'An alert policy: only what is given changes.', words: ['policies', 'update', policy.id, '--delay', '5m'] },
  {
    says: 'Notification templates for email.',
    words: ['templates', 'list', '--channel-type', 'email', '--limit', '3'],
  },
  {
    says: 'A new subject for one of them.',
    words: ['templates', 'update', 'template_001', '--subject', 'Line 3 is hot', '-o', 'json'],
  },
  { says: 'A channel is switched off.', words: ['channels', 'update', 'channel_email', '--disable', '-o', 'json'] },
  { says: 'What does a Quartz expression mean?', words: ['batches', 'cron', nightly] },
  {
    says: 'A batch that runs then.',
    words: ['batches', 'create', '--name', 'Nightly report', '--cron', nightly, '--enabled', '--no-run-on-startup'],
  },
  { says: 'Client credentials, for machines.', words: ['credentials', 'list'] },
  {
    says: 'A new one. Its secret is told once, and goes into a file that only you can read.',
    words: ['credentials', 'create', '--name', 'Line 3', '--expires', '90d', '--secret-file', 'line-3.secret'],
  },
  {
    says: 'An old one gets a successor, which is proved before the old one is deleted.',
    words: ['credentials', 'rotate', thingsToTry.client.clientCredentialId, '--secret-file', 'machine.secret', '--yes'],
  },
  {
    says: 'Any other operation of the platform, by its path.',
    words: ['api', 'GET', '/api/v1/oauth2/client-credentials', '--jq', 'length'],
  },
  { says: 'What was changed from here, and when?', words: ['history'] },
  { says: 'The login is renewed; this happens by itself when it expires.', words: ['login', 'refresh'] },
  {
    says: 'An organization is deleted only once its name has been given.',
    words: ['orgs', 'delete', thingsToTry.organizations[1].id, '--org-name', 'Line 7'],
  },
  { says: 'And the login is forgotten.', words: ['logout'] },
];
