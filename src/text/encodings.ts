/** Decodes text files that are not UTF-8, and guesses their encodings. The only file that loads iconv-lite and chardet. */
import { createHash } from 'node:crypto';
import { StringDecoder } from 'node:string_decoder';
import { continuesUtf8, type Decoder, decodeUtf8, foreignWords, unfit } from './utf8.ts';

/** The names of encodings here, each with other names that people write. Case, hyphens and underscores do not count. */
const aliases: Readonly<Record<string, string>> = {
  'utf-8': 'utf-8-sig cp65001 65001',
  'utf-16le': 'utf-16 unicode ucs-2 1200',
  'utf-16be': '1201',
  shift_jis: 'sjis x-sjis cp932 932 ms932 ms-kanji windows-31j windows-932',
  'euc-jp': 'x-euc-jp ujis cp20932',
  'eucjp-ms': 'cp51932 eucjp-win',
  'iso-2022-jp': 'jis cp50220 cp50221',
  'windows-949': 'cp949 949 ms949 uhc euc-kr ks-c-5601-1987 ksc5601 cp51949',
  gbk: 'cp936 936 ms936 windows-936 gb2312 euc-cn',
  gb18030: 'cp54936 54936',
  big5: 'cp950 950 ms950 windows-950 big5-eten',
  'big5-hkscs': 'hkscs',
  'windows-874': 'cp874 874 ms874 tis-620 iso-8859-11',
  'windows-1252': 'cp1252 1252 latin1 l1 iso-8859-1',
  'windows-1250': 'cp1250 1250',
  'windows-1251': 'cp1251 1251',
  'windows-1253': 'cp1253 1253',
  'windows-1254': 'cp1254 1254 latin5 iso-8859-9',
  'iso-8859-2': 'latin2 l2',
  'iso-8859-15': 'latin9',
  'koi8-r': 'koi8',
  'x-mac-cyrillic': 'mac-cyrillic cp10007',
  macintosh: 'mac macroman mac-roman x-mac-roman cp10000',
};

const iconvLite = async () => (await import('iconv-lite')).default;

/** Names of further encodings that iconv-lite decodes. */
const iconvNames = /^(?:windows|cp|ibm)?(\d{3,4})$|^(?:iso8859\d+|koi8[rtu]|viscii|tcvn)$/;

const withAliases = (name: string, more: string) => [name, ...more.split(' ').filter(Boolean)];
const plainEncoding = (word: string) =>
  word
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/^win(?=\d)/, 'windows');

/** The name of an encoding for any of its names: "cp932" is shift_jis, and latin1 is windows-1252, as in browsers. Undefined for an unknown name. */
export async function encodingNamed(word: string): Promise<string | undefined> {
  const own = Object.entries(aliases).find(([name, more]) =>
    withAliases(name, more).some((each) => plainEncoding(each) === plainEncoding(word)),
  );
  if (own) return own[0];
  const [known, page] = iconvNames.exec(plainEncoding(word)) ?? [];
  const name = page === undefined ? known : `${page.startsWith('125') ? 'windows-' : 'cp'}${page}`;
  return name !== undefined && (await iconvLite()).encodingExists(name) ? name : undefined;
}

/** The names of encodings here, and those names with all aliases. */
export const encodingNames: readonly string[] = Object.keys(aliases);
export const everyEncodingName = Object.entries(aliases).flatMap(([name, more]) => withAliases(name, more));

/** Encodings that Node decodes, because iconv-lite does it wrongly or not at all. */
const nodeOnly: ReadonlySet<string> = new Set(['utf-16le', 'utf-16be', 'iso-2022-jp', 'macintosh', 'x-mac-cyrillic']);

const jisPairs = '～〜∥‖－−￠¢￡£￢¬';
/**
 * Characters for which the tables of Windows, which iconv-lite has, differ from the standard of an encoding: that of Windows and the standard one in turn.
 * With U+3164, EUC-KR writes syllables in four parts, which nobody else reads.
 */
const standardCharacters: Readonly<Record<string, string>> = {
  'euc-jp': jisPairs,
  'iso-2022-jp': jisPairs,
  'windows-949': '\u3164\ufffd',
  'big5-hkscs': '‧•﹑､¯‾～∼⊕♁⊙☉∕／﹨＼￥¥￠¢￡£',
};
const iconvNameOf: Readonly<Record<string, string>> = { big5: 'cp950', 'eucjp-ms': 'eucjp' };

/** Opens a decoder, which replaces bytes that it cannot decode by U+FFFD. @param encoding as `encodingNamed` returns it */
export async function openDecoder(encoding: string): Promise<Decoder> {
  if (encoding === 'utf-8') return new StringDecoder('utf8');
  const decoder = nodeOnly.has(encoding)
    ? decoderOfNode(encoding)
    : decoderOfIconv(await iconvLite(), iconvNameOf[encoding] ?? encoding);
  const pairs = new Map(standardCharacters[encoding]?.match(/../gu)?.map((pair) => [pair.charAt(0), pair.charAt(1)]));
  if (pairs.size === 0) return decoder;
  return {
    write: (bytes) => decoder.write(bytes).replace(/[^\0-\x7f]/g, (own) => pairs.get(own) ?? own),
    end: () => decoder.end(),
  };
}

function decoderOfNode(encoding: string): Decoder {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
}

/** Holds bytes back after the last one below 0x30, which never belongs to a longer character: iconv-lite loses characters that are cut between pieces. */
function decoderOfIconv(iconv: Awaited<ReturnType<typeof iconvLite>>, encoding: string): Decoder {
  let held = Buffer.alloc(0);
  const decoded = (bytes: Buffer) => iconv.decode(bytes, encoding, { stripBOM: false });
  return {
    write(bytes) {
      const whole = Buffer.concat([held, bytes]);
      const end = whole.findLastIndex((byte) => byte < 0x30) + 1;
      held = whole.subarray(end);
      return decoded(whole.subarray(0, end));
    },
    end: () => decoded(held),
  };
}

/** An encoding that decodes a whole text, with some words as they read in it. */
export type Reading = { readonly encoding: string; readonly sample: string };

/** The encodings to try, each with the names that chardet has for it. If two give the same text, the first is offered. */
const tableOf = (words: string) => new Map(words.split(' ').map((word) => [word.replace(/:.*/, ''), word.split(':')]));
const asian = tableOf(
  'iso-2022-jp:ISO-2022-JP shift_jis:Shift_JIS windows-949:EUC-KR gbk:GB18030 gb18030:GB18030 big5:Big5 big5-hkscs:Big5 euc-jp:EUC-JP ' +
    'windows-874 windows-1251 koi8-r:KOI8-R windows-1253:ISO-8859-7 iso-8859-7:ISO-8859-7 windows-1255:ISO-8859-8 windows-1256:ISO-8859-6 cp866 iso-8859-5:ISO-8859-5',
);
const latin = tableOf(
  'windows-1252:ISO-8859-1 windows-1250:ISO-8859-2 iso-8859-2:ISO-8859-2 windows-1254:ISO-8859-9 macintosh cp850 cp852 windows-1257',
);
const wide = tableOf('utf-16le utf-16be');

const mostReadings = 4;

/** Encodings with several bytes a character. A wrong one fails soon, so one that fails in only two places may be right. */
const multiByte = /^(?:shift_jis|windows-949|gb|big5|euc-jp)/;

/**
 * Finds up to four encodings that decode every byte to a character that a text may have, the most plausible first. A person has to choose, because the
 * same bytes can be Japanese, Chinese or Korean. An encoding with several bytes a character may fail in two places, which its sample says.
 */
export async function findReadings(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<readonly Reading[]> {
  let foreign = '';
  const trials = new Map<string, Trial>();
  for (const name of [asian, latin, wide].flatMap((table) => [...table.keys()]))
    trials.set(name, await openTrial(name));
  for await (const chunk of chunks) {
    if (foreign.length < 64 * 1024) foreign += foreignLines(chunk);
    for (const [name, { add }] of trials) if (!add(chunk)) trials.delete(name);
  }
  for (const [name, { add }] of trials) if (!add()) trials.delete(name);
  const { analyse } = await import('chardet');
  const found = analyse(Buffer.from(foreign, 'latin1'));
  // With less confidence, chardet has seen too little, and the order of the table is better.
  const score = new Map<string, number>(found.map(({ name, confidence }) => [name, confidence > 30 ? confidence : 0]));
  // Old Macs end lines with CR alone.
  if (/\r(?!\n)/.test(foreign)) score.set('macintosh', 100);
  const scoreOf = ([encoding, names]: readonly [string, readonly string[]]) =>
    Math.max(trials.get(encoding)?.isWhole() ? 0 : 10, ...names.map((name) => score.get(name) ?? 0));
  const digests = new Set<string>();
  const readings = [...likelyTable(foreign)]
    .sort((one, other) => scoreOf(other) - scoreOf(one))
    .flatMap(([encoding]) => {
      const read = trials.get(encoding)?.end();
      if (!read || digests.has(read.digest)) return [];
      digests.add(read.digest);
      return [{ encoding, ...read }];
    })
    .slice(0, mostReadings);
  const shown = differingWords(readings.map(({ words }) => words));
  return readings.map(({ encoding, words }) => {
    const rest = trials.get(encoding)?.isWhole() ? [] : ['but not all of it'];
    return { encoding, sample: [...shown.map((at) => words[at]), ...rest].join(', ') };
  });
}

/** The places of three words that differ between most of the readings. */
function differingWords(readings: readonly (readonly string[])[]): readonly number[] {
  const count = Math.min(200, ...readings.map((words) => words.length));
  const kinds = (at: number) => new Set(readings.map((words) => words[at])).size;
  const places = Array.from({ length: count }, (_, at) => at).sort((one, other) => kinds(other) - kinds(one));
  return places.slice(0, 3).sort((one, other) => one - other);
}

/** The lines that are not ASCII, to guess their encoding, with bytes as characters. */
function foreignLines(bytes: Uint8Array): string {
  const lines = Buffer.from(bytes)
    .toString('latin1')
    .split(/(?<=\n)|(?<=\r)(?!\n)/);
  return lines.filter((line) => /[^\x01-\x7f]|\x1b/.test(line)).join('');
}

/** A text's likely encodings. Less than 0.4 of Latin letters are beyond ASCII, of others more than 0.75. A lone ° tells nothing. Only UTF-16 has zeros. */
function likelyTable(text: string) {
  if (text.includes('\0')) return wide;
  const words = (text.match(/[a-z\x80-\xff]+/gi) ?? []).filter((word) => /[\x80-\xff]/.test(word));
  const letters = words.filter((word) => word.length > 2 || /[a-z]/i.test(word)).join('');
  const isLatin = letters.replace(/[a-z]/gi, '').length < 0.6 * letters.length;
  return isLatin || (letters === '' && words.length > 0) ? latin : asian;
}

/** `add` decodes more bytes, or without bytes the end, and returns whether the text can still have this encoding. */
type Trial = { add(bytes?: Uint8Array): boolean; isWhole(): boolean; end(): { words: string[]; digest: string } };

async function openTrial(encoding: string): Promise<Trial> {
  const decoder = await openDecoder(encoding);
  const hash = createHash('sha256');
  const words = new Set<string>();
  const seen = { faults: 0, foreign: 0, isPrivate: false };
  return {
    add(bytes) {
      const text = (bytes ? decoder.write(Buffer.from(bytes)) : decoder.end()) ?? '';
      for (const word of words.size < 200 ? foreignWords(text) : []) words.add(word);
      hash.update(text);
      seen.faults += text.replace(/\x1a$/, '').split(unfit).length - 1;
      seen.foreign += text.match(/[^\0-\x7f]/g)?.length ?? 0;
      seen.isPrivate ||= /\p{Co}/u.test(text);
      if (seen.isPrivate || seen.faults > (multiByte.test(encoding) ? 2 : 0)) return false;
      return bytes !== undefined || seen.faults * 100 <= seen.foreign;
    },
    isWhole: () => seen.faults === 0,
    end: () => ({ words: [...words], digest: hash.digest('hex') }),
  };
}

/** Whether a text is UTF-8 without a byte order mark, and not only ASCII. */
export async function isForeignUtf8(chunks: AsyncIterable<Uint8Array>): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let [isFirst, isForeign] = [true, false];
  for await (const chunk of chunks) {
    if (isFirst && Buffer.from(chunk.subarray(0, 3)).toString('latin1') === '\xef\xbb\xbf') return false;
    if (!continuesUtf8(decoder, chunk)) return false;
    isFirst = false;
    isForeign ||= chunk.some((byte) => byte >= 0x80);
  }
  return isForeign && continuesUtf8(decoder);
}

/** The text before its UTF-8 was read as windows-1252 ("Ã¼") or as shift_jis, and saved, with "…" for a lost part; undefined if that did not happen. */
export async function undoMisreading(text: string): Promise<string | undefined> {
  const iconv = await iconvLite();
  // Windows reads the bytes that have no character as control characters.
  const parts = text.split(/([\x80-\x9f])/);
  const bytesIn = (encoding: string) =>
    Buffer.concat(parts.map((part, at) => iconv.encode(part, at % 2 ? 'iso-8859-1' : encoding)));
  const isLatin = parts.every((part, at) => at % 2 || iconv.decode(iconv.encode(part, 'cp1252'), 'cp1252') === part);
  const whole = isLatin ? decodeUtf8(bytesIn('cp1252'), 'keep') : undefined;
  if (whole !== undefined && whole !== text) return whole;
  const found = bytesIn('shift_jis').toString();
  const isRead = /[\u0800-\ufffc]{2}/.test(found) && (found.match(/\ufffd/g) ?? []).length < 2;
  return isRead ? found.replace('\ufffd', '…') : undefined;
}
