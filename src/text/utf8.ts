import { isUtf8 } from 'node:buffer';
import { type Failure, usage } from '../failure.ts';
import { ignoreError } from './ignore-error.ts';

/** Decodes UTF-8. Undefined for invalid bytes, which are never replaced. @param mark what to do with a leading byte order mark */
export function decodeUtf8(bytes: Uint8Array, mark: 'drop' | 'keep'): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return mark === 'drop' && text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Decodes a file of UTF-8 without its byte order mark. @throws usage for invalid bytes, which are never replaced */
export function decodeFile(bytes: Uint8Array, name: string): string {
  refuseOtherKinds(bytes, name);
  const text = decodeUtf8(bytes, 'drop');
  if (text === undefined) throw usage(`${name} is not UTF-8.`, 'Save it as UTF-8');
  return text;
}

/** Decodes bytes piece by piece. `end` returns the rest of an incomplete character. */
export type Decoder = {
  readonly write: (bytes: Buffer) => string;
  readonly end: () => string | undefined;
};

/** A character that no text of people has: a control character except tabs and line ends, U+FFFD, half of a pair, or a noncharacter. */
export const unfit = /[\0-\x08\x0b\x0c\x0e-\x1f\x80-\x9f\ufffd\p{Cs}\p{Noncharacter_Code_Point}]/u;

/** "U+001B" for the first character of a text. */
export function codePointOf(text: string): string {
  return `U+${(text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Whether the next bytes, or without bytes the end, are valid UTF-8. @param decoder a strict one, which gets all pieces in turn */
export function continuesUtf8(decoder: InstanceType<typeof TextDecoder>, bytes?: Uint8Array): boolean {
  return ignoreError(() => decoder.decode(bytes, { stream: bytes !== undefined })) !== undefined;
}

/** Separates cells, precisely enough to show one. */
export const betweenCells = /[\t\r\n,;|"]+/;

/** The words with letters beyond ASCII, so that a person can check how a text was read. Of JSON only names, because a value may be a secret. */
export function foreignWords(text: string): string[] {
  const words = text.split(/[\r\n]+/, 10_000).flatMap((line) => {
    const names = [...line.matchAll(/"([^"\\]*)"\s*:/g)].map(([, name = '']) => name);
    return names.length > 0 || line.includes('{') ? names : line.split(betweenCells);
  });
  const foreign = words.map((word) => [word, word.search(/[^\0-\x7f]/)] as const).filter(([, at]) => at >= 0);
  return foreign.map(([word, at]) => word.slice(Math.max(0, at - 10), at + 30).trim());
}

/** Refuses files that are often mistaken for text, by their first bytes. @param name begins the sentence @throws usage with a hint */
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
 * Decodes a text as UTF-8 or, if it is not valid, in the charset of its content type. Undefined if it is neither. UTF-8 comes first, because servers name
 * ISO-8859-1 by default and send UTF-8.
 */
export function decodeAs(bytes: Uint8Array, contentType: string): string | undefined {
  const text = decodeUtf8(bytes, 'drop');
  const charset = /;\s*charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  const isWide = /^utf-?16/i.test(charset);
  // Text in UTF-16 can be valid UTF-8 with zeros.
  if (text !== undefined && !(isWide && text.includes('\0'))) return text;
  const isBigEndian = /^utf-?16$/i.test(charset) && (bytes[0] === 0xfe || bytes[0] === 0);
  // The charset may be unknown or wrong.
  return ignoreError(() => new TextDecoder(isBigEndian ? 'utf-16be' : charset, { fatal: true }).decode(bytes));
}
