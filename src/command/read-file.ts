import { Failure, usage } from '../failure.ts';
import { readRegular, streamAt } from '../files/open-regular.ts';
import { unreadableFailure } from '../text/failure-sentence.ts';
import { lineAt, parseOrdered, unfitIn } from '../text/json.ts';
import { decodeUtf8, refuseOtherKinds, unfit } from '../text/utf8.ts';
import type { Context } from './context.ts';

/** The largest file, in bytes: .NET servers accept bodies of 30,000,000 bytes. */
export const largestFile = 28 * 1024 * 1024;

/**
 * Reads the text of a file that an option names; `-` is standard input.
 * @param writtenBy who wrote the file: one that the tool saved may hold text of the platform, with any characters
 * @throws a usage failure if it is missing, not a file, too large or not UTF-8, or has characters that nobody types
 */
export async function readText(
  path: string,
  option: string,
  context: Pick<Context, 'world' | 'input'>,
  writtenBy: 'person' | 'tool' = 'person',
): Promise<string> {
  const { take, texts } = context.input;
  const known = texts?.get(path);
  if (known !== undefined) return known;
  const stream = streamAt(path);
  const bytes = stream ? await take(option, path) : readBytes(path, option);
  const name = `${option}: ${stream === 'standard input' ? stream : path}`;
  refuseOtherKinds(bytes, name, 'Save it as text in UTF-8');
  const text = decodeUtf8(bytes, 'drop');
  if (text === undefined || (writtenBy === 'person' && unfit.test(text)))
    throw await (await import('../text/unfit-text.ts')).unfitFailure({ name, bytes: () => [bytes] }, 'utf-8', false);
  texts?.set(path, text);
  return text;
}

function readBytes(path: string, option: string): Buffer {
  try {
    const read = readRegular(path, { largest: largestFile });
    if ('bytes' in read) return read.bytes;
    if (read.irregular === 'too large')
      throw usage(`${option} ${path} is larger than 28 MiB, which no platform accepts.`);
    throw usage(`${option} ${path} is not a regular file.`, 'Give a file, or - for standard input');
  } catch (error) {
    if (error instanceof Failure) throw error;
    // Does not repeat a text that was given in place of a file's name, because it may hold a secret.
    if (/^\s*[[{"]|[\r\n]/.test(path))
      throw usage(
        `${option} takes the name of a file, not the text itself.`,
        'Write it to a file, or give - for standard input',
      );
    throw unreadableFailure(`${option} ${path}`, error);
  }
}

/** Reads the JSON of a file, or of standard input for `-`, by {@link parseOrdered}. @throws usage with the line of an invalid, repeated or too deep part */
export async function readJsonFile(path: string, option: string, context: Context): Promise<unknown> {
  return readJson(await readText(path, option, context), `${option} ${path === '-' ? 'standard input' : path}`);
}

/** Reads JSON from a text. @param name the beginning of error messages @throws usage */
export function readJson(text: string, name: string): unknown {
  if (text.trim() === '') throw usage(`${name} is empty.`);
  const read = parseOrdered(text);
  if ('problem' in read) throw usage(`${name} ${read.problem}: see line ${lineAt(text, read.at)}.`);
  const strange = unfitIn(read.value);
  if (strange) throw usage(`${name} has ${strange}.`);
  return read.value;
}
