/** Parses a command line like bash, up to the cursor. */
import { afterSubstitution } from './bash-substitution.ts';

/** The open quote, if any. */
export type Quote = '' | '"' | "'";

export type BashLine = {
  /** The complete words before the cursor, without quotes, starting with the program. Redirections are left out. */
  readonly words: readonly string[];
  /** The typed part of the word under the cursor, without quotes. */
  readonly current: string;
  /** The quote that is open at the cursor. */
  readonly quote: Quote;
  readonly opened: number;
  /** Whether the program would get `current` as it is, without any expansion. */
  readonly exact: boolean;
  /** Set if the word under the cursor is the file of a redirection. */
  readonly redirected: boolean;
};

/** Undefined if the cursor is not in a word of this command: in a substitution, in a comment, after a `;`. */
export function readBashLine(line: string): BashLine | undefined {
  const state: State = { line, at: 0, words: [], exact: true, quote: '', opened: 0, redirected: false };
  while (state.at < line.length) {
    const go = state.quote === "'" ? single : state.quote === '"' ? double : unquoted;
    if (!go(state)) return undefined;
  }
  const { words, word = '', exact, quote, opened, redirected } = state;
  return { words, current: word, quote, opened, exact, redirected };
}

type State = {
  readonly line: string;
  at: number;
  readonly words: string[];
  /** Undefined between words. */
  word?: string | undefined;
  exact: boolean;
  quote: Quote;
  opened: number;
  redirected: boolean;
};

const piece =
  /(?<blank>[ \t\n]+)|(?<escaped>\\.?)|\$'(?<ansi>(?:[^'\\]|\\.)*)'|(?<quote>['"])|(?<redirection>(?:&>>?|<<<|<<-?|<>|>[>&|]?|<&?)(?!\())|(?<expansion>[$`])|(?<end>[;|&()<>])|(?<plain>.)/suy;

/** The groups of a match, of which exactly one is set. */
type Pieces = Readonly<Record<string, string | undefined>>;

/** Each of these reads one piece; returns false if no word of this command can follow. */
function unquoted(state: State): boolean {
  const { line, at, word } = state;
  piece.lastIndex = at;
  const { 0: all = '', groups = {} } = piece.exec(line) ?? {};
  const { blank, escaped, ansi, quote, redirection, expansion, end, plain = '' } = groups as Pieces;
  if (
    end !== undefined ||
    (plain === '#' && word === undefined) ||
    line.startsWith("$'", at) !== (ansi !== undefined)
  ) {
    return false;
  }
  if (expansion !== undefined) return substituted(state);
  state.at += all.length;
  if (blank !== undefined) endWord(state);
  else if (redirection !== undefined) redirect(state);
  else if (quote === '"' || quote === "'") Object.assign(state, { quote, opened: at, word: word ?? '' });
  else if (escaped !== undefined) append(state, escaped === '\\\n' ? '' : escaped.slice(1));
  else if (ansi !== undefined) appendAnsi(state, ansi);
  else append(state, plain, !expanded.test(plain));
  return true;
}

/** Characters that bash may expand. */
const expanded = /[*?[\]{}!~]/;

function single(state: State): boolean {
  const end = state.line.indexOf("'", state.at);
  append(state, state.line.slice(state.at, end < 0 ? undefined : end));
  if (end >= 0) state.quote = '';
  state.at = end < 0 ? state.line.length : end + 1;
  return true;
}

function double(state: State): boolean {
  const { line, at } = state;
  const character = line[at] ?? '';
  if (character === '$' || character === '`') return substituted(state);
  const next = line[at + 1] ?? '';
  if (character === '"') state.quote = '';
  else if (character !== '\\') append(state, character, character !== '!');
  else append(state, /[$`"\\]/.test(next) ? next : next === '\n' || next === '' ? '' : `\\${next}`);
  state.at += character === '\\' ? 2 : 1;
  return true;
}

/** A substitution is replaced by its output. */
function substituted(state: State): boolean {
  const end = afterSubstitution(state.line, state.at);
  if (end === undefined) return false;
  append(state, state.line.slice(state.at, end), false);
  state.at = end;
  return true;
}

function append(state: State, text: string, exact = true): void {
  state.word = (state.word ?? '') + text;
  if (!exact) state.exact = false;
}

/** An escape of bytes, the form that we write ourselves. */
function appendAnsi(state: State, text: string): void {
  const bytes = /^(?:\\x[0-9a-f]{2})*$/.test(text) ? Buffer.from(text.replaceAll('\\x', ''), 'hex').toString() : text;
  append(state, bytes, bytes !== text || text === '');
}

function endWord(state: State): void {
  if (state.word === undefined) return;
  if (!state.redirected) state.words.push(state.word);
  Object.assign(state, { word: undefined, exact: true, redirected: false });
}

/** A number directly before a redirection is its descriptor, not a word. */
function redirect(state: State): void {
  if (/^\d+$/.test(state.word ?? '')) state.word = undefined;
  endWord(state);
  state.redirected = true;
}
