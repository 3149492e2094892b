/** Finds out why a text cannot be read, by reading it once more. Loaded only then. */
import { type Failure, usage } from '../failure.ts';
import { findReadings, openDecoder, type Reading, undoMisreading } from './encodings.ts';
import { betweenCells, codePointOf, continuesUtf8, unfit } from './utf8.ts';

export type TextFile = {
  /** For messages: its path, or "standard input". */
  readonly name: string;
  /** All bytes from the beginning, as often as needed; a byte order mark is whole in the first piece. */
  readonly bytes: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
};

/**
 * The failure for a file with a character that no text has. It says where that is, and how the file reads in the encodings that decode all of it.
 * @param encoding in which the file was read
 * @param hasOption whether `--encoding` can name another
 */
export async function unfitFailure(file: TextFile, encoding: string, hasOption: boolean): Promise<Failure> {
  const { name } = file;
  const { character, where, cell, isJis, isUtf8, isForeign, isDamaged } = await findFirstUnfit(file, encoding);
  if (encoding !== 'utf-8' && isUtf8 && isForeign) return usage(`${name} is UTF-8; leave out --encoding.`);
  const isWrong = encoding === 'utf-8' ? !isUtf8 : character === '\ufffd';
  const sentence = isWrong
    ? `${name} is not ${encoding === 'utf-8' ? 'UTF-8' : encoding}: see ${where}.`
    : `${name} has the character ${codePointOf(character)}, which no text should have: see ${where}${isJis ? '; it looks like ISO-2022-JP' : ''}.`;
  if (isDamaged && encoding === 'utf-8') return usage(sentence, 'The rest of it is UTF-8: retype the text there');
  const before = isUtf8 && /[\x80-\x9f]/.test(cell) ? await undoMisreading(cell) : undefined;
  if (before !== undefined) return usage(sentence, `Retype the text there; it was probably ${JSON.stringify(before)}`);
  const readings = !isUtf8 || isJis || character === '\0' ? await findReadings(file.bytes()) : [];
  const seqHint = character === '\x1e' && 'It comes from jq --seq: jq -c . without --seq writes NDJSON';
  if (!isWrong && readings.length === 0) return usage(sentence, seqHint || 'Retype the text there');
  const hint = hintOf(readings, hasOption);
  return usage(sentence, isDamaged ? `If all else is ${encoding}, retype the text there. ${hint}` : hint);
}

function hintOf(readings: readonly Reading[], hasOption: boolean): string {
  if (hasOption && readings.length > 0)
    return `Use the one that reads right: ${readingList(readings, '--encoding ')}; or save the file as UTF-8`;
  return `Save it as UTF-8${readings.length > 0 ? `. It may be ${readingList(readings)} now` : ''}`;
}

function readingList(readings: readonly Reading[], before = ''): string {
  return readings.map(({ encoding, sample }) => `${before}${encoding}${sample && ` (${sample})`}`).join(', ');
}

/** Says that bytes are not UTF-8, and how they read: "it is not UTF-8: save it as UTF-8; it may be shift_jis (設置場所) now". */
export async function notUtf8(bytes: Uint8Array): Promise<string> {
  const readings = await findReadings([bytes]);
  return `it is not UTF-8: save it as UTF-8${readings.length > 0 ? `; it may be ${readingList(readings)} now` : ''}`;
}

async function findFirstUnfit({ bytes }: TextFile, encoding: string) {
  const decoder = await openDecoder(encoding);
  const strict = new TextDecoder('utf-8', { fatal: true });
  const found = { character: '', where: '', cell: '', isJis: false, isUtf8: true, isForeign: false };
  const seen = { unfit: 0, foreign: 0, line: 1, column: 1, held: '' };
  const readPiece = (piece: string, isLast = false) => {
    const text = seen.held + piece;
    seen.held = text.endsWith('\r') && !isLast ? '\r' : '';
    const whole = text.slice(0, text.length - seen.held.length);
    const at = found.character === '' ? whole.search(unfit) : -1;
    const lines = (at < 0 ? whole : whole.slice(0, at)).split(/\r\n|\n|\r/);
    seen.column = (lines.length > 1 ? 1 : seen.column) + [...(lines.at(-1) ?? '').replace('\ufeff', '')].length;
    seen.line += lines.length - 1;
    if (at >= 0) {
      found.character = String.fromCodePoint(whole.codePointAt(at) ?? 0);
      found.isJis = /^\x1b(?:\$[@B]|\([BIJ])/.test(whole.slice(at, at + 3));
      // A value of JSON may be a secret.
      if (!whole.includes('{'))
        found.cell = `${whole.slice(0, at).split(betweenCells).at(-1)}${whole.slice(at).split(betweenCells)[0]}`;
      found.where = `line ${seen.line}, column ${seen.column}`;
    }
    seen.unfit += whole.split(unfit).length - 1;
    seen.foreign += whole.match(/[^\0-\x7f]/g)?.length ?? 0;
  };
  for await (const chunk of bytes()) {
    readPiece(decoder.write(Buffer.from(chunk)));
    found.isUtf8 &&= continuesUtf8(strict, chunk);
    found.isForeign ||= chunk.some((byte) => byte >= 0x80);
  }
  readPiece(decoder.end() ?? '', true);
  found.isUtf8 &&= continuesUtf8(strict);
  const isFew = encoding === 'utf-8' ? !found.isUtf8 && seen.unfit * 2 < seen.foreign : seen.unfit * 20 < seen.foreign;
  return { ...found, isDamaged: isFew };
}
