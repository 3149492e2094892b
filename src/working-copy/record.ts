import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { usage } from '../failure.ts';
import { codeOf, fileFailure } from '../files/file-failure.ts';
import { makeFolder } from '../files/make-folder.ts';
import { writeWhole } from '../files/private-file.ts';
import { valueIn } from '../text/json.ts';
import { isRecord } from '../text/record.ts';
import { readUnlinked } from './folder.ts';
import type { PulledTemplate } from './template.ts';

/** What the templates of a folder contained when they were last equal here and on the platform. */
export type PullRecord = {
  readonly orgId: string | undefined;
  readonly templates: ReadonlyMap<string, PulledTemplate>;
};

const folderName = '.iiot';
const fileName = 'templates.json';
const version = 1;

/** In bytes: far more than any organization's templates need. */
const largest = 64 * 1024 * 1024;

const restore = 'Restore it from version control. Without the file, every template that differs is a conflict';

/** @throws usage for a file that cannot be parsed: it is never replaced by a guess */
export function readPullRecord(dir: string): PullRecord {
  const folder = join(dir, folderName);
  const there = lstatSync(folder, { throwIfNoEntry: false });
  if (there && !there.isDirectory()) throw usage(`${folder} is not a folder.`, 'Remove it, and pull again');
  const path = join(folder, fileName);
  const text = textAt(path);
  if (text === undefined) return { orgId: undefined, templates: new Map() };
  const found = understood(text);
  if (found) return found;
  throw usage(`${path} cannot be understood, so it is not known what was pulled.`, restore);
}

/** Writes the record if it has changed: one line per template, sorted by ID, so that versions can be merged. */
export function writeRecord(dir: string, { orgId, templates }: PullRecord): void {
  const sorted = [...templates].sort(([one], [other]) => (one < other ? -1 : 1));
  const lines = sorted.map(([id, { file, hashes }]) => {
    const pulled = { file, hashes: Object.fromEntries(hashes) };
    return `${JSON.stringify(id)}: ${JSON.stringify(pulled)}`;
  });
  const head = `"version": ${version},\n"orgId": ${JSON.stringify(orgId)},\n`;
  const text = `{\n${head}"templates": {\n${lines.join(',\n')}\n}\n}\n`;
  const folder = join(dir, folderName);
  const path = join(folder, fileName);
  if (textAt(path) === text) return;
  createFolder(folder);
  writeWhole(path, text);
}

export function createFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    throw fileFailure('create', folder, error);
  }
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
function understood(text: string): PullRecord | undefined {
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
