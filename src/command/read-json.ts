import type { Node, ParseError } from 'jsonc-parser';
import { usage } from '../failure.ts';
import type { Context } from './context.ts';
import { readText } from './read-file.ts';

/** ASP.NET accepts 32 to 64 levels. */
const deepest = 64;

/**
 * The JSON of a file named by an option; `-` is standard input. Objects become Maps, so that their keys keep their order and keys such as
 * `__proto__` or "10" are ordinary keys. Integers beyond 2^53 become BigInt.
 * @throws a usage failure with the line of invalid JSON, of a duplicate key, or of too deep nesting
 */
export async function readJsonFile(path: string, option: string, context: Context): Promise<unknown> {
  return readJson(await readText(path, option, context), `${option} ${path === '-' ? 'standard input' : path}`);
}

/** The same for a text. Error messages begin with `name`. */
export async function readJson(text: string, name: string): Promise<unknown> {
  if (text.trim() === '') throw usage(`${name} is empty.`);
  refuseDepth(text, name);
  const { parseTree } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  const [error] = errors;
  if (error || !tree) throw usage(`${name} is not JSON: see line ${lineAt(text, error?.offset ?? 0)}.`);
  return jsonValue(tree, text, name);
}

function jsonValue(node: Node, text: string, name: string): unknown {
  if (node.type === 'array') return (node.children ?? []).map((child) => jsonValue(child, text, name));
  if (node.type === 'number') {
    const number = numberOf(text.slice(node.offset, node.offset + node.length));
    // JSON.stringify would send it as null.
    if (Math.abs(Number(number)) === Infinity)
      throw usage(`${name} has a number that is too large: see line ${lineAt(text, node.offset)}.`);
    return number;
  }
  if (node.type !== 'object') return node.value;
  const fields = new Map<string, unknown>();
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? [];
    if (!key || !value) continue;
    if (fields.has(key.value)) {
      throw usage(
        `${name} has the key ${JSON.stringify(key.value)} twice in one object: see line ${lineAt(text, key.offset)}.`,
      );
    }
    fields.set(key.value, jsonValue(value, text, name));
  }
  return fields;
}

function numberOf(digits: string): number | bigint {
  const number = Number(digits);
  return /^-?\d+$/.test(digits) && !Number.isSafeInteger(number) ? BigInt(digits) : number;
}

/** Checked before parsing, because the parser is recursive. */
function refuseDepth(text: string, name: string): void {
  let depth = 0;
  for (const [mark] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"?|[[\]{}]/gs)) {
    if (mark === '[' || mark === '{') depth += 1;
    else if (mark === ']' || mark === '}') depth -= 1;
    if (depth > deepest) throw usage(`${name} is nested more than ${deepest} levels deep, which no platform reads.`);
  }
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
