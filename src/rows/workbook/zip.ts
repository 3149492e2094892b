import { readSync } from 'node:fs';
import type { Entry, ZipFile } from 'yauzl';
import { Failure, usage } from '../../failure.ts';
import { comparableName } from '../../text/alike.ts';
import { isOldWorkbook, oldWorkbookFailure } from '../../text/utf8.ts';

/** `read` gives the unpacked bytes of a part. @throws usage if the part is missing, cannot be unpacked, or has more than `most` bytes */
export type Archive = { has(part: string): boolean; read(part: string, most?: number): AsyncGenerator<Buffer, void> };

/** A real workbook has a few dozen. */
const mostParts = 10_000;

/** In bytes, unpacked: a sheet with a million rows has half of that. */
export const largestPart = 1024 ** 3;

/** In bytes: the names and comments of all parts. */
const longestDirectory = 16 * 1024 ** 2;

/** Reads the directory of an open file, which stays open. The only file that loads yauzl. @throws usage, with `hint`, if it is not a ZIP archive */
export async function openArchive(file: number, name: string, hint: string): Promise<Archive> {
  const { fromFdPromise } = await import('yauzl');
  const entries = new Map<string, Entry>();
  const names = new Set<string>();
  const broken = (error: unknown) =>
    error instanceof Failure
      ? error
      : new Failure('usage', `${name} cannot be read as a workbook: ${zipProblem(error)}.`, { hint, cause: error });
  let archive: ZipFile;
  try {
    archive = await fromFdPromise(file, { autoClose: false });
    let length = 0;
    for await (const entry of archive.eachEntry()) {
      entries.set(entry.fileName, entry);
      // Programs differ in which part they read. For Excel, names that differ only in case are the same.
      if (names.size === names.add(comparableName(entry.fileName)).size)
        throw usage(`${name} has two parts named ${entry.fileName}.`, 'Save it again with your spreadsheet program');
      length += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
      if (entries.size > mostParts) throw usage(`${name} has more than ${mostParts} parts, which no workbook has.`);
      if (length > longestDirectory) throw tooLargeFailure(name);
    }
  } catch (error) {
    const first = Buffer.alloc(4);
    readSync(file, first, 0, first.length, 0);
    throw isOldWorkbook(first) ? oldWorkbookFailure(name) : broken(error);
  }
  async function* read(part: string, most = largestPart): AsyncGenerator<Buffer, void> {
    const entry = entries.get(part);
    if (!entry) throw usage(`${name} cannot be read as a workbook: it has no part ${part}.`, hint);
    // yauzl stops reading an entry that has more bytes than it declares.
    if (entry.uncompressedSize > most) throw tooLargeFailure(name);
    try {
      for await (const chunk of await archive.openReadStreamPromise(entry)) yield* piecesOfChunk(chunk as Buffer);
    } catch (error) {
      throw broken(error);
    }
  }
  return { has: (part: string) => entries.has(part), read };
}

/** Splits a chunk. All rows of a piece are in memory at once, and a row of 40 bytes can have 16,384 cells. */
function* piecesOfChunk(chunk: Buffer): Generator<Buffer, void> {
  for (let at = 0; at < chunk.length; at += 4096) yield chunk.subarray(at, at + 4096);
}

function zipProblem(error: unknown): string {
  if (error instanceof Error && /not a zip file/i.test(error.message)) return 'it is not one, or it is cut off';
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
}

export function tooLargeFailure(name: string): Failure {
  return usage(`${name} is larger than a workbook that can be imported.`, 'Save its sheet as "CSV UTF-8"');
}
