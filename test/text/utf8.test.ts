import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeUtf8 } from '../../src/text/utf8.ts';

const mark = [0xef, 0xbb, 0xbf];

describe('decodeUtf8', () => {
  it('keeps or drops the first byte order mark', () => {
    const bytes = Uint8Array.from([...mark, ...mark, 0x61]);
    expect([decodeUtf8(bytes, 'keep'), decodeUtf8(bytes, 'drop')]).toEqual(['\ufeff\ufeffa', '\ufeffa']);
  });

  it('reads bytes as a strict TextDecoder does', () => {
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
});

function decoded(bytes: Uint8Array, ignoreBOM: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM }).decode(bytes);
  } catch {
    return undefined;
  }
}
