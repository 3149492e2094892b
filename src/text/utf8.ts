import { isUtf8 } from 'node:buffer';
import { usage } from '../failure.ts';

/**
 * Decodes UTF-8; undefined for invalid bytes, which are never replaced.
 * @param mark whether to drop a leading byte order mark; keep it if it may be part of the text
 */
export function decodeUtf8(bytes: Uint8Array, mark: 'drop' | 'keep'): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return mark === 'drop' && text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** UTF-8 without its byte order mark. Invalid bytes are refused, never replaced. */
export function decode(bytes: Uint8Array, name: string, option: string): string {
  refuseOtherKinds(bytes, `${option}: ${name}`);
  const text = decodeUtf8(bytes, 'drop');
  if (text !== undefined) return text;
  const sentence = `${option}: ${name} is not UTF-8, from byte ${firstWrongByte(bytes)} on.`;
  throw usage(sentence, 'Convert it with iconv -t UTF-8');
}

/**
 * Detects, by their first bytes, files that are often mistaken for UTF-8 text.
 * @param name begins the sentence
 * @throws usage with a command that converts the file to text
 */
export function refuseOtherKinds([first, second]: Uint8Array, name: string): void {
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw usage(`${name} is UTF-16; it must be UTF-8.`, 'Convert it with: iconv -f UTF-16 -t UTF-8');
  }
  if (first === 0x1f && second === 0x8b) {
    throw usage(`${name} is compressed with gzip.`, 'Read it with: gunzip -c FILE | iiot … -');
  }
}

/** The position of the first character that is not valid UTF-8. */
export function firstWrongByte(bytes: Uint8Array): number {
  const replaced = Buffer.from(Buffer.from(bytes).toString());
  let at = replaced.findIndex((byte, index) => byte !== bytes[index]);
  // Its first bytes may be those of the character that replaces it.
  while (((replaced[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}

/**
 * Text as UTF-8 or, if it is none, in the charset that its content type names; undefined if it is neither. A charset that is named without need
 * changes nothing: servers name ISO-8859-1 by default and send UTF-8.
 */
export function decodeAs(bytes: Uint8Array, contentType: string): string | undefined {
  const text = decodeUtf8(bytes, 'drop');
  const charset = /;\s*charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  const isWide = /^utf-?16/i.test(charset);
  // To UTF-8, the zeros in UTF-16 are characters like others.
  if (text !== undefined && !(isWide && text.includes('\0'))) return text;
  const isBigEndian = /^utf-?16$/i.test(charset) && (bytes[0] === 0xfe || bytes[0] === 0);
  try {
    return new TextDecoder(isBigEndian ? 'utf-16be' : charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined; // a charset that nobody knows, or the wrong one
  }
}
