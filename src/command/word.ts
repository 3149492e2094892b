import type { Schema } from '../contract/schema.ts';
import { milliseconds } from './duration.ts';

/** What a word of the command line means: a value, or why it is none, in words that follow the option's name. */
export type WordValue = { readonly value: unknown } | { readonly refusal: string };

/** Reads one word by a schema. For lists and objects it is one element: a list's item, or a KEY=VALUE pair. */
export function readWord(schema: Schema, word: string): WordValue {
  switch (schema.type) {
    case 'integer':
      return readInteger(schema, word);
    case 'array':
      // Where the interface shows no element, an option gives texts: a tag "7" stays what was typed.
      return schema.items.type === undefined ? { value: word } : readWord(schema.items, word);
    case 'object':
      return readPair(word);
    case undefined:
      // The interface does not show the type: what reads as a whole number is one.
      return { value: wholeNumber.test(word) && Number.isSafeInteger(Number(word)) ? Number(word) : word };
    default:
      return { value: word };
  }
}

const wholeNumber = /^(0|[1-9]\d*)$/;

function readInteger(schema: Extract<Schema, { type: 'integer' }>, word: string): WordValue {
  const takes = rangeOf(schema);
  const value =
    schema.unit === 'seconds' && !wholeNumber.test(word)
      ? secondsOf(word)
      : wholeNumber.test(word)
        ? Number(word)
        : undefined;
  if (value === undefined || !Number.isSafeInteger(value)) return { refusal: takes };
  if (value < (schema.minimum ?? 0) || value > (schema.maximum ?? Number.MAX_SAFE_INTEGER)) return { refusal: takes };
  return { value };
}

function secondsOf(word: string): number | undefined {
  const duration = milliseconds(word);
  return duration === undefined || duration % 1000 !== 0 ? undefined : duration / 1000;
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
