import { constants, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, usage } from '../failure.ts';
import { codeOf, fileFailure } from '../files/file-failure.ts';
import { makeFolder } from '../files/make-folder.ts';
import { readRegular } from '../files/open-regular.ts';
import { writeWhole } from '../files/private-file.ts';
import type { Hashes } from './template.ts';

/** What the templates of a folder contained when they were last equal here and on the platform. */
export type PullRecord = {
  readonly orgId: string | undefined;
  readonly templates: ReadonlyMap<string, PulledTemplate>;
};

/** The file of a template, and the hashes of what it contained. */
export type PulledTemplate = { readonly file: string; readonly hashes: Hashes };

const folderName = '.iiot';
const fileName = 'templates.json';
const version = 1;

/** In bytes: far more than any organization's templates need. */
const largest = 64 * 1024 * 1024;

const restore = 'Restore it from version control. Without the file, every template that differs is a conflict';

/** @throws usage for a file that cannot be parsed: it is never replaced by a guess */
export function readPullRecord(dir: string): PullRecord {
  const path = join(dir, folderName, fileName);
  refuseLink(join(dir, folderName));
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
    const members = [...hashes].map(([name, hash]) => `${JSON.stringify(name)}:${JSON.stringify(hash)}`);
    return `${JSON.stringify(id)}: {"file":${JSON.stringify(file)},"hashes":{${members.join(',')}}}`;
  });
  const head = `"version": ${version},\n"orgId": ${JSON.stringify(orgId)},\n`;
  const text = `{\n${head}"templates": {\n${lines.join(',\n')}\n}\n}\n`;
  const folder = join(dir, folderName);
  const path = join(folder, fileName);
  if (textAt(path) === text) return;
  try {
    makeFolder(folder);
  } catch (error) {
    throw fileFailure('create', folder, error);
  }
  writeWhole(path, text);
}

/** A link in somebody else's repository could lead anywhere, even to a device without an end. */
function textAt(path: string): string | undefined {
  try {
    if (lstatSync(path).isSymbolicLink()) throw notRegular(path);
    const { O_RDONLY, O_NOFOLLOW = 0 } = constants;
    const read = readRegular(path, { largest, flags: O_RDONLY | O_NOFOLLOW });
    if ('irregular' in read) throw notRegular(path);
    return read.bytes.toString('utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw fileFailure('read', path, error);
  }
}

function notRegular(path: string): Failure {
  return usage(`${path} is not a regular file of up to 64 MiB.`, restore);
}

function refuseLink(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found || found.isDirectory()) return;
  throw new Failure('usage', `${folder} is not a folder.`, { hint: 'Remove it, and pull again' });
}

function understood(text: string): PullRecord | undefined {
  const value = parsed(text);
  if (!isObject(value) || value.version !== version || !isObject(value.templates)) return undefined;
  if (value.orgId !== undefined && typeof value.orgId !== 'string') return undefined;
  const templates = new Map<string, PulledTemplate>();
  for (const [id, pulled] of Object.entries(value.templates)) {
    if (!isObject(pulled) || typeof pulled.file !== 'string' || !isObject(pulled.hashes)) return undefined;
    const hashes = Object.entries(pulled.hashes).filter(
      (each): each is [string, string] => typeof each[1] === 'string',
    );
    templates.set(id, { file: pulled.file, hashes: new Map(hashes) });
  }
  return { orgId: value.orgId, templates };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // left over from a merge, for example
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
