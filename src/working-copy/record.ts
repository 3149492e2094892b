import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isGuid, isSameId } from '../contract/formats.ts';
import { usage } from '../failure.ts';
import { codeOf, fileFailure } from '../files/file-failure.ts';
import { createFolder } from '../files/make-folder.ts';
import { writeWhole } from '../files/private-file.ts';
import { valueIn } from '../text/json.ts';
import { isRecord } from '../text/record.ts';
import { fileNameOf } from './file-name.ts';
import { readUnlinked } from './folder.ts';
import type { PulledTemplate } from './template.ts';

/** What the templates of a folder contained when they were last equal here and in one organization of one platform. */
export type PullRecord = {
  /** The name of its file. */
  readonly name: string;
  /** The platform. */
  readonly origin: string | undefined;
  readonly orgId: string | undefined;
  readonly templates: ReadonlyMap<string, PulledTemplate>;
};

const folderName = '.iiot';
const fileName = 'templates.json';
const version = 1;

/** In bytes: far more than any organization's templates need. */
const largest = 64 * 1024 * 1024;

const restore = 'Restore it from version control: without it, your changes cannot be told apart from those of others';

/**
 * @param other an organization that is not the folder's own, and has its own record beside it
 * @param host of its platform, if that is not the folder's own either
 * @throws usage for a file that cannot be parsed: it is never replaced by a guess
 */
export function readPullRecord(dir: string, other?: string, host?: string): PullRecord {
  const name = other === undefined ? fileName : nameFor(other, host);
  const folder = join(dir, folderName);
  const there = lstatSync(folder, { throwIfNoEntry: false });
  if (there && !there.isDirectory()) throw usage(`${folder} is not a folder.`, 'Remove it, and pull again');
  const path = join(folder, name);
  const text = textAt(path);
  if (text === undefined) return { name, origin: undefined, orgId: other, templates: new Map() };
  const found = understood(text);
  if (found && (other === undefined || isSameId(found.orgId ?? '', other))) return { name, ...found };
  throw usage(`${path} cannot be understood, so iiot cannot tell what was pulled.`, restore);
}

/**
 * What was pushed last from this folder on this machine, which version control does not bring back: if the platform still has it, nobody else has changed
 * anything there.
 */
export function readPushed(dir: string, { name, origin }: PullRecord): PullRecord['templates'] {
  const found = understood(textAt(join(dir, folderName, `${pushed}${name}`)) ?? '');
  return found && found.origin === origin ? found.templates : new Map();
}

export function writePushed(dir: string, record: PullRecord): void {
  if (textAt(join(dir, folderName, '.gitignore')) === undefined) {
    createFolder(join(dir, folderName));
    writeWhole(join(dir, folderName, '.gitignore'), `${pushed}*\n.gitignore\n`);
  }
  writeRecord(dir, { ...record, name: `${pushed}${record.name}` });
}

const pushed = 'pushed-';

/** Unlike the name of the first record, and of that of every other organization, even where the file system ignores case. */
function nameFor(orgId: string, host?: string): string {
  const own = isGuid(orgId) ? orgId.toLowerCase() : orgId;
  const id = host === undefined ? own : `${own}@${host}`;
  return fileNameOf({ templateId: id, isAmbiguous: id !== id.toLowerCase() }, 'json', (name) => name === fileName);
}

/** Writes the record if it has changed: one line per template, sorted by ID, so that versions can be merged. */
export function writeRecord(dir: string, { name, origin, orgId, templates }: PullRecord): void {
  const sorted = [...templates].sort(([one], [other]) => (one < other ? -1 : 1));
  const lines = sorted.map(([id, { file, hashes, before }]) => {
    const pulled = { file, hashes: Object.fromEntries(hashes), before };
    return `${JSON.stringify(id)}: ${JSON.stringify(pulled)}`;
  });
  const place = origin === undefined ? '' : `"origin": ${JSON.stringify(origin)},\n`;
  const head = `"version": ${version},\n${place}"orgId": ${JSON.stringify(orgId)},\n`;
  const text = `{\n${head}"templates": {\n${lines.join(',\n')}\n}\n}\n`;
  const folder = join(dir, folderName);
  const path = join(folder, name);
  if (textAt(path) === text) return;
  createFolder(folder);
  writeWhole(path, text);
}

function textAt(path: string): string | undefined {
  try {
    const read = readUnlinked(path, largest);
    if ('bytes' in read) return read.bytes.toString('utf8');
    throw usage(`${path} is not a regular file of up to 64 MiB.`, restore);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw fileFailure('read', path, error);
  }
}

/** Undefined for what is left over from a merge, for example. */
function understood(text: string): Omit<PullRecord, 'name'> | undefined {
  const value = valueIn(text);
  if (!isRecord(value) || value.version !== version || !isRecord(value.templates)) return undefined;
  const { origin, orgId } = value;
  if (orgId !== undefined && typeof orgId !== 'string') return undefined;
  if (origin !== undefined && typeof origin !== 'string') return undefined;
  const templates = new Map<string, PulledTemplate>();
  for (const [id, pulled] of Object.entries(value.templates)) {
    if (!isRecord(pulled) || typeof pulled.file !== 'string' || !isRecord(pulled.hashes)) return undefined;
    const hashes = Object.entries(pulled.hashes).filter(
      (each): each is [string, string] => typeof each[1] === 'string',
    );
    const before = Array.isArray(pulled.before) && { before: pulled.before.map(String) };
    templates.set(id, { file: pulled.file, hashes: new Map(hashes), ...before });
  }
  return { origin, orgId, templates };
}
