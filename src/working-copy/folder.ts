import { constants, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { usage } from '../failure.ts';
import { codeOf, fileFailure } from '../files/file-failure.ts';
import { readRegular } from '../files/open-regular.ts';
import { pause } from '../text/abort.ts';
import { decodeUtf8 } from '../text/utf8.ts';
import type { FrontMatter, TemplateProblem } from './front-matter.ts';
import type { TemplateDocument } from './template.ts';

/** A file in a folder that may contain a template. */
export type TemplateFile = {
  /** The name within the folder. */
  readonly name: string;
  readonly path: string;
  /** The time of the last write, in epoch milliseconds. */
  readonly writtenAt: number;
  readonly text: string;
  /** The template; or the problem with the file; or undefined without front matter, because then it is something else. */
  readonly template: TemplateDocument | TemplateProblem | undefined;
};

/** A file that contains a template. */
export type GoodFile = TemplateFile & { readonly template: TemplateDocument };

const endings = /\.(md|markdown|html?|txt)$/i;
const link = 'it is a link, and links are not followed';

/** Far more than the 50,000 characters of a content. */
const largest = 8 * 1024 * 1024;

/**
 * The files of a folder, without subfolders, sorted by name.
 * @returns undefined if the folder does not exist
 */
export async function readFolder(
  dir: string,
  frontMatter: FrontMatter,
  signal?: AbortSignal,
): Promise<readonly TemplateFile[] | undefined> {
  const names = fileNames(dir);
  const files: TemplateFile[] = [];
  for (const name of names ?? []) {
    await pause(signal);
    files.push(readTemplateFile(dir, name, frontMatter));
  }
  return names && files;
}

/** Sorted names of files that may contain templates; undefined if the folder does not exist. */
export function fileNames(dir: string): readonly string[] | undefined {
  return namesIn(dir)?.filter((name) => endings.test(name));
}

/** One file of a folder. Links are not followed, because they could lead anywhere. */
export function readTemplateFile(dir: string, name: string, frontMatter: FrontMatter): TemplateFile {
  const path = join(dir, name);
  const wrong = (why: string) => ({ name, path, writtenAt: 0, text: '', template: { wrong: why } });
  try {
    if (lstatSync(path).isSymbolicLink()) return wrong(link);
    const { O_RDONLY, O_NOFOLLOW = 0 } = constants;
    const read = readRegular(path, { largest, flags: O_RDONLY | O_NOFOLLOW });
    if ('irregular' in read)
      return wrong(read.irregular === 'too large' ? 'it is larger than 8 MiB' : 'it is not a regular file');
    // A byte order mark may be the first character of a content, so it is kept.
    const text = decodeUtf8(read.bytes, 'keep');
    if (text === undefined) return wrong('it is not UTF-8');
    return { name, path, writtenAt: read.stats.mtimeMs, text, template: frontMatter.read(text) };
  } catch (error) {
    if (codeOf(error) === 'ELOOP') return wrong(link);
    if (codeOf(error) === 'ENOENT') return wrong('it is gone');
    throw fileFailure('read', path, error);
  }
}

export function isGood(file: TemplateFile): file is GoodFile {
  return file.template !== undefined && !('wrong' in file.template);
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
