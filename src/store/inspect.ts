import { accessSync, constants, existsSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asFailure, type Failure } from '../failure.ts';
import { fileFailure, modeText } from '../files/file-failure.ts';
import { fileNamesIn } from '../files/open-regular.ts';
import { dangerOf } from '../files/trust.ts';
import { changeModeCommand } from '../text/shell-lines.ts';
import type { StoreWorld } from './folder.ts';
import { type JsonDocument, readDocument } from './json-document.ts';

/** The facts about a path that `iiot doctor` reports, without its content. */
type InspectedPath = {
  readonly path: string;
  readonly kind: 'missing' | 'file' | 'folder' | 'other';
  /** Octal: "0600". */
  readonly mode?: string;
  readonly problem?: string;
  readonly fix?: string;
};

export type Inspection = {
  readonly folder: InspectedPath;
  readonly files: readonly InspectedPath[];
  /** Paths of broken files that were set aside; they may contain secrets. */
  readonly setAside: readonly string[];
};

/** Inspects the folder and the files of the store without changing anything. */
export function inspectStore(folder: string, files: readonly JsonDocument<unknown>[], world: StoreWorld): Inspection {
  return {
    folder: inspectFolder(folder, world),
    files: files.map((file) => inspectFile(file, world)),
    setAside: listSetAside(folder),
  };
}

/** Lists the paths of broken files that were kept as `<name>.broken-<time>`. */
export function listSetAside(folder: string): string[] {
  const names = fileNamesIn(folder).filter((name) => /^(config|credentials)\.json\.broken-\d+$/.test(name));
  return names.sort().map((name) => join(folder, name));
}

function inspectFolder(folder: string, world: StoreWorld): InspectedPath {
  const { inspected, stats } = inspectPath(folder);
  if (inspected.kind === 'missing') return { ...inspected, ...creationProblem(folder) };
  if (!stats) return inspected;
  if (!stats.isDirectory()) return { ...inspected, problem: `${folder} is not a folder.` };
  const danger = dangerOf(folder, stats, world)?.failure;
  if (danger) return { ...inspected, ...problemAndFix(danger) };
  if (world.platform === 'win32' || (stats.mode & 0o077) === 0) return inspected;
  return { ...inspected, problem: `Others can look into ${folder}.`, fix: changeModeCommand('700', folder) };
}

/** Why the folder cannot be created in its nearest existing parent. */
function creationProblem(folder: string): Pick<InspectedPath, 'problem' | 'fix'> {
  const parent = dirname(folder);
  if (!existsSync(parent) && parent !== folder) return creationProblem(parent);
  try {
    accessSync(parent, constants.W_OK | constants.X_OK);
    return {};
  } catch {
    return { problem: `${parent} is not writable.`, fix: 'Set IIOT_CONFIG_DIR to a folder of your own' };
  }
}

function inspectFile(file: JsonDocument<unknown>, world: StoreWorld): InspectedPath {
  const { inspected, stats } = inspectPath(file.path);
  if (inspected.kind === 'missing') return inspected;
  try {
    readDocument(file, world, true);
  } catch (error) {
    return { ...inspected, ...problemAndFix(asFailure(error)) };
  }
  if (world.platform === 'win32' || !stats?.isFile()) return inspected;
  const fix = changeModeCommand('600', file.path);
  if ((stats.mode & 0o022) !== 0) return { ...inspected, problem: `Others can write to ${file.path}.`, fix };
  return file.secret && (stats.mode & 0o077) !== 0
    ? { ...inspected, problem: `Others can read ${file.path}.`, fix }
    : inspected;
}

/** The facts about a path, and its `stats` if it could be looked at. */
function inspectPath(path: string): { readonly inspected: InspectedPath; readonly stats?: Stats } {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) return { inspected: { path, kind: 'missing' } };
    const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
    return { inspected: { path, kind, mode: modeText(stats.mode) }, stats };
  } catch (error) {
    return { inspected: { path, kind: 'other', ...problemAndFix(fileFailure('look at', path, error)) } };
  }
}

function problemAndFix({ message, facts }: Failure): Pick<InspectedPath, 'problem' | 'fix'> {
  return { problem: message, fix: facts.hint };
}
