import type { updateChannel } from '../../contract/channels.ts';
import type { updatePolicy } from '../../contract/policies.ts';
import type { Infer } from '../../contract/schema.ts';
import type { orgRoleNames } from '../../contract/shared.ts';
import type { updateTemplate } from '../../contract/templates.ts';

/** All data of the embedded platform. The keys of the maps are the IDs; organizations and policies use their Guid in form D, in lower case. */
export type SandboxWorld = {
  readonly tenant: Readonly<Record<'tenantId' | 'name' | 'tenantPath' | 'appPath', string>>;
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

type Updatable<O extends { readonly body: unknown }> = Infer<O['body']>;

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

export type Policy = Updatable<typeof updatePolicy> & {
  readonly alertPolicyId: string;
  readonly orgId: string;
  readonly isEnabled: boolean;
  readonly dataStreamIds: readonly string[];
  /** How often the definition has been published for evaluation. */
  publications: number;
};

export type Template = Omit<Updatable<typeof updateTemplate>, 'channelTypes'> & {
  readonly templateId: string;
  readonly orgId: string;
  name: string;
  content: string;
  tags: readonly unknown[];
  channelTypes: readonly string[];
};

export type Channel = Omit<Updatable<typeof updateChannel>, 'templateId'> & {
  readonly channelId: string;
  readonly orgId: string;
  templateId: string | null;
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

/** The platform's time: the real time, shifted on request. All are milliseconds; `moved` is the total shift. */
export type SandboxClock = { now(): number; move(milliseconds: number): void; moved(): number };

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
