import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeUtf8, firstWrongByte } from '../../src/text/utf8.ts';

const mark = [0xef, 0xbb, 0xbf];

describe('UTF-8', () => {
  it('keeps a byte order mark or drops it, and only one of two', () => {
    const bytes = Uint8Array.from([...mark, ...mark, 0x61]);
    expect([decodeUtf8(bytes, 'keep'), decodeUtf8(bytes, 'drop')]).toEqual(['\ufeff\ufeffa', '\ufeffa']);
  });

  it('is read as a strict TextDecoder reads it', () => {
    const piece = fc.oneof(fc.uint8Array({ maxLength: 4 }), fc.string({ unit: 'grapheme' }).map(Buffer.from));
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const bytes = Buffer.concat(pieces);
        expect([decodeUtf8(bytes, 'drop'), decodeUtf8(bytes, 'keep')]).toEqual([
          decoded(bytes, false),
          decoded(bytes, true),
        ]);
      }),
    );
  });

  it.each([
    ['a byte that begins nothing', [0x61, 0x80], 1],
    ['a character that is cut by another one', [0x61, 0xe2, 0x82, 0x61], 1],
    ['a character that is cut by the end', [0x61, 0xc3, 0xa4, 0xe2, 0x82], 3],
    ['half a surrogate pair', [...mark, 0xed, 0xa0, 0x80], 3],
    ['nothing before it', [0xff], 0],
  ])('is wrong from a byte on: %s', (_, bytes, at) => {
    expect([decodeUtf8(Uint8Array.from(bytes), 'drop'), firstWrongByte(Uint8Array.from(bytes))]).toEqual([
      undefined,
      at,
    ]);
  });
});

function decoded(bytes: Uint8Array, ignoreBOM: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM }).decode(bytes);
  } catch {
    return undefined;
  }
}
