import { visible } from '../text/visible.ts';
import type { Found, ReadTab } from './tab.ts';

/**
 * The script gives one word: base64 of JSON, since PowerShell alters quotes on their way to a program. The answer is JSON in ASCII, since a
 * console of Windows reads other letters by its own code page.
 */
export const readPowershellTab: ReadTab = ([text = '']) => {
  const request = readRequest(text);
  const current = request && currentOf(request.current);
  if (!request || current === undefined) return undefined;
  return {
    line: { words: request.words, current },
    answer: (found) => `${ascii(JSON.stringify(answer(found, current, request)))}\n`,
  };
};

type Request = {
  readonly words: readonly string[];
  /** The word under the cursor as it is typed, with its quotes. */
  readonly current: string;
  /** How PowerShell hands words over: $PSNativeCommandArgumentPassing, '' before 7.3. */
  readonly passing: string;
  /** A batch file, whose words cmd.exe reads once more. */
  readonly batch: boolean;
};

function readRequest(text: string): Request | undefined {
  try {
    const { words, current, passing, batch } = JSON.parse(Buffer.from(text, 'base64').toString()) as Request;
    return { words: words.map(String), current: String(current), passing: String(passing), batch: batch === true };
  } catch {
    return undefined;
  }
}

// PowerShell takes typographic quotes for quotes as well.
const single = "['\u2018\u2019\u201a\u201b]";
const double = '["\u201c\u201d\u201e]';

/** The word without its quotes; undefined where PowerShell would put something else in its place. */
function currentOf(word: string): string | undefined {
  const begin = word.charAt(0);
  const body = word.slice(1);
  if (new RegExp(single).test(begin)) {
    return body.replace(new RegExp(`${single}$`), '').replace(new RegExp(`(${single})${single}`, 'g'), '$1');
  }
  if (/[`$(){};|&]/.test(word)) return undefined;
  return new RegExp(double).test(begin) ? body.replace(new RegExp(`${double}$`), '') : word;
}

function answer(found: Found, current: string, request: Request) {
  const { kind, before, value } = found;
  if (kind !== 'words') return { kind, before, value, values: [] };
  const values = found.candidates
    .map(({ word, says }) => ({ word: before + word, list: visible(word), says: visible(says) || visible(word) }))
    .filter(({ word }) => word.toLowerCase().startsWith(current.toLowerCase()) && passes(word, request))
    .map(({ word, list, says }) => ({ text: powershellText(word), list, says }));
  return { kind, before, value, values };
}

/** Whether the program gets the word as it is. */
function passes(word: string, { passing, batch }: Request): boolean {
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(word)) return false;
  if (batch) return /^[\w .,:/@+=-]*$/.test(word);
  return /^(?:Standard|Windows)$/i.test(passing) || !/"|\\$/.test(word);
}

/** A word for a line of PowerShell: as it is where every sign stands for itself, else between single quotes. */
function powershellText(word: string): string {
  if (/^(?:--?)?[A-Za-z][\w./=:-]*$/.test(word) && !/^-.*[.:]/.test(word)) return word;
  // A number might be written in another way; an identifier is none.
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(word)) return word;
  return `'${word.replace(new RegExp(single, 'g'), '$&$&')}'`;
}

function ascii(text: string): string {
  return text.replace(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
