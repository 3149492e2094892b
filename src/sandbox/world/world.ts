import type { channelTypeNames, orgRoleNames } from '../../contract/shared.ts';

/** All data of the embedded platform. The keys of the maps are the IDs; organizations and policies use their Guid in form D, in lower case. */
export type SandboxWorld = {
  readonly tenant: Tenant;
  /** By account e-mail, lower case. */
  readonly accounts: Map<string, Account>;
  readonly users: Map<string, User>;
  readonly organizations: Map<string, Organization>;
  readonly devices: Map<string, Device>;
  readonly policies: Map<string, Policy>;
  readonly templates: Map<string, Template>;
  readonly channels: Map<string, Channel>;
  readonly batches: Map<string, Batch>;
  readonly credentials: Map<string, Credential>;
};

export type Role = (typeof orgRoleNames)[number];

type ChannelType = (typeof channelTypeNames)[number];

type Tenant = {
  readonly tenantId: string;
  readonly name: string;
  readonly tenantPath: string;
  readonly appPath: string;
};

export type Account = { readonly account: string; readonly password: string; readonly userId: string };
type User = { readonly userId: string; readonly name: string; readonly email: string };

export type Organization = {
  readonly orgId: string;
  readonly name: string;
  /** Null for a root organization. */
  readonly parentId: string | null;
  readonly members: Map<string, Role>;
};

export type Device = {
  readonly deviceId: string;
  readonly orgId: string;
  /** A map, because a key may be "__proto__". */
  readonly customInfo: Map<string, string | null>;
};

export type Policy = {
  readonly alertPolicyId: string;
  readonly orgId: string;
  policyName: string;
  description: string;
  alertLevel: string;
  alertResetLevel: string;
  delay: number;
  notification: object;
  readonly isEnabled: boolean;
  readonly dataStreamIds: readonly string[];
  /** How often the definition has been published for evaluation. */
  publications: number;
};

export type Template = {
  readonly templateId: string;
  readonly orgId: string;
  name: string;
  subject: string;
  content: string;
  channelTypes: readonly string[];
  tags: readonly unknown[];
};

export type Channel = {
  readonly channelId: string;
  readonly orgId: string;
  name: string;
  channelType: ChannelType;
  description: string;
  isEnabled: boolean;
  commonSettings: object;
  config: object;
  templateId: string | null;
  recipients: readonly unknown[];
  tags: readonly unknown[];
};

export type Batch = {
  readonly batchId: string;
  readonly orgId: string;
  readonly name: string;
  readonly cronExpression: string;
  readonly isEnabled: boolean;
  readonly runOnStartup: boolean;
  readonly actions: readonly unknown[];
  readonly createdAt: string;
};

export type Credential = {
  readonly clientCredentialId: string;
  readonly clientId: string;
  /** SHA-256 of the secret, which is not stored. */
  readonly secretHash: string;
  readonly name: string;
  readonly createdAt: string;
  readonly expiredAt: string | null;
  readonly scopes: readonly string[];
  readonly deviceIds: readonly string[];
};

/** The platform's time: the real time, shifted on request. */
export type SandboxClock = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Shifts the time by milliseconds, forward or back. */
  move(milliseconds: number): void;
  /** The total shift in milliseconds. */
  moved(): number;
};

export function createClock(now: () => number, moved = 0): SandboxClock {
  let offset = moved;
  return {
    now: () => now() + offset,
    move: (milliseconds) => {
      offset += milliseconds;
    },
    moved: () => offset,
  };
}
