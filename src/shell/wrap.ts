/** Breaks a text at blanks, so that no line is longer than `width` unless one word is. */
export function wrapped(text: string, width: number): string {
  const indent = /^ */.exec(text)?.[0] ?? '';
  return filled(text.trim().split(' '), width - indent.length)
    .map((line) => indent + line)
    .join('\n');
}

function filled(words: readonly string[], width: number, mark = ''): string[] {
  const lines: string[] = [];
  let line = '';
  for (const [index, word] of words.entries()) {
    // All but the last line carry the mark.
    const room = index === words.length - 1 ? width : width - mark.length;
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line + mark);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** A command line that fits: broken between words with a backslash, as a shell reads it. What is quoted stays whole. */
export function wrappedCommand(line: string, width: number): readonly string[] {
  const words = line.match(/(?:"[^"]*"|'[^']*'|\\.|[^\s"'\\])+/g) ?? [];
  if (words.join(' ') !== line) return [line];
  const [first = '', ...more] = filled(withValues(words), width - 2, ' \\');
  return [first, ...more.map((each) => `  ${each}`)];
}

/** An option and its value stay on one line. */
function withValues(words: readonly string[]): string[] {
  const parts: string[] = [];
  for (const [index, word] of words.entries()) {
    const follows = words[index - 1]?.startsWith('--') && !word.startsWith('-');
    if (follows) parts.push(`${parts.pop()} ${word}`);
    else parts.push(word);
  }
  return parts;
}

/** Rows of a word and what it means, in two columns. Words that are too long for theirs get a line of their own. */
export function twoColumns(rows: readonly (readonly [string, string])[], width: number): string[] {
  const left = Math.min(Math.max(0, ...rows.map(([word]) => word.length)), Math.max(16, Math.floor(width * 0.42)));
  return rows.flatMap(([word, says]) => {
    const [first = '', ...more] = wrapped(says, Math.max(width - left - 4, 20)).split('\n');
    const indent = ' '.repeat(left + 4);
    const head = word.length > left ? [`  ${word}`, `${indent}${first}`] : [`  ${word.padEnd(left)}  ${first}`];
    return [...head, ...more.map((line) => indent + line)];
  });
}
