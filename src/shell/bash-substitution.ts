const closers: Readonly<Record<string, string>> = { '(': ')', '{': '}' };

/**
 * The end of the substitution that begins at `at` with `$` or a backquote: `$(…)`, `${…}`, backquotes, or `$` alone, whose name is read like any
 * word. Undefined if it is still open.
 */
export function afterSubstitution(line: string, at: number): number | undefined {
  if (line[at] === '`') return after(line, at + 1, '`');
  const closer = closers[line[at + 1] ?? ''];
  return closer === undefined ? at + 1 : after(line, at + 2, closer);
}

/** The position after the closer of a bracket that was opened before `from`. */
function after(line: string, from: number, closer: string): number | undefined {
  for (let at = from; at < line.length; ) {
    const character = line[at] ?? '';
    if (character === closer) return at + 1;
    const next = afterPiece(line, at, closer);
    if (next === undefined) return undefined;
    at = next;
  }
  return undefined;
}

function afterPiece(line: string, at: number, closer: string): number | undefined {
  const character = line[at] ?? '';
  if (character === '\\') return at + 2;
  if (closer === '`') return at + 1;
  if (character === "'" && closer !== '"') return line.indexOf("'", at + 1) + 1 || undefined;
  if (character === '"') return after(line, at + 1, '"');
  if (character === '$' || character === '`') return afterSubstitution(line, at);
  return character === '(' && closer === ')' ? after(line, at + 1, ')') : at + 1;
}
