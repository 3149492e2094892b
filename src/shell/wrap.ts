import { fillLines } from '../output/text-width.ts';

/** Wraps a text at spaces, except those in brackets, to lines of at most `width`, unless a single word is longer. */
export function wrapText(text: string, width: number): string {
  const indent = /^ */.exec(text)?.[0] ?? '';
  return fillLines(text.trim().split(/ (?![^[]*\])/), width - indent.length)
    .map((line) => indent + line)
    .join('\n');
}

/** Wraps a command line between words with backslashes, as shells allow. Quoted words are never broken. */
export function wrapCommand(line: string, width: number): readonly string[] {
  const words = line.match(/(?:"[^"]*"|'[^']*'|\\.|[^\s"'\\])+/g) ?? [];
  if (words.join(' ') !== line) return [line];
  const [first = '', ...more] = fillLines(unbroken(words), width - 2, ' \\');
  return [first, ...more.map((each) => `  ${each}`)];
}

/** Joins an option and its value, so that they stay on the same line. */
function unbroken(words: readonly string[]): string[] {
  const parts: string[] = [];
  for (const [index, word] of words.entries()) {
    const follows = words[index - 1]?.startsWith('--') && !word.startsWith('-');
    if (follows) parts.push(`${parts.pop()} ${word}`);
    else parts.push(word);
  }
  return parts;
}

/** Rows of a word and its meaning, in two columns. A word that is too long for the first column gets a line to itself. */
export function twoColumns(rows: readonly (readonly [string, string])[], width: number): string[] {
  const left = Math.min(Math.max(0, ...rows.map(([word]) => word.length)), Math.max(16, Math.floor(width * 0.42)));
  return rows.flatMap(([word, says]) => {
    const [first = '', ...more] = wrapText(says, Math.max(width - left - 4, 20)).split('\n');
    const indent = ' '.repeat(left + 4);
    const head = word.length > left ? [`  ${word}`, `${indent}${first}`] : [`  ${word.padEnd(left)}  ${first}`];
    return [...head, ...more.map((line) => indent + line)];
  });
}
