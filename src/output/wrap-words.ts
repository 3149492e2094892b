import { prepareWidths, textWidth } from './text-width.ts';

/**
 * Text in lines of at most this many cells, broken at spaces. A longer word gets a line to itself: it may be an address, an ID or a path that somebody
 * copies. One that has letters beyond ASCII is broken, because many languages write sentences without spaces.
 */
export function wrapWords(text: string, room: number): string[] {
  return fillLines(
    text.split(' ').flatMap((word) => piecesOf(word, room)),
    room,
  );
}

/** The same for text that nobody has prepared the widths of. */
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
  for (const { segment } of new Intl.Segmenter('en').segment(word)) {
    const isFull = textWidth(piece + segment) > room;
    if (isFull) pieces.push(piece);
    piece = isFull ? segment : piece + segment;
  }
  return [...pieces, piece];
}
