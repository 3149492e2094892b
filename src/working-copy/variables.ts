/** What became of a text, and of the variables in it. */
type Filled = {
  readonly text: string;
  /** Names of its variables, each once, as they first come. */
  readonly variables: readonly string[];
  /** Those without a value, left as they are. */
  readonly missing: readonly string[];
  /** What is in double braces and is not a name, left as it is. */
  readonly notUnderstood: readonly Unclear[];
};

export type Unclear = { readonly text: string; readonly line: number };

// The interface does not show the syntax: a name in double braces, blanks inside of them, dots in the name.
const braces = /\{\{\{*/g;
const variable = /\{\{\s*([\p{L}_][\p{L}\p{N}_.-]*)\s*\}\}(?!\})/uy;

/** Puts values in the place of variables, as they are: nothing is escaped. */
export function fill(source: string, values: ReadonlyMap<string, string>): Filled {
  const variables = new Set<string>();
  const missing = new Set<string>();
  const notUnderstood: Unclear[] = [];
  const lineOf = lineCounter(source);
  let text = '';
  let done = 0;
  for (const at of openings(source)) {
    if (at < done) continue;
    variable.lastIndex = at;
    const [whole, name] = variable.exec(source) ?? [];
    if (whole === undefined || name === undefined) {
      const odd = oddAt(source, at);
      notUnderstood.push({ text: odd, line: lineOf(at) });
      text += source.slice(done, at) + odd;
      done = at + odd.length;
      continue;
    }
    variables.add(name);
    const value = values.get(name);
    if (value === undefined) missing.add(name);
    text += source.slice(done, at) + (value ?? whole);
    done = at + whole.length;
  }
  return { text: text + source.slice(done), variables: [...variables], missing: [...missing], notUnderstood };
}

/** The line of the first `{{` behind which no `}}` comes before the next one: no syntax of variables takes that. */
export function unclosedLine(source: string): number | undefined {
  for (const at of openings(source)) {
    const close = source.indexOf('}}', at);
    const next = source.indexOf('{{', at + 3);
    if (close < 0 || (next >= 0 && next < close)) return lineCounter(source)(at);
  }
  return undefined;
}

function openings(source: string): number[] {
  return [...source.matchAll(braces)].map(({ index }) => index);
}

/** From `{{` to the `}}` that closes it, or the braces alone where none does. */
function oddAt(source: string, at: number): string {
  const next = source.indexOf('{{', at + 3);
  const close = source.indexOf('}}', at);
  if (close < 0 || (next >= 0 && next < close))
    return /^\{+/.exec(source.slice(at, next < 0 ? undefined : next))?.[0] ?? '';
  let end = close + 2;
  while (source[end] === '}') end += 1;
  return source.slice(at, end);
}

/** Gives the line of places that are asked for in their order, going through the text once. */
function lineCounter(source: string): (at: number) => number {
  let line = 1;
  let seen = 0;
  return (at) => {
    for (; seen < at; seen += 1) if (source[seen] === '\n') line += 1;
    return line;
  };
}
