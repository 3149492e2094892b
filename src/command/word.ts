import type { Schema } from '../contract/schema.ts';
import { milliseconds } from './time.ts';

/** The words before a `--`, behind which there is an inner command, or values that may begin with a hyphen. */
export function ownWords(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end < 0 ? argv : argv.slice(0, end);
}

/** The value of a word of the command line, or the reason why it is refused, as text that follows the option's name. */
export type WordValue = { readonly value: unknown } | { readonly refusal: string };

/** Reads one word by a schema: for a list one item, for an object one KEY=VALUE pair. */
export function readWord(schema: Schema, word: string): WordValue {
  switch (schema.type) {
    case 'integer':
      return readInteger(schema, word);
    case 'array':
      // If the interface does not show the element type, options give strings: a tag "7" stays "7".
      return schema.items.type === undefined ? { value: word } : readWord(schema.items, word);
    case 'object':
      return readPair(word);
    case undefined:
      // The interface does not show the type: a word that looks like an integer becomes one.
      return { value: wholeNumber.test(word) && Number.isSafeInteger(Number(word)) ? Number(word) : word };
    default:
      return { value: word };
  }
}

const wholeNumber = /^(0|[1-9]\d*)$/;

function readInteger(schema: Extract<Schema, { type: 'integer' }>, word: string): WordValue {
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER, unit } = schema;
  const duration = unit === 'seconds' ? milliseconds(word) : undefined;
  const value = wholeNumber.test(word) ? Number(word) : (duration ?? Number.NaN) / 1000;
  const isWithin = Number.isSafeInteger(value) && value >= minimum && value <= maximum;
  return isWithin ? { value } : { refusal: rangeOf(schema) };
}

function rangeOf({ minimum, maximum, unit }: Extract<Schema, { type: 'integer' }>): string {
  if (unit === 'seconds') return 'takes whole seconds, or a duration such as 90s, 5m, 2h';
  if (minimum !== undefined && maximum !== undefined) return `takes a whole number from ${minimum} to ${maximum}`;
  return `takes a whole number, ${minimum ?? 0} or more`;
}

function readPair(word: string): WordValue {
  const split = word.indexOf('=');
  if (split < 0) return { refusal: 'takes KEY=VALUE' };
  return { value: [word.slice(0, split), word.slice(split + 1)] };
}

/** Whether an option may be given several times. */
export function isRepeatable({ type }: Schema): boolean {
  return type === 'array' || type === 'object';
}

/** Adds a value, as `readWord` returns it, to an input. @returns the reason if it is refused, as text that follows the option's name */
export function addValue(
  input: Record<string, unknown>,
  name: string,
  schema: Schema,
  value: unknown,
): string | undefined {
  if (schema.type === 'object') {
    const [key, text] = value as [string, string]; // readWord returns pairs for objects
    // A Map, so that keys such as __proto__ or "10" are ordinary keys and keep their order.
    const pairs = (input[name] as Map<string, string> | undefined) ?? new Map<string, string>(); // only this function writes it
    if (pairs.has(key)) return `names "${key}" more than once`;
    input[name] = pairs.set(key, text);
  } else if (schema.type === 'array') {
    const list = (input[name] as unknown[] | undefined) ?? []; // only this function writes it
    list.push(value);
    input[name] = list;
  } else {
    const words = schema.type === 'string' ? schema.enum : undefined;
    if (words && !words.includes(String(value))) return `takes one of ${words.join(', ')}`;
    input[name] = value;
  }
  return undefined;
}

/** The separators of lists, from keyboards of any language. */
export const listMarks = /[,;\u3001\uff0c\uff1b\uff64]/;

/** The values of a word that looks like a list of words ("day,night"), addresses or URLs, maybe in brackets or quotes. Undefined for "Hall 3, north". */
export function valuesIn(word: string): readonly string[] | undefined {
  if (!listMarks.test(word)) return undefined;
  const parts = word.split(listMarks).map((part) => part.replace(/^[\s["']+|(?<![\s\]"'])[\s\]"']+$/g, ''));
  const values = parts.filter((part) => part !== '');
  return values.length > 0 && kinds.some((kind) => values.every((value) => kind.test(value))) ? values : undefined;
}

/** Words without blanks, addresses, and URLs. */
const kinds = [/^(?!.*:\/\/)[^\s"{}]+$/, /@/, /:\/\//];

/** Matches a blank before an option or behind its name that shells do not take for a space. It is the last character of the match. */
export const wrongBlank =
  /[\u00a0\u2000-\u200b\u202f\u3000\ufeff](?=--[a-z])|^[\u00a0\u2000-\u200b\u202f\u3000\ufeff](?=-)|^--[a-z-]+[\u00a0\u2000-\u200b\u202f\u3000\ufeff]/i;
