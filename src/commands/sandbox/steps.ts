import { thingsToTry } from '../../sandbox/world/things-to-try.ts';

export type TourStep = { readonly says: string; readonly words: readonly string[]; readonly input?: string };

const [admin] = thingsToTry.accounts;
const [policy] = thingsToTry.policies;
const nightly = '0 0 2 ? * MON-FRI';

/** The file that the tour imports. */
export const fleet = { name: 'fleet.csv', text: 'deviceId,line,owner\npress-0001,3,Night shift\npress-0002,4,\n' };

/** The commands of the tour, ordered by what each of them needs; it can pause between two groups. */
export const tourGroups: readonly (readonly TourStep[])[] = [
  [
    {
      says: 'Log in as a person. Here the password comes from standard input; at a terminal you are asked for it.',
      words: ['login', '--account', admin.account, '--password-stdin'],
      input: `${admin.password}\n`,
    },
    { says: 'Show who is logged in. --check asks the platform, too.', words: ['login', 'status', '--check'] },
    { says: 'The login is saved in a profile.', words: ['profiles', 'list'] },
    { says: 'Check the setup and the connection.', words: ['doctor'] },
  ],
  [
    { says: 'List the first five users of the organization.', words: ['orgs', 'users', 'list', '--limit', '5'] },
    {
      says: 'Count its admins with jq, which is built in.',
      words: ['orgs', 'users', 'list', '--role', 'admin', '--all', '--jq', 'length'],
    },
  ],
  [
    {
      says: "Change a device's custom information. A dry run first: it sends nothing.",
      words: ['devices', 'custom-info', 'set', 'press-0001', 'line=3', 'owner=Night shift', '--dry-run'],
    },
    { says: 'Now for real.', words: ['devices', 'custom-info', 'set', 'press-0001', 'line=3', 'owner=Night shift'] },
    {
      says: `Do the same for many devices, from a file: ${fleet.name} has two rows.`,
      words: ['devices', 'custom-info', 'import', fleet.name],
    },
  ],
  [
    {
      says: 'Change an alert policy. Only the given fields change.',
      words: ['policies', 'update', policy.id, '--delay', '5m'],
    },
    {
      says: 'List notification templates for email.',
      words: ['templates', 'list', '--channel-type', 'email', '--limit', '3'],
    },
    {
      says: 'Give one of them a new subject.',
      words: ['templates', 'update', 'template_001', '--subject', 'Line 3 is hot', '-o', 'json'],
    },
    { says: 'Turn a channel off.', words: ['channels', 'update', 'channel_email', '--disable', '-o', 'json'] },
  ],
  [
    { says: 'Explain a Quartz cron expression.', words: ['batches', 'cron', nightly] },
    {
      says: 'Create a batch with it.',
      words: ['batches', 'create', '--name', 'Nightly report', '--cron', nightly, '--enabled', '--no-run-on-startup'],
    },
  ],
  [
    { says: 'List client credentials, which machines log in with.', words: ['credentials', 'list'] },
    {
      says: 'Create one. Its secret is shown once; here it goes into a file that only you can read.',
      words: ['credentials', 'create', '--name', 'Line 3', '--expires', '90d', '--secret-file', 'line-3.secret'],
    },
    {
      says: 'Replace an old one. Its successor is tried before the old one is deleted.',
      words: [
        'credentials',
        'rotate',
        thingsToTry.client.clientCredentialId,
        '--secret-file',
        'machine.secret',
        '--yes',
      ],
    },
  ],
  [
    {
      says: 'Call any operation of the platform by its path.',
      words: ['api', '/api/v1/oauth2/client-credentials', '--jq', 'length'],
    },
    { says: 'List what was changed from this machine.', words: ['history'] },
    { says: 'Renew the login. This also happens automatically.', words: ['login', 'refresh'] },
    {
      says: 'Delete an organization. Its name must be given, too.',
      words: ['orgs', 'delete', thingsToTry.organizations[1].id, '--org-name', 'Line 7'],
    },
    { says: 'Log out.', words: ['logout'] },
  ],
];
