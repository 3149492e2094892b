import { ids } from './ids.ts';

export type ThingToTry = {
  /** An ID or a command to type. */
  readonly id: string;
  /** Says what the thing is good for, in a phrase without a full stop. */
  readonly about: string;
};

/** All logins, and IDs of each kind, which are printed when a sandbox starts. The same for every seed. */
export const thingsToTry = {
  tenant: ids.tenantPath,
  app: ids.appPath,
  /** The default organization, for commands without --org. */
  org: ids.root,
  accounts: [
    { account: ids.admin, password: ids.adminPassword, about: 'admin of every organization but Storage' },
    { account: ids.viewer, password: ids.viewerPassword, about: 'viewer of Factory and Paint Shop' },
  ],
  client: { clientId: ids.clientId, clientSecret: ids.clientSecret, clientCredentialId: ids.credential },
  organizations: [
    { id: ids.root, name: 'Factory', about: 'the root: cannot be deleted' },
    { id: ids.empty, name: 'Line 7', about: 'empty, its admin account can delete it' },
    { id: ids.withDevices, name: 'Assembly', about: 'has devices, 20 templates and 20 policies' },
    { id: ids.withSubOrganizations, name: 'North Hall', about: 'has a sub-organization' },
    { id: ids.withOtherUsers, name: 'Paint Shop', about: 'has other users' },
    { id: ids.withoutUsers, name: 'Storage', about: 'has no users, a client credential can delete it' },
    { id: ids.oddlyNamed, name: "Café Su\u0308d & O'Brien \u200e東京", about: 'a name that is hard to type' },
  ],
  users: [
    { id: 'user-0001', name: "Miles O'Shea", about: 'and so on, up to the number of users' },
    { id: 'user-0060', name: 'Zoë 🛠️ Kühn', about: 'names that are hard to show, up to user-0071' },
  ],
  devices: [
    { id: 'press-0001', about: 'and so on, up to the number of devices' },
    { id: 'Hall 3/Press 7', about: 'an ID with a space and a slash' },
    { id: 'ライン-1', about: 'an ID in another script' },
  ],
  policies: [
    { id: ids.policy, name: 'Press too hot', about: 'enabled, published again by each update' },
    { id: ids.disabledPolicy, name: 'Oil pressure low', about: 'disabled' },
    { id: 'aaaaaaaa-0000-4000-8000-000000000101', name: 'Pressure low', about: 'of Assembly, and so on, up to …119' },
  ],
  templates: [
    { id: 'template_001', name: 'Pressure low', about: 'and so on, up to template_045' },
    { id: 'template_101', name: 'Robot stopped', about: 'of Assembly, and so on, up to template_120' },
  ],
  channels: [
    { id: 'channel_email', name: 'Shift leaders', about: 'also channel_teams, channel_linemessage, channel_webhook' },
    { id: 'channel_unreachable', name: 'Old gateway', about: 'cannot be validated: an update answers 503' },
  ],
} as const;

/** The variables that make `iiot` talk to a sandbox, as its machine. */
export function sandboxVariables(url: string) {
  const { tenant, app, org, client } = thingsToTry;
  return {
    IIOT_SANDBOX: '1',
    IIOT_SANDBOX_URL: url,
    IIOT_BASE_URL: url,
    IIOT_TENANT: tenant,
    IIOT_APP: app,
    IIOT_ORG: org,
    IIOT_CLIENT_ID: client.clientId,
    IIOT_CLIENT_SECRET: client.clientSecret,
  };
}
