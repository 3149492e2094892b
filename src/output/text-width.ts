/** Measures text in the cells of a terminal: 2 for wide characters and emoji, 0 for combining characters. */
import { once } from '../text/once.ts';

// Latin text, and the ellipsis that this program writes. Most texts are of this kind and take one cell per character, so they need no measuring.
const simple = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff…]*$/;
let measure: ((text: string) => number) | undefined;

/** Measured widths by text: measuring takes long, and drawing a table asks for the width of each cell several times. */
const measuredWidths = new Map<string, number>();
const mostMeasured = 5000;

/** No line holds a longer text, so its length serves as its width: measuring the content of templates would take seconds. */
const longestMeasured = 1000;

/** Loads string-width if one of the texts needs it, which takes half as long as starting Node. Must be awaited before the texts are measured. */
export async function prepareWidths(texts: Iterable<string>): Promise<void> {
  if (measure !== undefined) return;
  for (const text of texts) {
    if (simple.test(text)) continue;
    measure = (await import('string-width')).default;
    return;
  }
}

/** Thai and Lao AM after a letter take a cell of their own, but string-width counts them as a mark on the letter. */
const thaiOrLaoAm = /[\u0e33\u0eb3](?<=[^\p{C}\p{M}]\p{M}*.)/gu;

export function textWidth(text: string): number {
  if (measure === undefined || text.length > longestMeasured || simple.test(text)) return text.length;
  const found = measuredWidths.get(text);
  if (found !== undefined) return found;
  if (measuredWidths.size >= mostMeasured) measuredWidths.clear();
  const width = measure(text) + (text.match(thaiOrLaoAm)?.length ?? 0);
  measuredWidths.set(text, width);
  return width;
}

/** Made when a text first needs it, because making it takes longer than using it. */
const segmenter = once(() => new Intl.Segmenter('en'));

/** The text if it fits into this many cells (at least 1), otherwise its beginning and "…". Never cuts a glyph in half. */
export function cutText(text: string, room: number): string {
  if (simple.test(text)) return text.length <= room ? text : `${text.slice(0, room - 1)}…`;
  let read = '';
  let kept = '';
  let cells = 0;
  for (const { segment } of segmenter().segment(text)) {
    cells += textWidth(segment);
    if (cells > room) return `${kept}…`;
    read += segment;
    if (cells < room) kept = read;
  }
  return text;
}

/** Whether a text contains right-to-left letters. Most texts need only the first expression; the second takes long to compile. */
function hasRightToLeft(text: string): boolean {
  if (!/[^\0-\u058f]/.test(text)) return false;
  return /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u.test(
    text,
  );
}

/** Wraps right-to-left text in an isolate, so that it does not reorder the text around it. */
export function isolated(text: string): string {
  return hasRightToLeft(text) ? `\u2068${text}\u2069` : text;
}

/**
 * Text in lines of at most `room` cells, broken at spaces. A longer word gets a line to itself, because it may be an address, an ID or a path to copy. It
 * is broken if it has letters beyond ASCII, because many languages write sentences without spaces. A command to copy, which follows a colon or "See",
 * gets a line to itself.
 */
export function wrapWords(text: string, room: number): string[] {
  if (textWidth(text) <= room) return [text];
  const [prose = '', ...parts] = text.split(
    /(?<=:|\bSee)(?<!^(?:error|hint):) (?=(?:iiot|sudo|rm|chmod|mv|ls|del|move|icacls) )/,
  );
  const words = wordsIn(prose).flatMap((word) => piecesOf(word, room));
  const commands = parts.flatMap((part) => {
    const [, command = part, rest] = /^([^'"]*?)[.;,] (?=[A-Z-]|or )(.*)/s.exec(part) ?? [];
    return rest === undefined ? [command] : [command, ...wrapWords(rest, room)];
  });
  return [...fillLines(words, room), ...commands];
}

/** The words of a text. "iiot" and the two words of a command after it count as one. */
function wordsIn(text: string): string[] {
  const words: string[] = [];
  let wordsToJoin = 0;
  for (const word of text.split(' ')) {
    if (wordsToJoin > 0) words.push(`${words.pop()} ${word}`);
    else words.push(word);
    const isFirst = wordsToJoin === 2 && /^[a-z-]+$/.test(word);
    wordsToJoin = word === 'iiot' ? 2 : Number(isFirst);
  }
  return words;
}

/** Wraps a text as `wrapWords` does, after `prepareWidths`. */
export async function wrapAnyWords(text: string, room: number): Promise<string[]> {
  await prepareWidths([text]);
  return wrapWords(text, room);
}

/** Words in lines of at most this many cells; all lines but the last end with the mark. */
export function fillLines(words: readonly string[], room: number, mark = ''): string[] {
  const lines: string[] = [];
  let line = '';
  for (const [index, word] of words.entries()) {
    const longer = line === '' ? word : `${line} ${word}`;
    const end = index === words.length - 1 ? '' : mark;
    if (line !== '' && textWidth(longer + end) > room) {
      lines.push(line + mark);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

function piecesOf(word: string, room: number): string[] {
  if (/^[!-~]*$/.test(word) || textWidth(word) <= room) return [word];
  const pieces: string[] = [];
  let piece = '';
  for (const { segment } of segmenter().segment(word)) {
    const isFull = textWidth(piece + segment) > room;
    if (isFull) pieces.push(piece);
    piece = isFull ? segment : piece + segment;
  }
  return [...pieces, piece];
}
