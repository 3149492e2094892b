import { isUtf8 } from 'node:buffer';
import { usage } from '../failure.ts';
import { refuseOtherKinds } from '../files.ts';

/**
 * The text of UTF-8 bytes, piece by piece, without its byte order mark. Wrong bytes are refused, never replaced.
 * @param name of the file, for the sentence
 * @throws usage for UTF-16, for compressed files, for NUL, and for what is not UTF-8, with the offset of the byte
 */
export async function* decoded(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<string, void> {
  let held: Uint8Array = new Uint8Array(0);
  let offset = 0;
  for await (const chunk of chunks) {
    const bytes =
      held.length > 0 ? Buffer.concat([held, chunk]) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    if (offset === 0) refuseOtherKinds(bytes, name);
    const whole = bytes.subarray(0, wholeCharacters(bytes));
    const text = textOf(whole, name, offset);
    yield offset === 0 ? text.replace(/^\ufeff/, '') : text;
    offset += whole.length;
    held = bytes.subarray(whole.length);
  }
  // A character that is cut off at the end.
  if (held.length > 0) textOf(Buffer.from(held), name, offset);
}

function textOf(bytes: Buffer, name: string, offset: number): string {
  const zero = bytes.indexOf(0);
  if (zero >= 0) {
    throw usage(
      `${name} holds a NUL character, at byte ${offset + zero}.`,
      'No text has one; a file in UTF-16 becomes readable with: iconv -f UTF-16 -t UTF-8',
    );
  }
  if (!isUtf8(bytes)) {
    throw usage(
      `${name} is not UTF-8, from byte ${offset + firstWrongByte(bytes)} on.`,
      'Convert it with: iconv -t UTF-8',
    );
  }
  return bytes.toString('utf8');
}

/** How many of the bytes are whole characters, as far as their lead bytes tell. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return lengthFrom(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function lengthFrom(lead: number): number {
  if (lead < 0xc0) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

function firstWrongByte(bytes: Uint8Array): number {
  let good = 0;
  while (good < bytes.length) {
    const next = good + lengthFrom(bytes[good] ?? 0);
    if (next > bytes.length || !isUtf8(bytes.subarray(good, next))) return good;
    good = next;
  }
  return good;
}
