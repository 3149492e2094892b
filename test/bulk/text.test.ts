import { describe, expect, it } from 'vitest';
import { decoded } from '../../src/bulk/text.ts';
import { failureOf } from '../support/failing.ts';
import { pieces } from './texts.ts';

async function textOf(...chunks: readonly (Uint8Array | string)[]): Promise<string> {
  let text = '';
  for await (const piece of decoded(pieces(chunks.map((chunk) => Buffer.from(chunk as string))), 'fleet.csv'))
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
    ['UTF-16, little end first', [0xff, 0xfe, 0x61, 0x00], 'fleet.csv is UTF-16; it has to be UTF-8.'],
    ['UTF-16, big end first', [0xfe, 0xff, 0x00, 0x61], 'fleet.csv is UTF-16; it has to be UTF-8.'],
    ['UTF-16 without a mark', [0x61, 0x00, 0x62, 0x00], 'fleet.csv holds a NUL character, at byte 1.'],
    ['gzip', [0x1f, 0x8b, 0x08], 'fleet.csv is compressed with gzip.'],
  ])('is refused for %s', async (_, bytes, sentence) => {
    expect((await failureOf(textOf(Uint8Array.from(bytes)))).message).toBe(sentence);
  });

  it('names the wrong byte of a later piece by its place in the file', async () => {
    expect((await failureOf(textOf('é'.repeat(10), Uint8Array.of(0x61, 0xff)))).message).toBe(
      'fleet.csv is not UTF-8, from byte 21 on.',
    );
  });
});
