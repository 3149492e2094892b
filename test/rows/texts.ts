import type { Row, Rows } from '../../src/rows/row.ts';
import { failureOf } from '../support/failing.ts';

/** Pieces of a text, as a reader gets them. */
export async function* pieces<T>(parts: readonly T[]): AsyncGenerator<T, void> {
  yield* parts;
}

/** A text cut into pieces of so many characters. */
export function cut(text: string, length: number): string[] {
  const characters = [...text];
  const parts: string[] = [];
  for (let at = 0; at < characters.length; at += length) parts.push(characters.slice(at, at + length).join(''));
  return parts;
}

export async function all(rows: Rows): Promise<Row[]> {
  const found: Row[] = [];
  for await (const handful of rows) found.push(...handful);
  return found;
}

/** A text that does not end. Throws where more than a little over 1 MiB of it is read. */
export async function* endless(beginning: string): AsyncGenerator<string, void> {
  yield beginning;
  for (let given = 0; given < 20; given += 1) yield 'x'.repeat(65_536);
  throw new Error('It is read without end.');
}

/** The sentence with which reading fails. */
export async function refusal(rows: Rows): Promise<string> {
  const { kind, message } = await failureOf(all(rows));
  return kind === 'usage' ? message : `${kind}: ${message}`;
}

/** Rows as plain values: line, and value or problem. */
export function plain(rows: readonly Row[]): unknown[] {
  return rows.map((row) => [row.line, 'problem' in row ? row.problem : plainValue(row.value)]);
}

/** Maps as lists of pairs, in their order; long integers as JSON.parse reads them. */
export function plainValue(value: unknown): unknown {
  if (value instanceof Map) return [...value].map(([key, inner]) => [key, plainValue(inner)]);
  if (Array.isArray(value)) return value.map(plainValue);
  return typeof value === 'bigint' ? Number(value) : value;
}
