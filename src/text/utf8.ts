import { isUtf8 } from 'node:buffer';
import { type Failure, usage } from '../failure.ts';
import { ignoreError } from './ignore-error.ts';

/** Decodes UTF-8; undefined for invalid bytes, which are never replaced. @param mark a leading byte order mark; keep one that may be part of the text */
export function decodeUtf8(bytes: Uint8Array, mark: 'drop' | 'keep'): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return mark === 'drop' && text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** UTF-8 without its byte order mark. Invalid bytes are refused, never replaced. */
export function decode(bytes: Uint8Array, name: string): string {
  refuseOtherKinds(bytes, name);
  const text = decodeUtf8(bytes, 'drop');
  if (text === undefined) throw usage(`${name} is not UTF-8.`, 'Save it as UTF-8');
  return text;
}

/** Decodes bytes piece by piece; `end` gives what is left of an incomplete character. */
export type Decoder = {
  readonly write: (bytes: Buffer) => string;
  readonly end: () => string | undefined;
};

/** What no text has that people write: control characters but tabs and line ends, U+FFFD, halves of pairs, and noncharacters. */
export const unfit = /[\0-\x08\x0b\x0c\x0e-\x1f\x80-\x9f\ufffd\p{Cs}\p{Noncharacter_Code_Point}]/u;

/** "U+001B" for the first character of a text. */
export function codePointOf(text: string): string {
  return `U+${(text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Whether the next bytes are UTF-8, or without bytes the end. @param decoder a strict one, which gets all pieces in turn */
export function continuesUtf8(decoder: InstanceType<typeof TextDecoder>, bytes?: Uint8Array): boolean {
  return ignoreError(() => decoder.decode(bytes, { stream: bytes !== undefined })) !== undefined;
}

/** What cannot be in a cell, near enough to show one. */
export const betweenCells = /[\t\r\n,;|"]+/;

/** The words that have letters beyond ASCII, for a person to check how a text was read. Of JSON only names: a value may be a secret. */
export function foreignWords(text: string): string[] {
  const words = text.split(/[\r\n]+/, 10_000).flatMap((line) => {
    const names = [...line.matchAll(/"([^"\\]*)"\s*:/g)].map(([, name = '']) => name);
    return names.length > 0 || line.includes('{') ? names : line.split(betweenCells);
  });
  const foreign = words.map((word) => [word, word.search(/[^\0-\x7f]/)] as const).filter(([, at]) => at >= 0);
  return foreign.map(([word, at]) => word.slice(Math.max(0, at - 10), at + 30).trim());
}

/** Recognizes by their first bytes files that are often mistaken for text. @param name begins the sentence @throws usage with what to do */
export function refuseOtherKinds(first: Uint8Array, name: string, forWorkbooks = 'Save it as "CSV UTF-8"'): void {
  const begins = Buffer.from(first.subarray(0, 4)).toString('latin1');
  if (/^(?:\xff\xfe|\xfe\xff)/.test(begins)) throw usage(`${name} is UTF-16; it must be UTF-8.`, 'Save it as UTF-8');
  if (begins.startsWith('\x1f\x8b'))
    throw usage(`${name} is compressed with gzip.`, 'Read it with: gunzip -c FILE | iiot … -');
  if (begins === 'PK\x03\x04') throw usage(`${name} is a ZIP archive, as workbooks are.`, forWorkbooks);
  if (isOldWorkbook(first)) throw oldWorkbookFailure(name);
}

/** A workbook of Excel 2003 or older and one with a password begin with the same bytes. */
export const isOldWorkbook = (first: Uint8Array): boolean =>
  Buffer.from(first.subarray(0, 4)).toString('latin1') === '\xd0\xcf\x11\xe0';

export function oldWorkbookFailure(name: string): Failure {
  const sentence = `${name} is an old Excel workbook (.xls) or has a password.`;
  return usage(sentence, 'Save it as .xlsx without a password, or as "CSV UTF-8"');
}

/**
 * Text as UTF-8 or, if that is invalid, in the charset that its content type names; undefined if it is neither. A charset that is named without need
 * changes nothing: servers name ISO-8859-1 by default and send UTF-8.
 */
export function decodeAs(bytes: Uint8Array, contentType: string): string | undefined {
  const text = decodeUtf8(bytes, 'drop');
  const charset = /;\s*charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  const isWide = /^utf-?16/i.test(charset);
  // To UTF-8, the zeros in UTF-16 are characters like others.
  if (text !== undefined && !(isWide && text.includes('\0'))) return text;
  const isBigEndian = /^utf-?16$/i.test(charset) && (bytes[0] === 0xfe || bytes[0] === 0);
  // Nobody may know the charset, or it may be the wrong one.
  return ignoreError(() => new TextDecoder(isBigEndian ? 'utf-16be' : charset, { fatal: true }).decode(bytes));
}
