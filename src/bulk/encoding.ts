import { type Failure, usage } from '../failure.ts';

/** Decodes bytes piece by piece; `offset` is the position of a piece in the file. */
export type Decoder = {
  readonly text: (bytes: Buffer, offset: number) => string;
  /** The remaining text, after the last byte. */
  readonly end: (offset: number) => string;
};

/** The canonical name for any label of the WHATWG Encoding Standard; undefined for an unknown label. */
export function encodingNamed(word: string): string | undefined {
  try {
    const { encoding } = new TextDecoder(word);
    return encoding;
  } catch {
    return undefined; // unknown, or not included in this build of Node
  }
}

/** @param encoding as `encodingNamed` returns it, but not UTF-8, which text.ts decodes itself */
export function openDecoder(encoding: string, name: string): Decoder {
  const decoder = encoding === 'windows-1252' ? { text: windows1252(name), end: () => '' } : standard(encoding, name);
  return {
    end: decoder.end,
    text(bytes, offset) {
      const text = decoder.text(bytes, offset);
      if (text.includes('\0')) throw nulFailure(name, `at byte ${offset} or later`);
      return text;
    },
  };
}

export function nulFailure(name: string, where: string): Failure {
  return usage(
    `${name} holds a NUL character, ${where}.`,
    'Text never contains one; for UTF-16 without a byte order mark give --encoding utf-16le',
  );
}

function standard(encoding: string, name: string): Decoder {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  const decodeStrictly = (offset: number, bytes?: Buffer) => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch (cause) {
      throw usage(
        `${name} is not ${encoding.toUpperCase()}, at byte ${offset} or later.`,
        'Name its encoding with --encoding',
      ).with({ cause });
    }
  };
  return { text: (bytes, offset) => decodeStrictly(offset, bytes), end: (offset) => decodeStrictly(offset) };
}

/** The characters 0x80 to 0x9f; five of them are none. */
const special = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

// Not with TextDecoder: that of Node 20 decodes 0x80 to 0x9f as Latin-1.
function windows1252(name: string): Decoder['text'] {
  return (bytes, offset) => {
    const text = bytes.toString('latin1');
    const wrong = text.search(/[\x81\x8d\x8f\x90\x9d]/);
    if (wrong >= 0) throw usage(`${name} is not windows-1252, at byte ${offset + wrong}.`, dosHint);
    return text.replace(controls, (character) => special.charAt(character.charCodeAt(0) - 0x80));
  };
}

export const dosHint = 'For a file from DOS, convert it: iconv -f CP850 -t UTF-8';

const controls = /[\u0080-\u009f]/g;
