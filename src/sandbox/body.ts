import type { Operation } from '../contract/operation.ts';
import { outlineOf, valueIn } from '../text/json.ts';
import { decodeUtf8 } from '../text/utf8.ts';
import { invalidField, Refusal } from './handler.ts';

/** 28 MiB; Kestrel, the usual server of such platforms, has a limit of 30,000,000 bytes. */
const maximumBodyBytes = 28 * 1024 * 1024;

/** Deeper JSON is refused; ASP.NET's parsers have a limit of 64 as well. */
const maximumDepth = 64;

/** Reads the bytes of a body. @throws Refusal 413 as soon as there are too many */
export async function readBytes(request: Request): Promise<Uint8Array> {
  const announced = request.headers.get('content-length');
  if (announced !== null) {
    if (Number(announced) > maximumBodyBytes) throw tooLarge();
    return Number(announced) > 0 ? new Uint8Array(await request.arrayBuffer()) : nothing;
  }
  // Without a length, the body may still arrive in chunks. A GET has none, and looking for one takes time.
  if (request.method === 'GET') return nothing;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maximumBodyBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const nothing = new Uint8Array();

function tooLarge(): Refusal {
  return new Refusal(413, 'BodyTooLarge', 'The body is larger than 28 MB.', { headers: { connection: 'close' } });
}

type BodyType = NonNullable<Operation['bodyType']>;

/** Parses a body of JSON or form fields as an object. @throws Refusal 415 for another type, and 400 if it cannot be parsed */
export function parseBody(expected: BodyType, contentType: string | null, bytes: Uint8Array): object {
  if (bytes.byteLength === 0) throw invalidField('', 'is required');
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type !== expected && !(expected === 'application/json' && /^application\/[\w.-]+\+json$/.test(type))) {
    throw new Refusal(415, 'UnsupportedMediaType', `The body must be ${expected}.`);
  }
  const text = decodeUtf8(bytes, 'drop');
  if (text === undefined) throw invalidField('', 'is not UTF-8');
  return expected === 'application/json' ? parseJson(text) : Object.fromEntries(new URLSearchParams(text));
}

function parseJson(text: string): object {
  if (outlineOf(text).deepest > maximumDepth) throw invalidField('', `is nested more than ${maximumDepth} deep`);
  const value = valueIn(text);
  if (value === undefined) throw invalidField('', 'is not JSON');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidField('', 'takes an object');
  return value;
}
