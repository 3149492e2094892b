/** Completions in bash, 3.2 and newer: reads the words from completions/iiot.bash, and writes the answer for it. */
import type { ReadTab, ResolvedCompletion } from './completion-at.ts';

/** The script passes the line before and after the cursor, and the text that readline will replace. The answer is the action, and a line for each replacement. */
export const readBashTab: ReadTab = ([before = '', behind = '', replaced = '']) => {
  const line = readBashLine(before);
  if (!line) return undefined;
  return {
    line: { words: line.words.slice(1), current: line.current },
    format: (completion) =>
      line.redirected ? 'file\n' : formatReply(completion, line, wordBefore(line, before, behind, replaced)),
  };
};

type Word = {
  /** Without quotes. */
  readonly current: string;
  /** Whether the program would get `current` without any expansion. */
  readonly exact: boolean;
  /** The quote that is open at the cursor, and its place in the line; '' and -1 for none. */
  readonly quote: OpenQuote;
  readonly opened: number;
};

type OpenQuote = '' | '"' | "'";

type BashLine = Word & {
  /** The complete words before the cursor, without quotes, starting with the program. Redirections are left out. */
  readonly words: readonly string[];
  /** Set if the word under the cursor is the file of a redirection. */
  readonly redirected: boolean;
};

// A part that bash expands. Quotes inside may not be nested: after anything deeper, nothing is offered.
const quotedOrPlain = String.raw`[^'"\\\x60]|\\.|'[^']*'|"[^"\\\x60$]*"`;
const substitution = String.raw`\$\((?:(?![()])(?:${quotedOrPlain}))*\)|\$\{(?:(?!\})(?:${quotedOrPlain}))*\}|\x60[^\x60\\]*\x60|\$(?![({'])`;
const piece = new RegExp(
  [
    String.raw`(?<blank>[ \t\n]+)`,
    // A number directly before a redirection is its descriptor.
    String.raw`(?<redirection>(?:(?<![^ \t\n])\d+)?(?:&>>?|<<<|<<-?|<>|>[>&|]?|<&?)(?!\())`,
    String.raw`\\(?<escaped>.?)`,
    `'(?<single>[^']*)'?`,
    String.raw`"(?<double>(?:[^"\\$\x60]|\\.?|${substitution})*)"?`,
    String.raw`\$'(?<ansi>(?:[^'\\]|\\.)*)'`,
    `(?<expansion>${substitution}|[*?[\\]{}!~])`,
    // At the beginning of a word, # begins a comment.
    String.raw`(?<plain>[^ \t\n'"\\$\x60;|&()<>#]|(?<![ \t\n<>&])#)`,
  ].join('|'),
  'gsuy',
);

/** The groups of a match, of which exactly one is set. */
type Pieces = Readonly<Record<string, string | undefined>>;

/** Reads a line as bash does. Undefined if the cursor is not in a word of this command: in a substitution, in a comment, after a `;`. */
function readBashLine(line: string): BashLine | undefined {
  const words: string[] = [];
  let word: Word | undefined;
  let redirected = false;
  let end = 0;
  for (const { 0: all, index, groups = {} } of line.matchAll(piece)) {
    if (word && word.quote !== '') return undefined;
    const { blank, redirection } = groups as Pieces;
    end = index + all.length;
    if (blank === undefined && redirection === undefined) {
      const { text, exact, quote } = partOf(all, groups);
      const opened = quote === '' ? -1 : index;
      word = { current: (word?.current ?? '') + text, exact: exact && word?.exact !== false, quote, opened };
      continue;
    }
    if (word && !redirected) words.push(word.current);
    if (word || redirection !== undefined) redirected = redirection !== undefined;
    word = undefined;
  }
  if (end < line.length) return undefined;
  return { words, redirected, ...(word ?? { current: '', exact: true, quote: '', opened: -1 }) };
}

type Part = Pick<Word, 'exact' | 'quote'> & { readonly text: string };

function partOf(all: string, { escaped, single, double, ansi, plain }: Pieces): Part {
  const isOpen = all.length === 1 + (single ?? double ?? all).length;
  if (single !== undefined) return { text: single, exact: true, quote: isOpen ? "'" : '' };
  if (double !== undefined) {
    const text = double.replace(/\\([$`"\\])|\\(?:\n|$)/g, '$1');
    return { text, exact: !/[$`!]/.test(double.replace(/\\./gs, '')), quote: isOpen ? '"' : '' };
  }
  // The form that `bytesEscape` writes.
  if (ansi !== undefined && /^(?:\\x[0-9a-f]{2})+$/.test(ansi))
    return { text: Buffer.from(ansi.replaceAll('\\x', ''), 'hex').toString(), exact: true, quote: '' };
  const text = escaped === '\n' ? '' : (escaped ?? plain);
  return { text: text ?? all, exact: text !== undefined, quote: '' };
}

/** The word before the text that readline replaces. Undefined if readline and bash disagree about quoting, so that no replacement is safe. */
function wordBefore(line: BashLine, before: string, behind: string, replaced: string): Word | undefined {
  const at = before.length - replaced.length;
  const start = before.endsWith(replaced) ? readBashLine(before.slice(0, at)) : undefined;
  if (!start || !line.exact || start.words.length !== line.words.length || start.opened !== line.opened)
    return undefined;
  const isQuote = /["']/.test(before.charAt(at - 1));
  if (start.opened !== (isQuote ? at - 1 : -1)) return undefined;
  const after = behind.startsWith(start.quote) ? behind.slice(start.quote.length) : behind;
  return /^(?:$|[\s;|&)])/.test(after) ? start : undefined;
}

function formatReply(completion: ResolvedCompletion, { current, exact }: BashLine, start: Word | undefined): string {
  if (completion.kind !== 'words') {
    if (completion.kind === 'file') return 'file\n';
    return completion.kind === 'command' && exact && /^[\w./+-]*$/.test(current) ? `command\n${current}\n` : '';
  }
  if (!start) return '';
  const words = completion.candidates
    .map(({ word }) => completion.before + word)
    .filter((word) => word.startsWith(current));
  const texts = words.map((word) => insertedText(word.slice(start.current.length), start.quote));
  return [completion.open ? 'open' : 'words', ...new Set(texts), ''].join('\n');
}

/** Writes the rest of a word so that bash reads exactly that, and closes an open quote, which readline may not do. */
function insertedText(rest: string, quote: OpenQuote): string {
  const written = rest.replace(insertedParts, (part) => writers[quote](part));
  if (quote === '') return written;
  // If the text begins with a quote, readline removes the one on the line.
  return `${written.startsWith(quote) ? quote : ''}${written}${quote}`;
}

// Invisible characters and unusual spaces in groups, and every other character by itself.
const insertedParts = /(?:(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}])+|[ -~]/gu;

const writers: Readonly<Record<OpenQuote, (part: string) => string>> = {
  '': (part) => (isUnseen(part) ? bytesEscape(part) : /[\w.,/+@%:=-]/.test(part) ? part : `\\${part}`),
  // Inside double quotes bash would keep a backslash before !.
  '"': (part) =>
    isUnseen(part) ? `"${bytesEscape(part)}"` : part === '!' ? '"\\!"' : /[$`"\\]/.test(part) ? `\\${part}` : part,
  "'": (part) => (isUnseen(part) ? `'${bytesEscape(part)}'` : /['!]/.test(part) ? `'\\${part}'` : part),
};

function isUnseen(part: string): boolean {
  return !/^[ -~]$/.test(part);
}

/** A text as escaped bytes, which mean the same in every locale. */
function bytesEscape(part: string): string {
  return `$'${Buffer.from(part).toString('hex').replace(/../g, '\\x$&')}'`;
}
