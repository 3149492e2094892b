import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isGuid, isSameId } from '../contract/formats.ts';
import { usage } from '../failure.ts';
import { codeOf, fileFailure } from '../files/file-failure.ts';
import { createFolder } from '../files/make-folder.ts';
import { removeIfEmpty, tryToRemove, writeWhole } from '../files/private-file.ts';
import { isSamePlatform, type Place, readPlace, sameTenant } from '../place.ts';
import { valueIn } from '../text/json.ts';
import { isRecord } from '../text/record.ts';
import { fileNameOf } from './file-name.ts';
import { readUnlinked } from './folder.ts';
import type { PulledTemplate } from './template.ts';

/** The state of a folder's templates when they were last the same in the folder and in one organization. */
export type PullRecord = {
  readonly name: string;
  /** Never with an account, because version control shows the record to others. */
  readonly place: Place | undefined;
  /** Whether an earlier version has written it, which recorded only the origin of the base URL, without its path. */
  readonly isOld?: boolean;
  readonly orgId: string | undefined;
  readonly templates: ReadonlyMap<string, PulledTemplate>;
};

const folderName = '.iiot';
const fileName = 'templates.json';
const version = 1;

/** In bytes: far more than any organization's templates need. */
const largest = 64 * 1024 * 1024;

const advice = 'Restore it from version control: without it, your changes cannot be told apart from those of others';

/** Reads the record for another organization or place than the folder's own. @param from the folder's own place, if it is another one */
export function readOtherRecord(dir: string, orgId: string, here: Place, from?: Place): PullRecord {
  // Earlier versions have left out https.
  const platform = `@${here.base.replace(/^https:\/\//, '')}`;
  const isOtherTenant = from !== undefined && isSamePlatform(from, here);
  for (const where of [...(from ? [] : ['']), ...(isOtherTenant ? [] : [platform])]) {
    const record = readPullRecord(dir, recordName(orgId, where), orgId);
    if (!isElsewhere(record, here)) return record;
  }
  return readPullRecord(dir, recordName(orgId, `${platform}@${here.tenantId ?? here.tenant}`), orgId);
}

export function isElsewhere({ place }: Pick<PullRecord, 'place'>, here: Place): boolean {
  return place !== undefined && sameTenant(place, here) === 'other';
}

/** The record with this place. A recorded tenant stays if nothing tells whether it is the tenant of this place. */
export function recordAt(record: PullRecord, { base, tenant, tenantId }: Place): PullRecord {
  const here = { base, tenant, tenantId };
  const { place = here } = record;
  const match = sameTenant(place, here);
  if (match === 'unknown' && (place.tenant ?? place.tenantId) !== undefined) return record;
  const merged = match === 'same' ? { tenant: tenant ?? place.tenant, tenantId: tenantId ?? place.tenantId } : {};
  return { ...record, place: { ...here, ...merged }, isOld: false };
}

/** Reads a record; an empty one if there is none. @param orgId the organization, if not the folder's own @throws usage for a file that cannot be parsed */
export function readPullRecord(dir: string, name = fileName, orgId?: string): PullRecord {
  const folder = join(dir, folderName);
  const status = lstatSync(folder, { throwIfNoEntry: false });
  if (status && !status.isDirectory()) throw usage(`${folder} is not a folder.`, 'Remove it, and pull again');
  const path = join(folder, name);
  const text = readTextAt(path);
  if (text === undefined) return { name, place: undefined, orgId, templates: new Map() };
  const found = readRecordText(text);
  if (found && (orgId === undefined || isSameId(found.orgId ?? '', orgId))) return { name, ...found };
  if (Number(Object(valueIn(text)).version) > version)
    throw usage(`${path} was written by a newer version of iiot.`, 'Update iiot');
  throw usage(`${path} cannot be understood, so iiot cannot tell what was pulled.`, advice);
}

/** Reads what this machine pushed last, which is not under version control. If the platform still has it, nobody else has changed anything. */
export function readPushed(dir: string, { name }: PullRecord, here: Place): PullRecord['templates'] {
  const found = readRecordText(readTextAt(join(dir, folderName, `${pushedPrefix}${name}`)) ?? '');
  return found && !isElsewhere(found, here) ? found.templates : new Map();
}

/** Writes what this machine has pushed, into a file that .gitignore excludes. */
export function writePushed(dir: string, record: PullRecord): void {
  if (readTextAt(join(dir, folderName, '.gitignore')) === undefined) {
    createFolder(join(dir, folderName));
    writeWhole(join(dir, folderName, '.gitignore'), `${pushedPrefix}*\n.gitignore\n`);
  }
  writeRecord(dir, { ...record, name: `${pushedPrefix}${record.name}` });
}

const pushedPrefix = 'pushed-';

/** A file name that no other record has, not even where the file system ignores case. */
function recordName(orgId: string, where: string): string {
  const id = (isGuid(orgId) ? orgId.toLowerCase() : orgId) + where;
  return fileNameOf({ templateId: id, isAmbiguous: id !== id.toLowerCase() }, 'json', (name) => name === fileName);
}

/** Writes the record if it has changed: one line per template, sorted by ID, so that versions can be merged. */
export function writeRecord(dir: string, { name, place, isOld, orgId, templates }: PullRecord, mode?: number): void {
  const sorted = [...templates].sort(([one], [other]) => (one < other ? -1 : 1));
  const lines = sorted.map(([id, { file, hashes, before }]) => {
    const pulled = { file, hashes: Object.fromEntries(hashes), before };
    return `${JSON.stringify(id)}: ${JSON.stringify(pulled)}`;
  });
  const facts = { version, origin: place && new URL(place.base).origin, ...(!isOld && place), orgId };
  const head = JSON.stringify(facts, undefined, 1).replaceAll('\n ', '\n').slice(0, -2);
  const text = `${head},\n"templates": {\n${lines.join(',\n')}\n}\n}\n`;
  const folder = join(dir, folderName);
  const path = join(folder, name);
  if (readTextAt(path) === text) return;
  if (Buffer.byteLength(text) > largest) throw usage(`${path} would be larger than 64 MiB, so it is not written.`);
  createFolder(folder);
  writeWhole(path, text, mode);
}

/** Removes the records of a temporary folder of this program. */
export function removeRecord(dir: string): void {
  for (const name of [fileName, `${pushedPrefix}${fileName}`, '.gitignore']) tryToRemove(join(dir, folderName, name));
  removeIfEmpty(join(dir, folderName));
}

function readTextAt(path: string): string | undefined {
  try {
    const read = readUnlinked(path, largest);
    if ('bytes' in read) return read.bytes.toString('utf8');
    throw usage(`${path} is not a regular file of up to 64 MiB.`, advice);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw fileFailure('read', path, error);
  }
}

/** Parses a record; undefined for anything else, such as a file with merge conflicts. */
function readRecordText(text: string): Omit<PullRecord, 'name'> | undefined {
  const value = valueIn(text);
  if (!isRecord(value) || value.version !== version || !isRecord(value.templates)) return undefined;
  const { orgId } = value;
  if (orgId !== undefined && typeof orgId !== 'string') return undefined;
  const { base = value.origin, tenant, tenantId } = readPlace(value) ?? {};
  if (base !== undefined && (typeof base !== 'string' || !URL.canParse(base))) return undefined;
  const place = base === undefined ? undefined : { base, tenant, tenantId };
  const templates = new Map<string, PulledTemplate>();
  for (const [id, pulled] of Object.entries(value.templates)) {
    if (!isRecord(pulled) || typeof pulled.file !== 'string' || !isRecord(pulled.hashes)) return undefined;
    const hashes = Object.entries(pulled.hashes).filter(
      (each): each is [string, string] => typeof each[1] === 'string',
    );
    const before = Array.isArray(pulled.before) && { before: pulled.before.map(String) };
    templates.set(id, { file: pulled.file, hashes: new Map(hashes), ...before });
  }
  return { place, isOld: value.base === undefined, orgId, templates };
}
