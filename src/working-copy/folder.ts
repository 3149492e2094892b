import { constants, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { usage } from '../failure.ts';
import { codeOf, fileFailure } from '../files/file-failure.ts';
import { readRegular } from '../files/open-regular.ts';
import { decodeUtf8 } from '../text/utf8.ts';
import type { FrontMatter, Wrong } from './front-matter.ts';
import type { Template } from './template.ts';

/** A file of a folder that may be a template's. */
export type TemplateFile = {
  /** In the folder. */
  readonly name: string;
  readonly path: string;
  /** When it was last written, in epoch milliseconds. */
  readonly writtenAt: number;
  readonly text: string;
  /** The template; or what is wrong with the file; or undefined where it has no front matter, and so is something else. */
  readonly holds: Template | Wrong | undefined;
};

/** A file that holds a template. */
export type GoodFile = TemplateFile & { readonly holds: Template };

const endings = /\.(md|markdown|html?|txt)$/i;
const link = 'it is a link, and links are not followed';

/** Far above the 50,000 characters of a content. */
const largest = 8 * 1024 * 1024;

/**
 * The files of a folder, without those below it, in the order of their names.
 * @returns undefined where there is no such folder
 */
export function readFolder(dir: string, frontMatter: FrontMatter): readonly TemplateFile[] | undefined {
  return fileNames(dir)?.map((name) => readTemplateFile(dir, name, frontMatter));
}

/** Names of files that may be templates', in their order; undefined where there is no such folder. */
export function fileNames(dir: string): readonly string[] | undefined {
  return namesIn(dir)?.filter((name) => endings.test(name));
}

/** One file of a folder. A link is not followed: it could lead anywhere. */
export function readTemplateFile(dir: string, name: string, frontMatter: FrontMatter): TemplateFile {
  const path = join(dir, name);
  const wrong = (why: string) => ({ name, path, writtenAt: 0, text: '', holds: { wrong: why } });
  try {
    if (lstatSync(path).isSymbolicLink()) return wrong(link);
    const { O_RDONLY, O_NOFOLLOW = 0 } = constants;
    const read = readRegular(path, { largest, flags: O_RDONLY | O_NOFOLLOW });
    if ('odd' in read) return wrong(read.odd === 'too large' ? 'it is larger than 8 MiB' : 'it is not a regular file');
    // A byte order mark stays: it may be a content's first character.
    const text = decodeUtf8(read.bytes, 'keep');
    if (text === undefined) return wrong('it is not UTF-8');
    return { name, path, writtenAt: read.found.mtimeMs, text, holds: frontMatter.read(text) };
  } catch (error) {
    if (codeOf(error) === 'ELOOP') return wrong(link);
    if (codeOf(error) === 'ENOENT') return wrong('it is gone');
    throw fileFailure('read', path, error);
  }
}

export function isGood(file: TemplateFile): file is GoodFile {
  return file.holds !== undefined && !('wrong' in file.holds);
}

function namesIn(dir: string): string[] | undefined {
  try {
    return readdirSync(dir).sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    if (codeOf(error) === 'ENOTDIR') throw usage(`${dir} is not a folder.`, 'Name the folder of the templates');
    throw fileFailure('read', dir, error);
  }
}
