import { readBaseUrl } from '../base-url.ts';
import { type Detail, Failure } from '../failure.ts';
import { refusedInput } from '../input.ts';
import { formats } from '../output/result.ts';
import type { Profile } from '../store/config.ts';
import type { Meaning } from '../words.ts';

type Read = (word: string, key: string) => Meaning;

const text: Read = (word) => ({ value: word });

const truth: Read = (word) =>
  /^(true|false|on|off)$/.test(word) ? { value: word === 'true' || word === 'on' } : { refusal: 'takes true or false' };

const oneOf =
  (...words: readonly string[]): Read =>
  (word) =>
    words.includes(word) ? { value: word } : { refusal: `takes one of ${words.join(', ')}` };

const address: Read = (word, key) => {
  try {
    return { value: readBaseUrl(word, key) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // The sentence begins with the key, as a problem's does by itself.
    return { refusal: error.message.slice(key.length + 1).replace(/\.$/, '') };
  }
};

/** The keys of `profiles set`, and how each reads its word. */
export const profileKeys: Readonly<Record<Exclude<keyof Profile, 'account'>, Read>> = {
  baseUrl: address,
  tenant: text,
  app: text,
  org: text,
  output: oneOf(...formats),
  allowHttp: truth,
  caFile: text,
  batchBody: oneOf('dto', 'input'),
  protected: truth,
  history: truth,
};

/**
 * The values of KEY=VALUE words; undefined for a key that is unset by KEY=.
 * @throws a usage failure that names everything that is wrong
 */
export function readProfileValues(pairs: readonly string[]): Readonly<Record<string, unknown>> {
  const values = new Map<string, unknown>();
  const problems: Detail[] = [];
  for (const pair of pairs) {
    const [key = '', ...rest] = pair.split('=');
    const meaning = meaningOf(key, rest.length === 0 ? undefined : rest.join('='), values.has(key));
    if ('refusal' in meaning) problems.push({ option: key, message: meaning.refusal });
    else values.set(key, meaning.value);
  }
  if (problems.length > 0) throw refusedInput(problems, 'See: iiot profiles set --help');
  return Object.fromEntries(values);
}

function meaningOf(key: string, word: string | undefined, isSecond: boolean): Meaning {
  if (word === undefined) return { refusal: 'is no KEY=VALUE' };
  if (!isProfileKey(key)) return { refusal: `is no key; keys are ${Object.keys(profileKeys).join(', ')}` };
  if (isSecond) return { refusal: 'was given twice' };
  return word === '' ? { value: undefined } : profileKeys[key](word, key);
}

function isProfileKey(key: string): key is keyof typeof profileKeys {
  return Object.hasOwn(profileKeys, key);
}
