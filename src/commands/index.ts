import type { Command, Group, Groups } from '../command/command.ts';

/** @param heading the heading in the help @param parts summaries of the groups inside, such as "orgs users" */
function group(
  heading: string,
  name: string,
  summary: string,
  load: () => Promise<{ readonly commands: readonly Command[] }>,
  parts?: Group['parts'],
): Group {
  return { heading, name, summary, parts, load: async () => (await load()).commands };
}

/** All groups of commands, in the order of the help. Each is loaded when one of its commands is used. */
export const groups: Groups = [
  group('Work', 'orgs', 'Organizations and their users', () => import('./orgs.ts'), {
    'orgs users': 'Users of an organization',
  }),
  group('Work', 'devices', 'Custom information of devices', () => import('./devices.ts'), {
    'devices custom-info': 'Keys and values of a device',
  }),
  group('Work', 'policies', 'Alert policies', () => import('./policies.ts')),
  group('Work', 'templates', 'Notification templates', () => import('./templates/index.ts')),
  group('Work', 'channels', 'Notification channels', () => import('./channels.ts')),
  group('Work', 'batches', 'Scheduled batches', () => import('./batches.ts')),
  group('Work', 'credentials', 'Client credentials of the tenant', () => import('./credentials/index.ts')),
  group('Many at once', 'each', 'Run a command for many organizations or profiles', () => import('./each.ts')),
  group('Try it', 'sandbox', 'Embedded platform to try, rehearse and test with', () => import('./sandbox/index.ts')),
  group('Set up', 'login', 'Log in, and see who is logged in', () => import('./login.ts')),
  group('Set up', 'logout', "Remove the profile's tokens and secrets", () => import('./logout.ts')),
  group('Set up', 'profiles', 'Named settings: platform, organization, login', () => import('./profiles.ts')),
  group('Set up', 'doctor', 'Check the setup and the connection', () => import('./doctor.ts')),
  group('More', 'api', 'Call any operation of the platform', () => import('./api.ts')),
  group('More', 'history', 'Changes made from this machine', () => import('./history.ts')),
  group('More', 'mcp', 'Commands as tools for agents (MCP), over stdio', () => import('./mcp.ts')),
  group('More', 'completion', 'Shell completion for bash, zsh, fish and PowerShell', () => import('./completion.ts')),
  group('More', 'version', 'Show the version', () => import('./version.ts')),
];
