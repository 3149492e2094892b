import { ids } from './ids.ts';

export type ThingToTry = {
  /** What to type. */
  readonly id: string;
  /** What it is, and what it can be used for: a phrase without a full stop. */
  readonly about: string;
};

/** What is printed when a sandbox starts: all logins, and an ID of each kind. Plain data, the same for every seed. */
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
    { id: ids.root, about: 'Factory, the root: cannot be deleted' },
    { id: ids.empty, about: 'Line 7: empty, its admin account can delete it' },
    { id: ids.withDevices, about: 'Assembly: has devices' },
    { id: ids.withSubOrganizations, about: 'North Hall: has a sub-organization' },
    { id: ids.withOtherUsers, about: 'Paint Shop: has other users' },
    { id: ids.withoutUsers, about: 'Storage: has no users, a client credential can delete it' },
    { id: ids.oddlyNamed, about: 'a name that is hard to type' },
  ],
  devices: [
    { id: 'press-0001', about: 'and so on, up to the number of devices' },
    { id: 'Hall 3/Press 7', about: 'an ID with a space and a slash' },
    { id: 'ライン-1', about: 'an ID in another script' },
  ],
  policies: [
    { id: ids.policy, about: 'Press too hot: enabled, published again by each update' },
    { id: ids.disabledPolicy, about: 'Oil pressure low: disabled' },
  ],
  templates: [{ id: 'template_001', about: 'and so on, up to template_045' }],
  channels: [
    { id: 'channel_email', about: 'also channel_teams, channel_linemessage, channel_webhook' },
    { id: 'channel_unreachable', about: 'cannot be validated: an update answers 503' },
  ],
} as const satisfies {
  readonly [kind: string]: unknown;
  readonly organizations: readonly ThingToTry[];
  readonly devices: readonly ThingToTry[];
  readonly policies: readonly ThingToTry[];
  readonly templates: readonly ThingToTry[];
  readonly channels: readonly ThingToTry[];
};
