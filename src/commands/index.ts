import type { Groups } from '../command/command.ts';

/** All groups of commands, each loaded when one of its commands is used. */
export const groups: Groups = [
  {
    name: 'login',
    summary: 'Log in, and see who is logged in',
    load: async () => (await import('./login.ts')).commands,
  },
  {
    name: 'logout',
    summary: "Remove the profile's tokens and secrets",
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
  {
    name: 'templates',
    summary: 'Notification templates',
    load: async () => (await import('./templates/index.ts')).commands,
  },
  { name: 'channels', summary: 'Notification channels', load: async () => (await import('./channels.ts')).commands },
  { name: 'batches', summary: 'Scheduled batches', load: async () => (await import('./batches.ts')).commands },
  {
    name: 'credentials',
    summary: 'Client credentials of the tenant',
    load: async () => (await import('./credentials/index.ts')).commands,
  },
  {
    name: 'profiles',
    summary: 'Named settings: platform, organization, login',
    load: async () => (await import('./profiles.ts')).commands,
  },
  { name: 'api', summary: 'Call any operation of the platform', load: async () => (await import('./api.ts')).commands },
  {
    name: 'doctor',
    summary: 'Check the setup and the connection',
    load: async () => (await import('./doctor.ts')).commands,
  },
  {
    name: 'history',
    summary: 'Changes made from this machine',
    load: async () => (await import('./history.ts')).commands,
  },
  {
    name: 'sandbox',
    summary: 'Embedded platform for trying, rehearsing and testing',
    load: async () => (await import('./sandbox/index.ts')).commands,
  },
  {
    name: 'mcp',
    summary: 'Commands as tools for agents (MCP), over stdio',
    load: async () => (await import('./mcp.ts')).commands,
  },
  {
    name: 'completion',
    summary: 'Shell completion for bash, zsh, fish and PowerShell',
    load: async () => (await import('./completion.ts')).commands,
  },
  { name: 'version', summary: 'Show the version', load: async () => (await import('./version.ts')).commands },
];
