import { Failure, usage } from '../failure.ts';
import { readRegular, streamAt } from '../files/open-regular.ts';
import { unreadableFailure } from '../text/failure-sentence.ts';
import { lineAt, parseOrdered, unfitIn } from '../text/json.ts';
import { decodeUtf8, refuseOtherKinds, unfit } from '../text/utf8.ts';
import type { Context } from './context.ts';

/** The largest file, in bytes: .NET servers accept bodies of 30,000,000 bytes. */
export const largestFile = 28 * 1024 * 1024;

/**
 * The text of a file named by an option; `-` is standard input.
 * @param option as it was given, for error messages
 * @param by who wrote it: the tool wrote what the platform has, which may be anything
 * @throws a usage failure if it is missing, not a file, too large or not UTF-8, or has characters that nobody types
 */
export async function readText(
  path: string,
  option: string,
  context: Pick<Context, 'world' | 'input'>,
  by: 'a person' | 'the tool' = 'a person',
): Promise<string> {
  const { take, texts } = context.input;
  const known = texts?.get(path);
  if (known !== undefined) return known;
  const stream = streamAt(path);
  const bytes = stream ? await take(option, path) : bytesOfOption(path, option);
  const name = `${option}: ${stream === 'standard input' ? stream : path}`;
  refuseOtherKinds(bytes, name, 'Save it as text in UTF-8');
  const text = decodeUtf8(bytes, 'drop');
  if (text === undefined || (by === 'a person' && unfit.test(text)))
    throw await (await import('../text/unfit-text.ts')).unfitFailure({ name, bytes: () => [bytes] }, 'utf-8', false);
  texts?.set(path, text);
  return text;
}

function bytesOfOption(path: string, option: string): Buffer {
  try {
    const read = readRegular(path, { largest: largestFile });
    if ('bytes' in read) return read.bytes;
    if (read.irregular === 'too large')
      throw usage(`${option} ${path} is larger than 28 MiB, which no platform accepts.`);
    throw usage(`${option} ${path} is not a regular file.`, 'Give a file, or - for standard input');
  } catch (error) {
    if (error instanceof Failure) throw error;
    // The text itself, given in the place of its file, may hold a secret.
    if (/^\s*[[{"]|[\r\n]/.test(path))
      throw usage(
        `${option} takes the name of a file, not the text itself.`,
        'Write it to a file, or give - for standard input',
      );
    throw unreadableFailure(`${option} ${path}`, error);
  }
}

/** The JSON of a file, or of standard input for `-`, as {@link parseOrdered} reads it. @throws usage with the line of what is invalid, twice or nested too deep */
export async function readJsonFile(path: string, option: string, context: Context): Promise<unknown> {
  return readJson(await readText(path, option, context), `${option} ${path === '-' ? 'standard input' : path}`);
}

/** The same for a text. Error messages begin with `name`. */
export function readJson(text: string, name: string): unknown {
  if (text.trim() === '') throw usage(`${name} is empty.`);
  const read = parseOrdered(text);
  const strange = 'value' in read ? unfitIn(read.value) : undefined;
  if (strange) throw usage(`${name} has ${strange}.`);
  if ('value' in read) return read.value;
  throw usage(`${name} ${read.problem}: see line ${lineAt(text, read.at)}.`);
}
