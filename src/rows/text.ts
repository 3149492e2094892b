import { StringDecoder } from 'node:string_decoder';
import type { TextFile } from '../text/unfit-text.ts';
import { type Decoder, foreignWords, refuseOtherKinds, unfit } from '../text/utf8.ts';

/**
 * Decodes a file, piece by piece, without the byte order mark. The encoding is that of the mark, else `encoding`. Characters that no text has are refused,
 * never replaced.
 * @param encoding a name that `encodingNamed` returns
 * @param onRead called once at the end if the text was not UTF-8, with a sentence that shows how it was read
 * @throws usage for compressed files, for bytes of another encoding, and for characters that no text has, with their line and column
 */
export async function* decodeText(
  file: TextFile,
  encoding = 'utf-8',
  onRead?: (sentence: string) => void,
): AsyncGenerator<string, void> {
  let read: { readonly encoding: string; readonly decoder: Decoder } | undefined;
  let [held, sample] = ['', ''];
  const refuseUnfit = async (text: string, found: string) => {
    if (unfit.test(text)) throw await (await import('../text/unfit-text.ts')).unfitFailure(file, found, true);
    if (found !== 'utf-8') sample ||= foreignWords(text).slice(0, 3).join(', ');
    return text;
  };
  for await (const chunk of file.bytes()) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    const isFirst = !read;
    read ??= await openDecoderFor(bytes, encoding, file.name);
    const text = held + read.decoder.write(bytes);
    held = text.endsWith(endOfFile) ? endOfFile : '';
    const whole = text.slice(0, text.length - held.length);
    yield await refuseUnfit(isFirst ? whole.replace(/^\ufeff/, '') : whole, read.encoding);
  }
  if (!read) return;
  const rest = (held + (read.decoder.end() ?? '')).replace(/\x1a$/, '');
  if (rest !== '') yield await refuseUnfit(rest, read.encoding);
  if (read.encoding !== 'utf-8') onRead?.(`Read as ${read.encoding}${sample === '' ? '' : `: ${sample}`}`);
}

/** Ctrl-Z, with which DOS ends a text. */
const endOfFile = '\x1a';

async function openDecoderFor(first: Buffer, given: string, name: string) {
  const marked = marks.find(({ bytes }) => first.subarray(0, bytes.length).equals(Buffer.from(bytes)));
  const encoding = marked?.encoding ?? given;
  if (!marked) refuseOtherKinds(first, name, 'For a workbook give --format xlsx or --format ods');
  if (encoding === 'utf-8') return { encoding, decoder: new StringDecoder('utf8') };
  return { encoding, decoder: await (await import('../text/encodings.ts')).openDecoder(encoding) };
}

const marks = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
] as const;

type LineCutter = { cut(piece: string): string[]; rest(): string };

/** Splits a text in pieces into lines (LF, CRLF or CR). `cut` takes the next piece and returns the lines that it completes, `rest` the incomplete last line. */
export function openLineCutter(): LineCutter {
  let rest = '';
  return {
    cut(piece) {
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
