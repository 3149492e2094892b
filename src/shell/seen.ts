/** Keeps IDs, names, and names of fields that this machine has seen on platforms, for completions. They are no secrets, and can be lost. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command, LiveKind } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { placeOf } from '../command/place.ts';
import { readRegular } from '../files/open-regular.ts';
import type { Place } from '../place.ts';
import type { Store } from '../store/store.ts';
import { ignoreError } from '../text/ignore-error.ts';
import { isRecord, type JsonRecord, readRecord } from '../text/record.ts';

/** An ID and its name; '' if the name is not known. */
export type SeenValue = readonly [id: string, label: string];

/** The values of one place. `at`: when the whole list was read from the platform, in epoch milliseconds, 0 for never. */
export type SeenValues = { readonly at: number; readonly values: readonly SeenValue[] };

type SeenStore = Pick<Store, 'folder'>;

export const idKinds: Readonly<Record<string, LiveKind>> = {
  orgId: 'organizations',
  templateId: 'templates',
  channelId: 'channels',
  clientCredentialId: 'credentials',
  alertPolicyId: 'policies',
  deviceId: 'devices',
};

const mostValues = 500;
const mostPlaces = 60;
const largestSeen = 2 * 1024 * 1024;

/**
 * The key for the place of values. Organizations, credentials and devices belong to a tenant, or to a login of an unknown tenant, columns to a command,
 * and everything else to an organization.
 * @param owner the command or the organization
 */
export function seenKey(kind: LiveKind, { base, ...place }: Place, owner: string | undefined): string {
  const tenant = place.tenantId ?? place.tenant ?? place.account ?? place.firstClientId ?? place.clientId ?? '';
  return JSON.stringify([kind, base, tenant, ...(isOfTenant(kind) ? [] : [owner ?? ''])]);
}

export function isOfTenant(kind: LiveKind): boolean {
  return kind === 'organizations' || kind === 'credentials' || kind === 'devices';
}

/** The values of a place. Any problem with the file counts as no values. */
export function readSeen(store: SeenStore, place: string): SeenValues {
  return readAllSeen(store)[place] ?? { at: 0, values: [] };
}

/** Stores the values of a place, readable only by this user, if the settings folder exists; otherwise, and on any problem, does nothing. */
export async function writeSeen(store: SeenStore, place: string, seen: SeenValues): Promise<void> {
  // Loading the code that writes private files takes as long as a request, so it is loaded only if there is a folder to write to.
  if (!existsSync(store.folder)) return;
  const { [place]: _old, ...others } = readAllSeen(store);
  const kept = Object.entries(others).slice(-(mostPlaces - 1));
  const values = seen.values.slice(0, mostValues);
  const whole = { version: 2, seen: Object.fromEntries([...kept, [place, { at: seen.at, values }]]) };
  const { writePrivately } = await import('../files/private-file.ts');
  // Completions work without the file, for example if the folder is read-only.
  ignoreError(() => writePrivately(seenPath(store), `${JSON.stringify(whole)}\n`));
}

function readAllSeen(store: SeenStore): Record<string, SeenValues> {
  const read = ignoreError(() => readRegular(seenPath(store), { largest: largestSeen }));
  const whole = read && 'bytes' in read ? readRecord(read.bytes.toString('utf8')) : undefined;
  const seen = whole?.version === 2 && isRecord(whole.seen) ? whole.seen : {};
  return Object.fromEntries(Object.entries(seen).filter((entry): entry is [string, SeenValues] => isSeen(entry[1])));
}

function seenPath({ folder }: SeenStore): string {
  return join(folder, 'seen.json');
}

function isSeen(value: unknown): value is SeenValues {
  return isRecord(value) && typeof value.at === 'number' && Array.isArray(value.values) && value.values.every(isPair);
}

function isPair(value: unknown): value is SeenValue {
  return Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'string');
}

/** After a success, stores the used IDs and the shown fields for completions, and removes a deleted ID: for most kinds, the interface has no list. */
export async function rememberIds(
  { name, operation }: Command,
  input: JsonRecord,
  context: Context,
  fields: readonly string[],
): Promise<void> {
  const { settings, store, options } = context;
  const { baseUrl, org } = settings.resolved;
  if (!operation || !baseUrl || options.dryRun) return;
  const here = await placeOf(context);
  await rememberColumns(fields, seenKey('columns', here, name), store);
  const used = Object.keys(operation.params).flatMap((name): [LiveKind, string][] => {
    const value = input[name] ?? (name === 'orgId' ? org?.value : undefined);
    const kind = idKinds[name];
    return kind && typeof value === 'string' && value !== '' ? [[kind, value]] : [];
  });
  // The last ID in the path is that of the deleted thing.
  const target = operation.method === 'DELETE' ? /\{(\w+)\}$/.exec(operation.path)?.[1] : undefined;
  for (const [kind, id] of used) {
    const place = seenKey(kind, here, org?.value);
    const { at, values } = readSeen(store, place);
    const next = kind === idKinds[target ?? ''] ? values.filter(([each]) => each !== id) : withFirst(values, id);
    if (next.length !== values.length || next[0] !== values[0]) await writeSeen(store, place, { at, values: next });
  }
}

/** Stores new names of fields, but none with a comma, which separates names. */
async function rememberColumns(fields: readonly string[], place: string, store: Context['store']): Promise<void> {
  const { values } = readSeen(store, place);
  const further = fields.filter(
    (name) => /^[^,\p{C}]{1,100}$/u.test(name) && !values.some(([known]) => known === name),
  );
  if (further.length === 0) return;
  await writeSeen(store, place, { at: 0, values: [...further.map((name): SeenValue => [name, '']), ...values] });
}

function withFirst(values: readonly SeenValue[], id: string): readonly SeenValue[] {
  const known = values.find(([each]) => each === id);
  return known && known === values[0] ? values : [known ?? [id, ''], ...values.filter((each) => each !== known)];
}
