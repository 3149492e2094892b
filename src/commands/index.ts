import type { Command } from '../command.ts';

export type Group = {
  /** The first word of its commands. */
  readonly name: string;
  readonly summary: string;
  /** Summaries of the words between: "orgs users". */
  readonly parts?: Readonly<Record<string, string>>;
  readonly load: () => Promise<readonly Command[]>;
};

/** Every group of commands, loaded when one of its commands is meant. */
export const groups: readonly Group[] = [
  {
    name: 'login',
    summary: 'Log in, and see who is logged in',
    load: async () => (await import('./login.ts')).commands,
  },
  {
    name: 'logout',
    summary: "Forget the profile's tokens and secrets",
    load: async () => (await import('./logout.ts')).commands,
  },
  {
    name: 'orgs',
    summary: 'Organizations and their users',
    parts: { 'orgs users': 'Users of an organization' },
    load: async () => (await import('./orgs.ts')).commands,
  },
  {
    name: 'devices',
    summary: 'Custom information of devices',
    parts: { 'devices custom-info': 'Keys and values of a device' },
    load: async () => (await import('./devices.ts')).commands,
  },
  { name: 'policies', summary: 'Alert policies', load: async () => (await import('./policies.ts')).commands },
  { name: 'templates', summary: 'Notification templates', load: async () => (await import('./templates.ts')).commands },
  { name: 'channels', summary: 'Notification channels', load: async () => (await import('./channels.ts')).commands },
  { name: 'batches', summary: 'Scheduled batches', load: async () => (await import('./batches.ts')).commands },
  {
    name: 'credentials',
    summary: 'Client credentials of the tenant',
    load: async () => (await import('./credentials.ts')).commands,
  },
  {
    name: 'profiles',
    summary: 'Where commands talk to, and as whom',
    load: async () => (await import('./profiles.ts')).commands,
  },
  { name: 'api', summary: 'Call any operation of the platform', load: async () => (await import('./api.ts')).commands },
  {
    name: 'doctor',
    summary: 'What stands between this machine and a working call',
    load: async () => (await import('./doctor.ts')).commands,
  },
  {
    name: 'history',
    summary: 'What this machine has changed',
    load: async () => (await import('./history.ts')).commands,
  },
  {
    name: 'sandbox',
    summary: 'An embedded platform to try, rehearse and test with',
    load: async () => (await import('./sandbox.ts')).commands,
  },
  {
    name: 'mcp',
    summary: 'The commands as tools for agents, over stdio',
    load: async () => (await import('./mcp.ts')).commands,
  },
  {
    name: 'completion',
    summary: 'Completions for bash, zsh, fish and PowerShell',
    load: async () => (await import('./completion.ts')).commands,
  },
];
