/** IDs, names, and names of fields that this machine has seen on platforms, for completions. No secrets. Losing them costs nothing. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRegular } from '../files/open-regular.ts';
import type { Store } from '../store/store.ts';
import { isRecord } from '../text/record.ts';
import type { LiveKind } from './values.ts';

/** An ID and its name; '' if the name is not known. */
export type SeenValue = readonly [id: string, label: string];

/** The values of one place; `at` is when the complete list was read from the platform, in epoch milliseconds, 0 for never. */
export type SeenValues = { readonly at: number; readonly values: readonly SeenValue[] };

type SeenStore = Pick<Store, 'folder' | 'writePrivately'>;
type SeenByPlace = Record<string, SeenValues>;

const mostValues = 500;
const mostPlaces = 60;
const largest = 2 * 1024 * 1024;

/**
 * Where a value was seen: organizations, credentials and devices belong to a platform, columns to a command, everything else to an organization.
 * @param owner the command, or the organization
 */
export function placeOf(kind: LiveKind, base: string, owner: string | undefined): string {
  const ofPlatform = kind === 'organizations' || kind === 'credentials' || kind === 'devices';
  return JSON.stringify(ofPlatform ? [kind, base] : [kind, base, owner ?? '']);
}

/** The values of a place. Any problem with the file counts as no values. */
export function readSeen(store: SeenStore, place: string): SeenValues {
  return everything(store)[place] ?? { at: 0, values: [] };
}

/** Stores the values of a place, readable only by this user, if the settings folder exists; otherwise, and on any problem, does nothing. */
export async function writeSeen(store: SeenStore, place: string, seen: SeenValues): Promise<void> {
  // What writes a private file takes as long to load as a whole request, so it is loaded only for a folder to write to.
  if (!existsSync(store.folder)) return;
  const { [place]: _old, ...others } = everything(store);
  const kept = Object.entries(others).slice(-(mostPlaces - 1));
  const values = seen.values.slice(0, mostValues);
  const whole = { version: 1, seen: Object.fromEntries([...kept, [place, { at: seen.at, values }]]) };
  try {
    await store.writePrivately(pathOf(store), `${JSON.stringify(whole)}\n`);
  } catch {
    // The folder is read-only: completions work without it.
  }
}

function everything(store: SeenStore): SeenByPlace {
  try {
    const whole: unknown = JSON.parse(readText(pathOf(store)));
    const seen = isRecord(whole) && whole.version === 1 && isRecord(whole.seen) ? whole.seen : {};
    return Object.fromEntries(Object.entries(seen).filter((entry): entry is [string, SeenValues] => isSeen(entry[1])));
  } catch {
    return {};
  }
}

function readText(path: string): string {
  const read = readRegular(path, { largest });
  return 'bytes' in read ? read.bytes.toString('utf8') : '';
}

function pathOf({ folder }: SeenStore): string {
  return join(folder, 'seen.json');
}

function isSeen(value: unknown): value is SeenValues {
  return isRecord(value) && typeof value.at === 'number' && Array.isArray(value.values) && value.values.every(isPair);
}

function isPair(value: unknown): value is SeenValue {
  return Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'string');
}
