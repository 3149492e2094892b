import type { Parameter } from '../contract/operation.ts';
import type { Schema } from '../contract/schema.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Keywords that the contract and the command line add to JSON Schema. */
const ownKeywords = /^(flag|whole|negative|unit|in|short|value|optional|repeated|insteadOf|instead|isPath|forAgents)$/;

const formats: Readonly<Record<string, string>> = { guid: 'uuid' };

/** A schema of the contract or the command line as JSON Schema (2020-12), without the keywords that only the command line reads. */
export function jsonSchema(schema: Schema | Parameter): JsonSchema {
  const entries = Object.entries(schema).flatMap(([word, value]): [string, unknown][] => {
    // A parameter has `required: true`, an object a list of names.
    if (ownKeywords.test(word) || (word === 'required' && value === true)) return [];
    if (word === 'format') return formats[value] === undefined ? [] : [[word, formats[value]]];
    if (word === 'items' || word === 'additionalProperties') return [[word, jsonSchema(value)]];
    if (word !== 'properties') return [[word, value]];
    const properties = Object.entries<Schema>(value).map(([name, property]) => [name, jsonSchema(property)]);
    return [[word, Object.fromEntries(properties)]];
  });
  return Object.fromEntries(entries);
}
