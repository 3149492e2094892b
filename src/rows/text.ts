import { type Failure, usage } from '../failure.ts';
import { decodeUtf8, firstWrongByte, refuseOtherKinds } from '../text/utf8.ts';

/**
 * Decodes bytes, piece by piece, without the byte order mark. The encoding is that of the mark, else `encoding`, else UTF-8. Invalid bytes
 * are refused, never replaced.
 * @param name of the file, for error messages
 * @param encoding as `encodingNamed` returns it
 * @throws usage for compressed files, for NUL, and for bytes of another encoding, with the offset of the byte
 */
export async function* decodeText(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  encoding = 'utf-8',
): AsyncGenerator<string, void> {
  let offset = 0;
  let decoder: Decoder | undefined;
  let held = '';
  for await (const bytes of wholeMark(chunks)) {
    const isFirst = !decoder;
    decoder ??= decoderOf(bytes, encoding, name);
    const decoded = decoder.text(bytes, offset);
    const text = held + (isFirst ? decoded.replace(/^\ufeff/, '') : decoded);
    held = text.endsWith(endOfFile) ? endOfFile : '';
    yield text.slice(0, text.length - held.length);
    offset += bytes.length;
  }
  const rest = decoder?.end(offset) ?? '';
  if (rest !== '') yield held + rest;
}

/** DOS ends a text with Ctrl-Z. */
const endOfFile = '\x1a';

function decoderOf(first: Buffer, encoding: string, name: string): Decoder {
  const marked = marks.find(({ bytes }) => first.subarray(0, bytes.length).equals(Buffer.from(bytes)));
  if (!marked) refuseOtherKinds(first, name);
  refuseWorkbooks(first, name);
  const found = marked?.encoding ?? encoding;
  return found === 'utf-8' ? utf8(name) : openDecoder(found, name);
}

const marks = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
] as const;

function refuseWorkbooks(first: Buffer, name: string): void {
  const begins = first.toString('latin1', 0, 4);
  if (begins === 'PK\x03\x04') {
    throw usage(`${name} is a ZIP archive, as workbooks are.`, 'For a workbook give --format xlsx or --format ods');
  }
  if (begins === '\xd0\xcf\x11\xe0') throw oldWorkbookFailure(name);
}

/** A workbook of Excel 2003 or older and one with a password begin with the same bytes. */
export function oldWorkbookFailure(name: string): Failure {
  return usage(
    `${name} is an old Excel workbook (.xls) or has a password.`,
    'Save it as .xlsx without a password, or as "CSV UTF-8"',
  );
}

/** The same bytes, with a first piece that is long enough for any byte order mark, if there are that many bytes. */
async function* wholeMark(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void> {
  let first: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    if (!first) {
      yield bytes;
      continue;
    }
    first = first.length > 0 ? Buffer.concat([first, bytes]) : bytes;
    if (first.length < 4) continue;
    yield first;
    first = undefined;
  }
  if (first && first.length > 0) yield first;
}

function utf8(name: string): Decoder {
  let held: Uint8Array = new Uint8Array(0);
  return {
    text(chunk, at) {
      const offset = at - held.length;
      const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
      const whole = bytes.subarray(0, wholeCharacters(bytes));
      held = bytes.subarray(whole.length);
      return textOf(whole, name, offset);
    },
    // An incomplete character at the end.
    end: (offset) => textOf(Buffer.from(held), name, offset - held.length),
  };
}

function textOf(bytes: Buffer, name: string, offset: number): string {
  const zero = bytes.indexOf(0);
  if (zero >= 0) throw nulFailure(name, `at byte ${offset + zero}`);
  const text = decodeUtf8(bytes, 'keep');
  if (text !== undefined) return text;
  const at = firstWrongByte(bytes);
  const isMaybeDos = (bytes[at] ?? 0) <= lastDosLetter;
  throw usage(
    `${name} is not UTF-8, from byte ${offset + at} on.`,
    isMaybeDos ? `${windowsHint}. ${dosHint}` : windowsHint,
  );
}

/** Up to there, DOS has letters, and Windows quotation marks and dashes. */
const lastDosLetter = 0xa5;
const windowsHint =
  'For a file from an older Windows program, use --encoding windows-1252, or save it in Excel as "CSV UTF-8", or convert it: ' +
  'iconv -f WINDOWS-1252 -t UTF-8';

/** The number of bytes that form complete characters, judged by the lead bytes. */
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

/**
 * Splits a text that comes in pieces into lines, which end with LF, CRLF or CR: `cut` gives the lines that end in the next piece, `rest` the incomplete
 * last line so far.
 */
export function openLineCutter() {
  let rest = '';
  return {
    cut(piece: string): string[] {
      const text = rest + piece;
      // The other half of a CRLF may be in the next piece.
      const end = text.endsWith('\r') ? text.length - 1 : text.length;
      const lines = text.slice(0, end).split(/\r\n|\n|\r/);
      rest = (lines.pop() ?? '') + text.slice(end);
      return lines;
    },
    rest: () => rest,
  };
}

/** Decodes bytes piece by piece; `offset` is the position of a piece in the file. */
type Decoder = {
  readonly text: (bytes: Buffer, offset: number) => string;
  /** The remaining text, after the last byte. */
  readonly end: (offset: number) => string;
};

/** The canonical name for any label of the WHATWG Encoding Standard; undefined for an unknown label. */
export function encodingNamed(word: string): string | undefined {
  try {
    const { encoding } = new TextDecoder(word);
    return encoding;
  } catch {
    return undefined; // unknown, or not included in this build of Node
  }
}

/** @param encoding as `encodingNamed` returns it, but not UTF-8, which text.ts decodes itself */
function openDecoder(encoding: string, name: string): Decoder {
  const decoder = encoding === 'windows-1252' ? { text: windows1252(name), end: () => '' } : standard(encoding, name);
  return {
    end: decoder.end,
    text(bytes, offset) {
      const text = decoder.text(bytes, offset);
      if (text.includes('\0')) throw nulFailure(name, `at byte ${offset} or later`);
      return text;
    },
  };
}

function nulFailure(name: string, where: string): Failure {
  return usage(
    `${name} holds a NUL character, ${where}.`,
    'Text never contains one; for UTF-16 without a byte order mark give --encoding utf-16le',
  );
}

function standard(encoding: string, name: string): Decoder {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  const decodeStrictly = (offset: number, bytes?: Buffer) => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch (cause) {
      throw usage(
        `${name} is not ${encoding.toUpperCase()}, at byte ${offset} or later.`,
        'Name its encoding with --encoding',
      ).with({ cause });
    }
  };
  return { text: (bytes, offset) => decodeStrictly(offset, bytes), end: (offset) => decodeStrictly(offset) };
}

/** The characters 0x80 to 0x9f; five of them are none. */
const special = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

// Not with TextDecoder: that of Node 20 decodes 0x80 to 0x9f as Latin-1.
function windows1252(name: string): Decoder['text'] {
  return (bytes, offset) => {
    const text = bytes.toString('latin1');
    const wrong = text.search(/[\x81\x8d\x8f\x90\x9d]/);
    if (wrong >= 0) throw usage(`${name} is not windows-1252, at byte ${offset + wrong}.`, dosHint);
    return text.replace(controls, (character) => special.charAt(character.charCodeAt(0) - 0x80));
  };
}

const dosHint = 'For a file from DOS, convert it: iconv -f CP850 -t UTF-8';

const controls = /[\u0080-\u009f]/g;
