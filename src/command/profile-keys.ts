import { isAbsolute, resolve } from 'node:path';
import { asFailure, type FailureDetail, refusedInput } from '../failure.ts';
import { readBaseUrl } from '../network/base-url.ts';
import { isWords, type ProfileField, profileFields } from '../store/config.ts';
import { valueIn } from '../text/json.ts';
import type { JsonRecord } from '../text/record.ts';
import type { WordValue } from './word.ts';

/** The values of KEY=VALUE words; undefined for a key that KEY= removes. @throws a usage failure with all problems */
export function readProfileValues(pairs: readonly string[]): JsonRecord {
  const values = new Map<string, unknown>();
  const problems: FailureDetail[] = [];
  for (const pair of pairs) {
    const [key = '', ...rest] = pair.split('=');
    const read = readPair(key, rest.length === 0 ? undefined : rest.join('='), values.has(key));
    if ('refusal' in read) problems.push({ option: key, message: read.refusal });
    else values.set(key, read.value);
  }
  if (problems.length > 0) throw refusedInput(problems, 'See iiot profiles set --help');
  return Object.fromEntries(values);
}

function readPair(key: string, word: string | undefined, isRepeated: boolean): WordValue {
  if (word === undefined) return { refusal: 'is not KEY=VALUE' };
  if (!isProfileKey(key)) return { refusal: `is not a key; the keys are ${Object.keys(profileFields).join(', ')}` };
  if (isRepeated) return { refusal: 'was given twice' };
  return word === '' ? { value: undefined } : readValue(key, word, profileFields[key]);
}

function readValue(key: string, word: string, schema: ProfileField): WordValue {
  // The only list is `secretCommand`.
  if (schema.type === 'array') return readProgram(word);
  if (schema.type === 'boolean') {
    if (!/^(true|false|on|off)$/.test(word)) return { refusal: 'takes true or false' };
    return { value: word === 'true' || word === 'on' };
  }
  if (schema.format === 'uri') return readUrl(word, key);
  if (schema.enum && !schema.enum.includes(word)) return { refusal: `takes one of ${schema.enum.join(', ')}` };
  if (schema.maxLength && word.length > schema.maxLength)
    return { refusal: `takes at most ${schema.maxLength} characters` };
  // The next command may run in another folder.
  return { value: schema.isPath ? resolve(word) : word };
}

function readUrl(word: string, key: string): WordValue {
  try {
    return { value: readBaseUrl(word, key) };
  } catch (error) {
    // The message begins with the key, which `refusedInput` adds again.
    const { message } = asFailure(error);
    return { refusal: message.slice(key.length + 1).replace(/\.$/, '') };
  }
}

/** The words of a program. No shell starts it, so quotes, variables, pipes and redirects would reach it as plain text. */
function readProgram(text: string): WordValue {
  const isArray = text.trim().startsWith('[');
  const words = isArray ? valueIn(text) : text.trim().split(/\s+/);
  if (!isWords(words)) return { refusal: 'takes a program and its arguments, such as ["pass","show","iiot"]' };
  if (!isArray && /[`"'$|&;<>]/.test(text))
    return { refusal: 'is run without a shell; write it as a JSON array of words' };
  const [program = ''] = words;
  if (!isAbsolute(program) && /[\\/]/.test(program))
    return { refusal: 'takes a program in PATH, or its absolute path' };
  return { value: words };
}

function isProfileKey(key: string): key is keyof typeof profileFields {
  return Object.hasOwn(profileFields, key);
}
