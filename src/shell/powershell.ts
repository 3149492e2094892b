/** Completions in PowerShell, 5.1 and newer: reads the words from completions/iiot.ps1, and writes the answer for it. */
import { ignoreError } from '../text/ignore-error.ts';
import { escapedInJson } from '../text/json-write.ts';
import { visible } from '../text/visible.ts';
import type { ReadTab, ResolvedCompletion } from './completion-at.ts';

/** The script passes JSON in base64, because PowerShell changes quotes in arguments. The answer is JSON in ASCII, because a console has its own code page. */
export const readPowershellTab: ReadTab = ([text = '']) => {
  const request = ignoreError(() => {
    const { words, current, passing, batch } = JSON.parse(Buffer.from(text, 'base64').toString()) as Request;
    return { words: words.map(String), current: String(current), passing: String(passing), batch: batch === true };
  });
  const current = request && currentOf(request.current);
  if (!request || current === undefined) return undefined;
  return {
    line: { words: request.words, current },
    format: (completion) =>
      `${JSON.stringify(replyTo(completion, current, request)).replace(/[^\n -~]/g, escapedInJson)}\n`,
  };
};

type Request = {
  readonly words: readonly string[];
  /** The word under the cursor as typed, including quotes. */
  readonly current: string;
  /** How PowerShell passes arguments: $PSNativeCommandArgumentPassing, '' before 7.3. */
  readonly passing: string;
  /** Set for a batch file, whose arguments cmd.exe parses a second time. */
  readonly batch: boolean;
};

// PowerShell accepts typographic quotes, too.
const single = "['\u2018\u2019\u201a\u201b]";
const double = '["\u201c\u201d\u201e]';

/** The word without its quotes; undefined if PowerShell would expand anything in it. */
function currentOf(word: string): string | undefined {
  const begin = word.charAt(0);
  const body = word.slice(1);
  if (new RegExp(single).test(begin)) {
    return body.replace(new RegExp(`${single}$`), '').replace(new RegExp(`(${single})${single}`, 'g'), '$1');
  }
  if (/[`$(){};|&]/.test(word)) return undefined;
  return new RegExp(double).test(begin) ? body.replace(new RegExp(`${double}$`), '') : word;
}

function replyTo(completion: ResolvedCompletion, current: string, request: Request) {
  const { kind, before, value } = completion;
  if (kind !== 'words') return { kind, before, value, values: [] };
  const values = completion.candidates
    .map(({ word, says }) => ({ word: before + word, list: visible(word), says: visible(says) || visible(word) }))
    .filter(({ word }) => word.toLowerCase().startsWith(current.toLowerCase()) && isPassed(word, request))
    .map(({ word, list, says }) => ({ text: powershellText(word), list, says }));
  return { kind, before, value, values };
}

function isPassed(word: string, { passing, batch }: Request): boolean {
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(word)) return false;
  if (batch) return /^[\w .,:/@+=-]*$/.test(word);
  return /^(?:Standard|Windows)$/i.test(passing) || !/"|\\$/.test(word);
}

/** A word for a PowerShell line, in single quotes if a character is special. */
function powershellText(word: string): string {
  if (/^(?:--?)?[A-Za-z][\w./=:-]*$/.test(word) && !/^-.*[.:]/.test(word)) return word;
  // PowerShell may rewrite a number, but a UUID is not one.
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(word)) return word;
  return `'${word.replace(new RegExp(single, 'g'), '$&$&')}'`;
}
