/** What readline may put on a line of bash so that bash reads back one text, and nothing else. */
import type { Quote } from './bash-line.ts';

/**
 * Writes the rest of a word where a quote is open, or none. Inside of a quote the text closes it: readline would not, where the text ends
 * with that very character.
 */
export function bashText(text: string, quote: Quote): string {
  const written = text.replace(parts, (part) => writers[quote](part));
  if (quote === '') return written;
  // Readline drops the quote that stands on the line where the text begins with one.
  return `${written.startsWith(quote) ? quote : ''}${written}${quote}`;
}

// What cannot be seen, and blanks of other widths, together; each sign by itself.
const parts = /(?:(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}])+|[ -~]/gu;

const writers: Readonly<Record<Quote, (part: string) => string>> = {
  '': (part) => (isUnseen(part) ? bytes(part) : /[\w.,/+@%:=-]/.test(part) ? part : `\\${part}`),
  // A backslash before ! would stay.
  '"': (part) =>
    isUnseen(part) ? `"${bytes(part)}"` : part === '!' ? '"\\!"' : /[$`"\\]/.test(part) ? `\\${part}` : part,
  "'": (part) => (isUnseen(part) ? `'${bytes(part)}'` : /['!]/.test(part) ? `'\\${part}'` : part),
};

function isUnseen(part: string): boolean {
  return !/^[ -~]$/.test(part);
}

/** In bytes, which no locale reads in another way. */
function bytes(part: string): string {
  return `$'${Buffer.from(part).toString('hex').replace(/../g, '\\x$&')}'`;
}
