import type { Context } from '../context.ts';
import { fieldsOf } from '../contract/check.ts';
import { usage } from '../failure.ts';
import { readText } from '../files.ts';

type ContentInput = { readonly content?: string | undefined; readonly contentFile?: string | undefined };

/** The text of --content, or of the file of --content-file; undefined where neither was given. */
export async function contentOf({ content, contentFile }: ContentInput, context: Context): Promise<string | undefined> {
  if (contentFile === undefined) return content;
  if (content !== undefined) throw usage('--content and --content-file contradict each other.', 'Give one of them');
  return readText(contentFile, '--content-file', context);
}

/** A list, or the empty one that --clear-…s asks for. */
export function listOrCleared<T>(
  flag: string,
  values: readonly T[] | undefined,
  clear: boolean | undefined,
): readonly T[] | undefined {
  if (!clear) return values;
  if (values !== undefined) throw usage(`--${flag} and --clear-${flag}s contradict each other.`, 'Give one of them');
  return [];
}

/** What a person should know before: lists and objects that are given replace the stored ones. */
export function replacing(body: object, names: readonly string[]): string[] {
  const given = names.filter((name) => fieldsOf(body).has(name));
  return given.map((name) => `Replaces all of ${name}: what is not named here goes.`);
}
