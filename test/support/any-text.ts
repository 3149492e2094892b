import fc from 'fast-check';

const surrogates = { first: 0xd800, count: 0x800 };

/**
 * Any character, for `fc.string({ unit })`. fast-check's own `binary` is the same, and makes a table of all of them first, which takes a second in each
 * process of the tests.
 */
export const character = fc.nat(0x10_ffff - surrogates.count).map(
  (index) => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count),
  (text) => {
    if (typeof text !== 'string' || [...text].length !== 1) throw new Error('Not a character.');
    const point = text.codePointAt(0) ?? 0;
    if (point >= surrogates.first && point < surrogates.first + surrogates.count) throw new Error('Half a character.');
    return point < surrogates.first ? point : point - surrogates.count;
  },
);
