import { type JsonRecord, readRecord } from '../../text/record.ts';
import type { EmbeddedPlatform } from '../handler.ts';
import { createIdentity, type Identity } from '../identity/identity.ts';
import type { SandboxWorld } from './world.ts';

/** The state that survives a restart. Logins in progress and access tokens do not, because the key that signed them is not kept. */
export type SavedState = { readonly world: SandboxWorld; readonly identity: Identity; readonly moved: number };

const format = 'iiot-sandbox';
const version = 1;

/** The state as JSON, with the accounts' passwords and the channels' configuration. Refresh tokens and client secrets are only hashes. */
export function serialize({ world, identity, clock }: Pick<EmbeddedPlatform, 'world' | 'identity' | 'clock'>): string {
  const { tenant, ...records } = world;
  const collections = Object.entries(records).map(([name, map]) => [name, [...map.values()].map(withArrays)]);
  const logins = [...identity.logins.values()].map(withArrays);
  return `${JSON.stringify({ format, version, moved: clock.moved(), tenant, ...Object.fromEntries(collections), logins })}\n`;
}

/** The maps and sets of a record as arrays of their entries. */
function withArrays(record: object): object {
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
  const broken = Object.entries(keyFields).find(([name, key]) => !isCollection(saved[name], key));
  if (broken || typeof saved.moved !== 'number')
    return `It is incomplete: its ${broken?.[0] ?? 'clock'} cannot be read.`;
  const maps = Object.entries(keyFields).map(([name, key]) => [name, byKey(saved[name] as JsonRecord[], key)]);
  const { logins, ...records } = Object.fromEntries(maps);
  const world: SandboxWorld = { tenant: saved.tenant, ...records }; // the form that serialize writes, as far as checked above
  return { world, identity: { ...createIdentity(), logins }, moved: saved.moved };
}

const keyFields = {
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

/** A collection by its key, with the maps and sets of its records. */
function byKey(rows: readonly JsonRecord[], key: string): Map<unknown, object> {
  return new Map(rows.map((row) => [row[key], Object.fromEntries(Object.entries(row).map(reviveField))]));
}

function reviveField([name, value]: readonly [string, unknown]): readonly [string, unknown] {
  if (name === 'members' || name === 'customInfo') return [name, new Map(value as [string, string | null][])];
  return [name, name === 'usedHashes' ? new Set(value as string[]) : value];
}

function isCollection(value: unknown, key: string): boolean {
  return Array.isArray(value) && value.every((row: unknown) => typeof Object(row)[key] === 'string');
}
