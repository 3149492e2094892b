import { constants, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { usage } from '../failure.ts';
import { codeOf, fileFailure } from '../files/file-failure.ts';
import { readRegular } from '../files/open-regular.ts';
import { handleSignals } from '../text/abort.ts';
import { decodeUtf8 } from '../text/utf8.ts';
import { openFrontMatter, type TemplateProblem } from './front-matter.ts';
import type { TemplateDocument } from './template.ts';

export type TemplateFile = {
  readonly name: string;
  readonly path: string;
  /** The time of the last write, in epoch milliseconds. */
  readonly writtenAt: number;
  readonly text: string;
  /** The template, or the problem with the file. Undefined without front matter: then the file is something else. */
  readonly template: TemplateDocument | TemplateProblem | undefined;
};

export type GoodFile = TemplateFile & { readonly template: TemplateDocument };

/** In bytes: far more than the 50,000 characters of a content. */
const largest = 8 * 1024 * 1024;

/** Reads the files of a folder, without subfolders, sorted by name. @returns undefined if the folder does not exist */
export async function readFolder(dir: string, signal?: AbortSignal): Promise<readonly TemplateFile[] | undefined> {
  const names = readFileNames(dir);
  const files: TemplateFile[] = [];
  for (const name of names ?? []) {
    await handleSignals(signal);
    files.push(await readTemplateFile(dir, name));
  }
  return names && files;
}

/** Lists the names of the files that may contain templates, sorted; undefined if the folder does not exist. */
export function readFileNames(dir: string): readonly string[] | undefined {
  try {
    return readdirSync(dir)
      .filter((name) => /\.(md|markdown|html?|txt)$/i.test(name))
      .sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    if (codeOf(error) === 'ENOTDIR') throw usage(`${dir} is not a folder.`, 'Name the folder of the templates');
    throw fileFailure('read', dir, error);
  }
}

export async function readTemplateFile(dir: string, name: string): Promise<TemplateFile> {
  const path = join(dir, name);
  const frontMatter = await openFrontMatter();
  const wrong = (why: string) => ({ name, path, writtenAt: 0, text: '', template: { wrong: why } });
  try {
    const read = readUnlinked(path, largest);
    if ('irregular' in read) return wrong(irregularWords[read.irregular]);
    // A byte order mark may be the first character of a content, so it is kept.
    const text = decodeUtf8(read.bytes, 'keep');
    if (text === undefined) return wrong(await (await import('../text/unfit-text.ts')).notUtf8(read.bytes));
    return { name, path, writtenAt: read.stats.mtimeMs, text, template: frontMatter.read(text) };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return wrong('it is gone');
    throw fileFailure('read', path, error);
  }
}

const irregularWords = {
  link: 'it is a link, and links are not followed',
  'too large': 'it is larger than 8 MiB',
  folder: 'it is not a regular file',
  'device or a pipe': 'it is not a regular file',
} as const;

/** Reads a file, but not through a link: in a foreign repository, it could lead anywhere, even to an endless device. @throws the system's error */
export function readUnlinked(
  path: string,
  most: number,
): ReturnType<typeof readRegular> | { readonly irregular: 'link' } {
  const { O_RDONLY, O_NOFOLLOW = 0 } = constants;
  try {
    if (lstatSync(path).isSymbolicLink()) return { irregular: 'link' };
    return readRegular(path, { largest: most, flags: O_RDONLY | O_NOFOLLOW });
  } catch (error) {
    if (codeOf(error) === 'ELOOP') return { irregular: 'link' };
    throw error;
  }
}

export function isGood(file: TemplateFile): file is GoodFile {
  return file.template !== undefined && !('wrong' in file.template);
}
