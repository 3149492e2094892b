import { readRecord } from '../../text/record.ts';
import type { EmbeddedPlatform } from '../handler.ts';
import type { AccountLogin, Identity } from '../identity/identity.ts';
import type { Device, Organization, Role, SandboxWorld } from './world.ts';

/** What survives a restart. Logins in progress and access tokens do not: they become invalid with the key that signed them. */
export type SavedState = { readonly world: SandboxWorld; readonly identity: Identity; readonly moved: number };

const format = 'iiot-sandbox';
const version = 1;

/**
 * The whole state as JSON text: it contains only hashes of refresh tokens and client secrets, but the accounts' passwords and the channels'
 * configuration.
 */
export function serialize({ world, identity, clock }: Pick<EmbeddedPlatform, 'world' | 'identity' | 'clock'>): string {
  const { tenant, ...records } = world;
  const collections = Object.entries(records).map(([name, map]) => [name, [...map.values()].map(plain)]);
  const logins = [...identity.logins.values()].map(plain);
  return `${JSON.stringify({ format, version, moved: clock.moved(), tenant, ...Object.fromEntries(collections), logins })}\n`;
}

/** The maps and sets of a record as arrays of their entries. */
function plain(record: object): object {
  const entries = Object.entries(record).map(([name, value]: [string, unknown]) => [
    name,
    value instanceof Map || value instanceof Set ? [...value] : value,
  ]);
  return Object.fromEntries(entries);
}

/** The state in a text, or a sentence that says what is wrong with it. */
export function restore(text: string): SavedState | string {
  const saved = readRecord(text);
  if (saved?.format !== format) return 'It is not the state of a sandbox.';
  if (saved.version !== version) return 'It is the state of another version of the sandbox.';
  const broken = Object.entries(keys).find(([name, key]) => !isCollection(saved[name], key));
  if (broken || typeof saved.moved !== 'number')
    return `It is incomplete: its ${broken?.[0] ?? 'clock'} cannot be read.`;
  const rows = saved as unknown as Rows; // the form that serialize writes, as far as checked above
  return { world: worldOf(rows), identity: identityOf(rows), moved: rows.moved };
}

const keys = {
  accounts: 'account',
  users: 'userId',
  organizations: 'orgId',
  devices: 'deviceId',
  policies: 'alertPolicyId',
  templates: 'templateId',
  channels: 'channelId',
  batches: 'batchId',
  credentials: 'clientCredentialId',
  logins: 'sid',
} as const;

/** A saved world: arrays instead of maps. */
type Rows = { readonly moved: number; readonly tenant: SandboxWorld['tenant'] } & {
  readonly [N in Exclude<keyof SandboxWorld, 'tenant' | 'organizations' | 'devices'>]: readonly RowOf<
    SandboxWorld[N]
  >[];
} & {
  readonly organizations: readonly (Omit<Organization, 'members'> & { readonly members: [string, Role][] })[];
  readonly devices: readonly (Omit<Device, 'customInfo'> & { readonly customInfo: [string, string | null][] })[];
  readonly logins: readonly (Omit<AccountLogin, 'usedHashes'> & { readonly usedHashes: string[] })[];
};
type RowOf<M> = M extends Map<string, infer R> ? R : never;

function worldOf(rows: Rows): SandboxWorld {
  return {
    tenant: rows.tenant,
    accounts: byKey(rows.accounts, ({ account }) => account),
    users: byKey(rows.users, ({ userId }) => userId),
    organizations: byKey(
      rows.organizations.map((row) => ({ ...row, members: new Map(row.members) })),
      ({ orgId }) => orgId,
    ),
    devices: byKey(
      rows.devices.map((row) => ({ ...row, customInfo: new Map(row.customInfo) })),
      ({ deviceId }) => deviceId,
    ),
    policies: byKey(rows.policies, ({ alertPolicyId }) => alertPolicyId),
    templates: byKey(rows.templates, ({ templateId }) => templateId),
    channels: byKey(rows.channels, ({ channelId }) => channelId),
    batches: byKey(rows.batches, ({ batchId }) => batchId),
    credentials: byKey(rows.credentials, ({ clientCredentialId }) => clientCredentialId),
  };
}

function identityOf({ logins }: Rows): Identity {
  const found = logins.map((login) => ({ ...login, usedHashes: new Set(login.usedHashes) }));
  return { pendingLogins: new Map(), sessions: new Map(), logins: byKey(found, ({ sid }) => sid) };
}

function byKey<R>(rows: readonly R[], key: (row: R) => string): Map<string, R> {
  return new Map(rows.map((row) => [key(row), row]));
}

function isCollection(value: unknown, key: string): boolean {
  return Array.isArray(value) && value.every((row: unknown) => typeof Object(row)[key] === 'string');
}
