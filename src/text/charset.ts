import { decodeUtf8 } from './utf8.ts';

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
