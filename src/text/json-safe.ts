/** A JSON object as it was read. It has no prototype, so keys such as `constructor` or `__proto__` are not special. */
export type JsonObject = { [key: string]: Json };

type Json = null | boolean | number | string | Json[] | JsonObject;

type SafeParse = { readonly value: Json } | { readonly wrong: string };

/**
 * Reads JSON text, with or without a byte order mark. An error only gives the position, as a clause ("it is not valid JSON at byte 12, line 2"): the
 * parser's own message quotes the text, which may contain secrets.
 */
export function parseSafely(text: string): SafeParse {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (plain.trim() === '') return { wrong: 'it is empty' };
  try {
    return { value: withoutPrototypes(JSON.parse(plain)) };
  } catch (error) {
    return { wrong: `it is not valid JSON${placeOf(error, plain)}` };
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withoutPrototypes(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) withoutPrototypes(inner);
  return Array.isArray(value) ? value : Object.setPrototypeOf(value, null);
}

// V8 ends a message with the position if it is known. Anchored, because the message may quote the text before it.
function placeOf(error: unknown, text: string): string {
  const message = error instanceof SyntaxError ? error.message : '';
  const found = / in JSON at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message)?.[1];
  if (found === undefined) return message === 'Unexpected end of JSON input' ? ': it ends too early' : '';
  const before = text.slice(0, Number(found));
  return ` at byte ${Buffer.byteLength(before)}, line ${before.split('\n').length}`;
}
