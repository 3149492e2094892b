/** Text that readline can insert into a bash line so that bash parses it as exactly one given text. */
import type { Quote } from './bash-line.ts';

/**
 * Writes the rest of a word, inside an open quote if there is one. The text itself closes the quote, because readline does not if the text ends with
 * that character.
 */
export function bashText(text: string, quote: Quote): string {
  const written = text.replace(parts, (part) => writers[quote](part));
  if (quote === '') return written;
  // If the text begins with a quote, readline drops the one on the line.
  return `${written.startsWith(quote) ? quote : ''}${written}${quote}`;
}

// Groups invisible characters and unusual spaces; every other character is separate.
const parts = /(?:(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}])+|[ -~]/gu;

const writers: Readonly<Record<Quote, (part: string) => string>> = {
  '': (part) => (isUnseen(part) ? bytes(part) : /[\w.,/+@%:=-]/.test(part) ? part : `\\${part}`),
  // Inside double quotes a backslash before ! would stay.
  '"': (part) =>
    isUnseen(part) ? `"${bytes(part)}"` : part === '!' ? '"\\!"' : /[$`"\\]/.test(part) ? `\\${part}` : part,
  "'": (part) => (isUnseen(part) ? `'${bytes(part)}'` : /['!]/.test(part) ? `'\\${part}'` : part),
};

function isUnseen(part: string): boolean {
  return !/^[ -~]$/.test(part);
}

/** As escaped bytes, which mean the same in every locale. */
function bytes(part: string): string {
  return `$'${Buffer.from(part).toString('hex').replace(/../g, '\\x$&')}'`;
}
