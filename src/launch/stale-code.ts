/** Removing compiled code that nothing uses any more: of other versions, and of runs that were killed while they wrote. */
import { lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { posix } from 'node:path';
import { isOurs } from './code-file.ts';

const day = 86_400_000;

/** "0.1.0-v20.18.1-x64". */
const folderName = /^\d+\.\d+\.\d+[\w.+-]*-v\d+\.\d+\.\d+[\w.+-]*-\w+$/;

/** "iiot.orgs.users", and behind it the number of a process that is writing it. */
const fileName = /^iiot(?:\.[a-z_-]+){0,2}(\.\d+)?$/i;

/**
 * Removes from the folder of all versions those that were not written for a month, and from the one in use what a killed run left a day ago.
 * What is not ours by its owner and its name stays.
 * @param inUse the folder of this version
 * @param now epoch milliseconds by the clock of the file system
 */
export function removeStaleCode(inUse: string, now: number, process: NodeJS.Process): void {
  const all = posix.dirname(inUse);
  // Who can write there could have a link stand for a folder.
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
