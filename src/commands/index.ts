import type { Command, Group, Groups } from '../command/command.ts';

type Loaded = { readonly commands: readonly Command[] };

/** `parts` are summaries of the words between: "orgs users". */
function group(
  name: string,
  summary: string,
  load: () => Promise<Loaded>,
  parts?: Group['parts'],
): Omit<Group, 'heading'> {
  return { name, summary, parts, load: async () => (await load()).commands };
}

function under(heading: string, ...some: readonly Omit<Group, 'heading'>[]): Groups {
  return some.map((each) => ({ ...each, heading }));
}

/** All groups of commands, each loaded when one of its commands is used, in the order in which people need them. */
export const groups: Groups = [
  ...under(
    'Work',
    group('orgs', 'Organizations and their users', () => import('./orgs.ts'), {
      'orgs users': 'Users of an organization',
    }),
    group('devices', 'Custom information of devices', () => import('./devices.ts'), {
      'devices custom-info': 'Keys and values of a device',
    }),
    group('policies', 'Alert policies', () => import('./policies.ts')),
    group('templates', 'Notification templates', () => import('./templates/index.ts')),
    group('channels', 'Notification channels', () => import('./channels.ts')),
    group('batches', 'Scheduled batches', () => import('./batches.ts')),
    group('credentials', 'Client credentials of the tenant', () => import('./credentials/index.ts')),
  ),
  ...under(
    'Many at once',
    group('each', 'Run a command for many organizations or profiles', () => import('./each.ts')),
  ),
  ...under(
    'Try it',
    group('sandbox', 'Embedded platform to try, rehearse and test with', () => import('./sandbox/index.ts')),
  ),
  ...under(
    'Set up',
    group('login', 'Log in, and see who is logged in', () => import('./login.ts')),
    group('logout', "Remove the profile's tokens and secrets", () => import('./logout.ts')),
    group('profiles', 'Named settings: platform, organization, login', () => import('./profiles.ts')),
    group('doctor', 'Check the setup and the connection', () => import('./doctor.ts')),
  ),
  ...under(
    'More',
    group('api', 'Call any operation of the platform', () => import('./api.ts')),
    group('history', 'Changes made from this machine', () => import('./history.ts')),
    group('mcp', 'Commands as tools for agents (MCP), over stdio', () => import('./mcp.ts')),
    group('completion', 'Shell completion for bash, zsh, fish and PowerShell', () => import('./completion.ts')),
    group('version', 'Show the version', () => import('./version.ts')),
  ),
];
