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

/** What the templates of a folder contained when they were last equal here and in one organization. */
export type PullRecord = {
  /** The name of its file. */
  readonly name: string;
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
 * @throws usage for a file that cannot be parsed: it is never replaced by a guess
 */
export function readPullRecord(dir: string, other?: string): PullRecord {
  const name = other === undefined ? fileName : nameFor(other);
  const folder = join(dir, folderName);
  const there = lstatSync(folder, { throwIfNoEntry: false });
  if (there && !there.isDirectory()) throw usage(`${folder} is not a folder.`, 'Remove it, and pull again');
  const path = join(folder, name);
  const text = textAt(path);
  if (text === undefined) return { name, orgId: other, templates: new Map() };
  const found = understood(text);
  if (found && (other === undefined || isSameId(found.orgId ?? '', other))) return { name, ...found };
  throw usage(`${path} cannot be understood, so it is not known what was pulled.`, restore);
}

/** Unlike the name of the first record, and of that of every other organization, even where the file system ignores case. */
function nameFor(orgId: string): string {
  const id = isGuid(orgId) ? orgId.toLowerCase() : orgId;
  return fileNameOf({ templateId: id, isAmbiguous: id !== id.toLowerCase() }, 'json', (name) => name === fileName);
}

/** Writes the record if it has changed: one line per template, sorted by ID, so that versions can be merged. */
export function writeRecord(dir: string, { name, orgId, templates }: PullRecord): void {
  const sorted = [...templates].sort(([one], [other]) => (one < other ? -1 : 1));
  const lines = sorted.map(([id, { file, hashes }]) => {
    const pulled = { file, hashes: Object.fromEntries(hashes) };
    return `${JSON.stringify(id)}: ${JSON.stringify(pulled)}`;
  });
  const head = `"version": ${version},\n"orgId": ${JSON.stringify(orgId)},\n`;
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
  if (value.orgId !== undefined && typeof value.orgId !== 'string') return undefined;
  const templates = new Map<string, PulledTemplate>();
  for (const [id, pulled] of Object.entries(value.templates)) {
    if (!isRecord(pulled) || typeof pulled.file !== 'string' || !isRecord(pulled.hashes)) return undefined;
    const hashes = Object.entries(pulled.hashes).filter(
      (each): each is [string, string] => typeof each[1] === 'string',
    );
    templates.set(id, { file: pulled.file, hashes: new Map(hashes) });
  }
  return { orgId: value.orgId, templates };
}
