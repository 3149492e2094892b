/** Removes compiled code that is no longer used: of other versions, and of runs that were killed while writing it. */
import { lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { posix } from 'node:path';
import { isOurs } from './code-file.ts';

const day = 86_400_000;

/** A folder name such as "0.1.0-v20.18.1-x64". */
const folderName = /^\d+\.\d+\.\d+[\w.+-]*-v\d+\.\d+\.\d+[\w.+-]*-\w+$/;

/** A file name such as "iiot.orgs.users", with the number of the process that is writing it appended. */
const fileName = /^iiot(?:\.[a-z_-]+){0,2}(\.\d+)?$/i;

/**
 * Removes the folders of other versions that have not been written for a month, and from the one in use the files that a killed run left more than a
 * day ago. Keeps everything that is not ours by owner and name.
 * @param inUse the folder of this version
 * @param now epoch milliseconds by the clock of the file system
 */
export function removeStaleCode(inUse: string, now: number, process: NodeJS.Process): void {
  const all = posix.dirname(inUse);
  // Anybody who can write there could replace a folder with a link.
  if (!isOurs(lstatSync(all), process)) return;
  for (const name of readdirSync(all)) {
    const folder = `${all}/${name}`;
    if (!folderName.test(name)) continue;
    const found = lstatSync(folder);
    if (!found.isDirectory() || !isOurs(found, process)) continue;
    const isOld = folder !== inUse && now - found.mtimeMs > 30 * day;
    removeFiles(folder, (file, written) => isOld || (written !== undefined && now - lstatSync(file).mtimeMs > day));
    if (isOld) rmdirSync(folder);
  }
}

function removeFiles(folder: string, isStale: (path: string, writer: string | undefined) => boolean): void {
  for (const name of readdirSync(folder)) {
    const match = fileName.exec(name);
    if (match && isStale(`${folder}/${name}`, match[1])) unlinkSync(`${folder}/${name}`);
  }
}
