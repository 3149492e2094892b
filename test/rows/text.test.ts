import { describe, expect, it } from 'vitest';
import { decodeText, encodingNamed } from '../../src/rows/text.ts';
import { failureOf } from '../support/failing.ts';
import { pieces } from './texts.ts';

async function textOf(...chunks: readonly (Uint8Array | string)[]): Promise<string> {
  let text = '';
  for await (const piece of decodeText(pieces(chunks.map((chunk) => Buffer.from(chunk as string))), 'fleet.csv'))
    text += piece;
  return text;
}

describe('the text of a file', () => {
  it('has no byte order mark, and keeps one in the middle', async () => {
    expect(await textOf('\ufeffa', '\ufeffb')).toBe('a\ufeffb');
  });

  it('is the same wherever its bytes are cut', async () => {
    const text = 'aé東😀\ufffdz';
    const bytes = Buffer.from(text);
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(await textOf(bytes.subarray(0, at), bytes.subarray(at))).toBe(text);
    }
    expect(await textOf(...[...bytes].map((byte) => Uint8Array.of(byte)))).toBe(text);
  });

  it.each([
    ['a byte that begins nothing', [0x61, 0xff, 0x62], 'fleet.csv is not UTF-8, from byte 1 on.'],
    ['Latin-1', [0x63, 0x61, 0x66, 0xe9, 0x0a], 'fleet.csv is not UTF-8, from byte 3 on.'],
    ['a character that is cut off at the end', [0x61, 0xe6, 0x9d], 'fleet.csv is not UTF-8, from byte 1 on.'],
    ['an overlong form', [0xc0, 0xaf], 'fleet.csv is not UTF-8, from byte 0 on.'],
    ['half of a surrogate pair', [0x61, 0xed, 0xa0, 0x80], 'fleet.csv is not UTF-8, from byte 1 on.'],
    [
      'half of a pair in UTF-16',
      [0xff, 0xfe, 0x00, 0xd8, 0x61, 0x00],
      'fleet.csv is not UTF-16LE, at byte 0 or later.',
    ],
    ['half of a character of UTF-16', [0xfe, 0xff, 0x00, 0x61, 0x00], 'fleet.csv is not UTF-16BE, at byte 5 or later.'],
    ['UTF-16 without a mark', [0x61, 0x00, 0x62, 0x00], 'fleet.csv holds a NUL character, at byte 1.'],
    ['gzip', [0x1f, 0x8b, 0x08], 'fleet.csv is compressed with gzip.'],
  ])('is refused: %s', async (_, bytes, sentence) => {
    expect((await failureOf(textOf(Uint8Array.from(bytes)))).message).toBe(sentence);
  });

  it('names the wrong byte of a later piece by its place in the file', async () => {
    expect((await failureOf(textOf('é'.repeat(10), Uint8Array.of(0x61, 0xff)))).message).toBe(
      'fleet.csv is not UTF-8, from byte 21 on.',
    );
  });

  it('says what to do about bytes of an older encoding', async () => {
    const { hint } = await failureOf(textOf(Uint8Array.of(0xe9, 0x0a)));
    expect(hint).toBe(
      'For a file from an older Windows program, use --encoding windows-1252, or save it in Excel as "CSV UTF-8", or convert it: iconv -f WINDOWS-1252 -t UTF-8',
    );
    const ofDos = await failureOf(textOf(Uint8Array.from([0x5a, 0x81, 0x72, 0x69, 0x63, 0x68])));
    expect(ofDos.hint).toBe(`${hint}. For a file from DOS, convert it: iconv -f CP850 -t UTF-8`);
  });

  it.each([
    ['a\n\x1a', 'a\n'],
    ['a\x1a', 'a'],
    ['\x1a', ''],
    ['a\x1ab\n', 'a\x1ab\n'],
    ['a\x1a\x1a', 'a\x1a'],
  ])('ends before the Ctrl-Z that DOS puts at the end: %j', async (text, expected) => {
    for (const length of [1, 2, 100]) {
      expect(await textIn('utf-8', Buffer.from(text), length)).toBe(expected);
      expect(await textIn('windows-1252', Buffer.from(text), length)).toBe(expected);
    }
  });
});

const every = Uint8Array.from({ length: 255 }, (_, index) => index + 1);
/** The bytes that windows-1252 gives no character. */
const none = [0x81, 0x8d, 0x8f, 0x90, 0x9d];
const letters = every.filter((byte) => !none.includes(byte));

async function textIn(encoding: string, bytes: Uint8Array, length = 1000): Promise<string> {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += length) parts.push(bytes.subarray(at, at + length));
  let text = '';
  for await (const piece of decodeText(pieces(parts), 'fleet.csv', encodingNamed(encoding))) text += piece;
  return text;
}

describe('the text of a file in another encoding', () => {
  it.each(['windows-1252', 'CP1252', 'latin1', 'iso-8859-1'])(
    'is what Windows means by each byte of %s, in every version of Node',
    async (name) => {
      const text = await textIn(name, letters);
      expect(text.slice(0x7f, 0x9a)).toBe('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ');
      expect([text.slice(0, 0x7f), text.slice(0x9a)]).toEqual([
        Buffer.from(every.subarray(0, 0x7f)).toString('latin1'),
        Buffer.from(every.subarray(0x9f)).toString('latin1'),
      ]);
    },
  );

  it.each(none)('is not that of Windows if it has the byte %i, which may be a DOS letter', async (byte) => {
    const { message, hint } = await failureOf(textIn('windows-1252', Uint8Array.from([0x5a, 0x5a, byte, 0x5a]), 2));
    expect([message, hint]).toEqual([
      'fleet.csv is not windows-1252, at byte 2.',
      'For a file from DOS, convert it: iconv -f CP850 -t UTF-8',
    ]);
  });

  it.each([
    ['windows-1250', [0x9a, 0xec, 0x80], 'šě€'],
    ['windows-1251', [0xcf, 0xf0, 0x96], 'Пр–'],
    ['iso-8859-15', [0xa4], '€'],
    ['shift_jis', [0x8d, 0x48, 0x8f, 0xea], '工場'],
    ['utf-16le', [0x61, 0, 0xac, 0x20], 'a€'],
    ['utf-16be', [0, 0x61, 0x20, 0xac], 'a€'],
  ])('is read as %s, wherever its bytes are cut', async (name, bytes, expected) => {
    for (const length of [1, 2, 3, 100]) expect(await textIn(name, Uint8Array.from(bytes), length)).toBe(expected);
  });

  it.each([
    ['UTF-8', [0xef, 0xbb, 0xbf, 0xc3, 0xa9]],
    ['UTF-16, little end first', [0xff, 0xfe, 0xe9, 0]],
    ['UTF-16, big end first', [0xfe, 0xff, 0, 0xe9]],
  ])('is %s if a byte order mark says so, whatever was named', async (_, bytes) => {
    for (const length of [1, 2, 100]) {
      expect(await textIn('windows-1252', Uint8Array.from(bytes), length)).toBe('é');
      expect(await textIn('utf-8', Uint8Array.from(bytes), length)).toBe('é');
    }
  });

  it('is refused if its bytes are not in that encoding, or if that is not an encoding of text', async () => {
    expect((await failureOf(textIn('shift_jis', Uint8Array.of(0x61, 0xff)))).message).toBe(
      'fleet.csv is not SHIFT_JIS, at byte 0 or later.',
    );
    expect((await failureOf(textIn('windows-1252', Uint8Array.of(0x61, 0, 0x62)))).message).toBe(
      'fleet.csv holds a NUL character, at byte 0 or later.',
    );
  });
});
