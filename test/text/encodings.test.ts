/** Files of other programs: what they write in an encoding is read as it was, or refused. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { encodingNamed, openDecoder, undoMisreading } from '../../src/text/encodings.ts';
import { unfit } from '../../src/text/utf8.ts';
import { lacks } from '../support/lacking.ts';

/** Python's codecs by the names that we use. */
const codecs = {
  ...{ 'utf-16le': 'utf_16_le', 'utf-16be': 'utf_16_be', shift_jis: 'cp932', 'euc-jp': 'euc_jp' },
  ...{ 'iso-2022-jp': 'iso2022_jp', 'windows-949': 'cp949', gbk: 'gbk', gb2312: 'gb2312', gb18030: 'gb18030' },
  ...{ big5: 'cp950', 'big5-hkscs': 'big5hkscs', 'windows-874': 'cp874', 'tis-620': 'tis_620' },
  ...{ 'windows-1250': 'cp1250', 'windows-1251': 'cp1251', 'windows-1252': 'cp1252', latin1: 'latin_1' },
  ...{ 'koi8-r': 'koi8_r', macintosh: 'mac_roman', cp850: 'cp850' },
} as const;

type Encoding = keyof typeof codecs;

const program = `
import json, sys
def written(text, codec):
    try: encoded = text.encode(codec)
    except UnicodeError: return None
    return encoded.hex() if encoded.decode(codec) == text else None
codec, texts = json.load(sys.stdin)
print(json.dumps([written(text, codec) for text in texts]))
`;

/** What standards and Windows map to different characters, where a file cannot tell which of them wrote it. */
const different: Partial<Record<Encoding, readonly string[]>> = {
  gb2312: ['― is —', '・ is ·'],
  gb18030: ['ḿ is \ue7c7'],
};

/** Texts in an encoding of Python; null where it does not have a text. */
function writtenByPython(encoding: Encoding, texts: readonly string[]): (string | null)[] {
  const input = JSON.stringify([codecs[encoding], texts]);
  return JSON.parse(spawnSync('python3', ['-c', program], { input, encoding: 'utf8', maxBuffer: 2 ** 28 }).stdout);
}

async function read(encoding: string, bytes: Buffer): Promise<string> {
  const decoder = await openDecoder((await encodingNamed(encoding)) ?? '');
  return decoder.write(bytes) + (decoder.end() ?? '');
}

const everyCharacter = Array.from({ length: 0xffff }, (_, point) => String.fromCharCode(point)).filter(
  (character) => !/[\p{Cs}\p{Co}\n]/u.test(character) && !unfit.test(character),
);

it.skipIf(lacks('python3')).each(Object.keys(codecs) as Encoding[])(
  'a text written by Python is read exactly in %s, or has unusable characters',
  async (encoding) => {
    const written = writtenByPython(
      encoding,
      everyCharacter.map((character) => `${character}\n`),
    );
    const lines = (await read(encoding, Buffer.from(written.join(''), 'hex'))).split('\n');
    const known = everyCharacter.filter((_, at) => written[at] !== null);
    const wrong = known.flatMap((character, at) => {
      const text = lines[at] ?? '';
      return text === character || unfit.test(text) ? [] : [`${character} is ${text}`];
    });
    expect(wrong).toEqual(different[encoding] ?? []);
    expect(written.filter(Boolean).length).toBeGreaterThan(90);
  },
);

describe('the name of an encoding', () => {
  it.each([
    ['shift_jis', 'cp932 CP932 932 ms932 sjis SJIS Shift-JIS windows-31j x-sjis'],
    ['windows-949', 'cp949 949 ms949 uhc euckr euc-kr EUC-KR ks_c_5601-1987'],
    ['gbk', 'cp936 936 gb2312 GBK'],
    ['big5', 'cp950 950 big-5'],
    ['big5-hkscs', 'big5hkscs'],
    ['windows-874', '874 cp874 tis620 TIS-620 ms874'],
    ['euc-jp', 'eucjp eucJP ujis'],
    ['eucjp-ms', 'eucJP-ms cp51932'],
    ['windows-1252', 'cp1252 1252 latin1 iso-8859-1'],
    ['macintosh', 'mac macroman'],
    ['utf-8', 'utf8 UTF-8-SIG utf-8-sig cp65001'],
    ['utf-16le', 'utf16 utf-16 UTF-16LE'],
    ['cp850', 'CP850 850 ibm850'],
    ['windows-1257', '1257 win1257 cp1257'],
    ['x-mac-cyrillic', 'mac-cyrillic'],
  ])('is %s for each of its aliases', async (name, words) => {
    for (const word of words.split(' ')) expect([word, await encodingNamed(word)]).toEqual([word, name]);
  });

  it('is unknown for words such as base64, hex and ansi', async () => {
    for (const word of ['ansi', 'oem', 'base64', 'hex', 'utf-7', 'binary', 'constructor', '', 'cp9999'])
      expect([word, await encodingNamed(word)]).toEqual([word, undefined]);
  });
});

describe('a text saved after reading it in the wrong encoding', () => {
  it.each([
    ['Ã¼', 'ü'],
    ['MÃ¼ller, StraÃŸe', 'Müller, Straße'],
    ['85 Â°C', '85 °C'],
    ['險ｭ鄂ｮ', '設置'],
    ['險ｭ鄂ｮ蝣ｴ謇', '設置場…'],
    ['險ｭ鄂ｮ蝣ｴ謇\u0080', '設置場所'],
    ['Ã\u009cberdruck', 'Überdruck'],
    ['繝励Ξ繧ｹ-9999', 'プレス-9999'],
  ])('is recognized with its original: %s', async (text, before) => {
    expect(await undoMisreading(text)).toBe(before);
  });

  it.each([
    'Müller',
    'Straße',
    'Â',
    'Ångström °C',
    '設置場所',
    'ﾗｲﾝ3',
    '第3工場 ﾌﾟﾚｽ',
    '設置ﾗｲﾝ',
    '제3공장',
    'ปั๊มน้ำ',
    '東京ｶﾅ',
    'São',
  ])('is not suspected if it is correct: %s', async (text) => {
    expect(await undoMisreading(text)).toBeUndefined();
  });
});
