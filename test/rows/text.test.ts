import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../src/rows/text.ts';
import { failureOf } from '../support/failing.ts';

/** What the reader gives, and what it says of its reading. */
async function readingOf(chunks: readonly (Uint8Array | string)[], encoding?: string) {
  const said: string[] = [];
  let text = '';
  const bytes = () => chunks.map((chunk) => Buffer.from(chunk as string));
  for await (const piece of decodeText({ name: 'fleet.csv', bytes }, encoding, (sentence) => said.push(sentence)))
    text += piece;
  return { text, said };
}

const textOf = async (...chunks: readonly (Uint8Array | string)[]) => (await readingOf(chunks)).text;

async function textIn(encoding: string, bytes: Uint8Array, length = 1000): Promise<string> {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += length) parts.push(bytes.subarray(at, at + length));
  return (await readingOf(parts, encoding)).text;
}

const hintOf = async (...parts: Parameters<typeof readingOf>) => (await failureOf(readingOf(...parts))).hint;

describe('the text of a file', () => {
  it('loses a byte order mark at its start only', async () => {
    expect(await textOf('\ufeffa', '\ufeffb')).toBe('a\ufeffb');
  });

  it('is the same however its bytes are divided into pieces', async () => {
    const text = 'aé東😀z';
    const bytes = Buffer.from(text);
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(await textOf(bytes.subarray(0, at), bytes.subarray(at))).toBe(text);
    }
    expect(await textOf(...[...bytes].map((byte) => Uint8Array.of(byte)))).toBe(text);
  });

  it.each([
    ['a byte that begins nothing', [0x61, 0xff, 0x62], 'is not UTF-8: see line 1, column 2.'],
    ['Latin-1', [0x0a, 0x61, 0x66, 0xe9, 0x0a], 'is not UTF-8: see line 2, column 3.'],
    ['a character that is cut off at the end', [0x61, 0xe6, 0x9d], 'is not UTF-8: see line 1, column 2.'],
    ['an overlong form', [0xc0, 0xaf], 'is not UTF-8: see line 1, column 1.'],
    ['half of a surrogate pair', [0x61, 0xed, 0xa0, 0x80], 'is not UTF-8: see line 1, column 2.'],
    [
      'half of a pair in UTF-16',
      [0xff, 0xfe, 0x0d, 0, 0x00, 0xd8, 0x61, 0x00],
      'is not utf-16le: see line 2, column 1.',
    ],
    ['half of a character of UTF-16', [0xfe, 0xff, 0x00, 0x61, 0x00], 'is not utf-16be: see line 1, column 2.'],
    ['UTF-16 without a mark', [0x61, 0x00, 0x62, 0x00], /U\+0000,.* 1, column 2\.$/],
    ['gzip', [0x1f, 0x8b, 0x08], 'is compressed with gzip.'],
    ['an old workbook', [0xd0, 0xcf, 0x11, 0xe0], /an old Excel workbook/],
  ])('is refused for %s', async (_, bytes, sentence) => {
    expect((await failureOf(textOf(Uint8Array.from(bytes)))).message).toEqual(
      typeof sentence === 'string' ? `fleet.csv ${sentence}` : expect.stringMatching(sentence),
    );
  });

  it.each(['\x07', '\x1b', '\x80', '\u0085', '\u009f', '\ufffd', '\ufdd0', '\uffff', '\u{1fffe}'])(
    'is refused at the line and column of the character %j',
    async (character) => {
      const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
      const { message } = await failureOf(textOf(`a,é\r\nb,😀${character}`));
      expect(message).toMatch(new RegExp(`^fleet\\.csv has the character U\\+${code},.* see line 2, column 4\\.$`));
    },
  );

  it('keeps tabs, line ends, soft hyphens, joiners and private-use characters', async () => {
    const text = 'a\tb\r\nc\rd\u00ad\u200d\ue000\u{f0000}\x7f\u00a0';
    expect(await textOf(text)).toBe(text);
  });

  it('is refused at the damaged place, without a proposal of another encoding, if the rest is UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('Süd, Straße\n設置'), Uint8Array.of(0xe5, 0xa0)]);
    const { message, hint } = await failureOf(textOf(bytes));
    expect([message, hint]).toEqual([
      'fleet.csv is not UTF-8: see line 2, column 3.',
      'The rest of it is UTF-8: retype the text there',
    ]);
  });

  it.each([
    ['a\n\x1a', 'a\n'],
    ['a\x1a', 'a'],
    ['\x1a', ''],
  ])('ends before the Ctrl-Z that DOS appends: %j', async (text, expected) => {
    for (const length of [1, 2, 100])
      for (const encoding of ['utf-8', 'windows-1252', 'shift_jis'])
        expect(await textIn(encoding, Buffer.from(text), length)).toBe(expected);
    expect((await failureOf(textOf('a\x1ab\n'))).message).toMatch(/U\+001A,.* line 1, column 2/);
  });
});

const every = Uint8Array.from({ length: 255 }, (_, index) => index + 1);
/** The bytes that windows-1252 gives no character, and those of control characters. */
const isNone = (byte: number) =>
  [0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(byte) || (byte < 0x20 && ![9, 10, 13].includes(byte));

describe('the text of a file in another encoding', () => {
  it('in windows-1252 is what Windows reads for each byte', async () => {
    const text = await textIn(
      'windows-1252',
      every.filter((byte) => !isNone(byte)),
    );
    expect(text.slice(99, 126)).toBe('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ');
    expect(text.slice(126)).toBe(Buffer.from(every.subarray(0x9f)).toString('latin1'));
  });

  it.each([...every].filter(isNone))('is refused in windows-1252 for the byte %i', async (byte) => {
    expect((await failureOf(textIn('windows-1252', Uint8Array.of(0x5a, byte, 0x5a), 2))).message).toMatch(
      /^fleet\.csv (?:is not windows-1252|has the character U\+00[01].,.*): see line 1, column 2/,
    );
  });

  it.each([
    ['windows-1250', [0x9a, 0xec, 0x80], 'šě€'],
    ['windows-1251', [0xcf, 0xf0, 0x96], 'Пр–'],
    ['iso-8859-15', [0xa4], '€'],
    ['shift_jis', [0x8d, 0x48, 0x8f, 0xea], '工場'],
    ['iso-2022-jp', [0x1b, 0x24, 0x42, 0x39, 0x29, 0x3e, 0x6c, 0x1b, 0x28, 0x42], '工場'],
    ['windows-949', [0x8c, 0x63, 0xbe, 0xe7, 0xb2, 0xe1], '똠양꿍'],
    ['big5-hkscs', [0x91, 0x6f, 0x96, 0xf5], '鰂埗'],
    ['gb18030', [0x61, 0x95, 0x34, 0xb2, 0x35, 0xd2, 0xb0], 'a𠮷野'],
    ['macintosh', [0xdb, 0x9f, 0xa7], '€üß'],
    ['cp850', [0x81, 0xe1], 'üß'],
    ['utf-16le', [0x61, 0, 0xac, 0x20], 'a€'],
    ['utf-16be', [0, 0x61, 0x20, 0xac], 'a€'],
  ])('in %s is the same however its bytes are divided into pieces', async (name, bytes, expected) => {
    for (const length of [1, 2, 3, 100]) expect(await textIn(name, Uint8Array.from(bytes), length)).toBe(expected);
  });

  it.each([
    ['UTF-8', [0xef, 0xbb, 0xbf, 0xc3, 0xa9]],
    ['UTF-16, little end first', [0xff, 0xfe, 0xe9, 0]],
    ['UTF-16, big end first', [0xfe, 0xff, 0, 0xe9]],
  ])('is read as %s if its byte order mark says so, whatever --encoding says', async (_, bytes) => {
    expect(await textIn('windows-1252', Uint8Array.from(bytes))).toBe('é');
    expect(await textIn('utf-8', Uint8Array.from(bytes), 4)).toBe('é');
  });

  it('is reported once with its encoding and its first non-ASCII words', async () => {
    const sjis = Buffer.from([0x69, 0x64, 0x2c, 0x8d, 0x48, 0x8f, 0xea, 0x0a, 0x31, 0x2c, 0x93, 0x8c, 0x0a]);
    expect((await readingOf([sjis], 'shift_jis')).said).toEqual(['Read as shift_jis: 工場, 東']);
    expect((await readingOf([Buffer.from('\ufeffa,é\n', 'utf16le')])).said).toEqual(['Read as utf-16le: é']);
    expect((await readingOf([Buffer.from('a,b\n')], 'shift_jis')).said).toEqual(['Read as shift_jis']);
    for (const text of ['a,é\n', '\ufeffa,é\n']) expect((await readingOf([text])).said).toEqual([]);
  });
});

describe('the hint for a file whose bytes are not those of its encoding', () => {
  it('shows the first words in each encoding that can read the whole file', async () => {
    const korean = [Uint8Array.of(0xbc, 0xb3, 0xc4, 0xa1, 0x0a)];
    const hint = await hintOf(korean);
    expect(hint).toMatch(/: --encoding shift_jis \(ｼｳﾄ｡\), --encoding windows-949 \(설치\), /);
    expect(hint?.split('--encoding')).toHaveLength(5);
  });

  it('is the same if a wrong encoding was given', async () => {
    const bytes = [Uint8Array.of(0x8d, 0x48, 0x8f, 0xea, 0x0a)];
    expect(await hintOf(bytes, 'iso-8859-2')).toBe(await hintOf(bytes));
  });

  it('proposes ISO-2022-JP and UTF-16 without a byte order mark', async () => {
    const jis = Buffer.from('\x1b$B9)>l\x1b(B,a\n');
    expect(await hintOf([jis])).toBe(
      'Use the one that reads right: --encoding iso-2022-jp (工場); or save the file as UTF-8',
    );
    expect(await hintOf([Buffer.from('é,a\n', 'utf16le')])).toMatch(/: --encoding utf-16le \(é\); /);
  });

  it('shows the words in which the proposed encodings differ', async () => {
    const czech = Buffer.from('4d6973746f2c556d69737485ed0a50f8ed6c69b92c6b6f6e650a'.replace('85', ''), 'hex');
    expect(await hintOf([czech])).toMatch(/windows-1250 \([^)]*Přílią.*iso-8859-2 \([^)]*Příliš/);
  });

  it('proposes a Latin encoding if only signs such as ° are not ASCII', async () => {
    expect(await hintOf([Buffer.from('25 °,± 3\n', 'latin1')])).toMatch(/--encoding windows-1252 \(25 °, ± 3\)/);
  });

  it('proposes the given encoding if the file has one broken place, and so does the hint without --encoding', async () => {
    const whole = spawnSync('iconv', ['-t', 'CP932'], { input: '設置場所,担当者\n'.repeat(40) }).stdout;
    const broken = Buffer.concat([whole, Buffer.of(0x8f, 0x0a)]);
    expect(await failureOf(readingOf([broken], 'shift_jis'))).toMatchObject({
      message: 'fleet.csv is not shift_jis: see line 41, column 1.',
      hint: expect.stringMatching(/^If all else is shift_jis, retype the text there\. .*--encoding /),
    });
    expect(await hintOf([broken])).toContain('--encoding shift_jis (');
  });

  it('proposes macintosh first if lines end with CR alone', async () => {
    expect(await hintOf([Buffer.from('owner\rM\x9fller\rStra\xa7e\r', 'latin1')])).toMatch(
      /: --encoding macintosh \(Müller, Straße\), --encoding windows-1252 \(MŸller, Stra§e\)/,
    );
  });

  it('proposes Latin encodings only if most letters are ASCII', async () => {
    expect(await hintOf([Buffer.from('Straße, Müller\n', 'latin1')])).toMatch(
      /--encoding windows-1252 \(Straße, Müller\)/,
    );
    const asian = [Uint8Array.of(0x8d, 0x48, 0x8f, 0xea, 0x2c, 0x93, 0x8c, 0x8b, 0x9e, 0x0a)];
    expect(await hintOf(asian)).toMatch(/: --encoding shift_jis \(工場, 東京\)/);
    expect(await hintOf(asian)).not.toMatch(/windows-125[024]|iso-8859|macintosh|cp85/);
  });

  it('shows only the names of JSON, because a value may be a secret', async () => {
    for (const [json, shown] of [
      ['{"場所":"秘密","token":"秘密"}', ' (場所)'],
      ['{\n  "token": "秘密"\n}', ''],
      ['channelId,config\nc,"{""token"":""秘密""}"', ''],
    ] as const) {
      const sjis = spawnSync('iconv', ['-f', 'UTF-8', '-t', 'CP932'], { input: json }).stdout;
      const hint = await hintOf([sjis]);
      expect(hint).toMatch(/--encoding shift_jis/);
      expect(hint).toContain(`--encoding shift_jis${shown},`);
      expect((await readingOf([sjis], 'shift_jis')).said).toEqual([
        `Read as shift_jis${shown && `: ${shown.replace(/[() ]/g, '')}`}`,
      ]);
    }
    expect(await hintOf(['{"token":"ge\u00c3\u009c"}'])).toBe('Retype the text there');
  });

  it('proposes no encoding for a control character in UTF-8', async () => {
    expect(await hintOf(['é\x07'])).toBe('Retype the text there');
  });
});
