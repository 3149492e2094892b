import type { TemplateDocument } from './template.ts';

/** A text with its variables replaced, and what is known about them. */
type FilledText = {
  readonly text: string;
  /** Names of its variables, without duplicates, in order of first use. */
  readonly variables: readonly string[];
  /** Variables without a value, left as they are. */
  readonly missing: readonly string[];
  /** Text in double braces that is not a name, left as it is. */
  readonly notUnderstood: readonly { readonly text: string; readonly line: number }[];
};

/** A template with its variables replaced. */
export type FilledTemplate = Omit<FilledText, 'text'> & {
  readonly subject: string | null;
  readonly content: string;
  /** Names of values that match no variable. */
  readonly unused: readonly string[];
};

/** Replaces the variables in subject and content. */
export function fillTemplate(
  { fields, content }: TemplateDocument,
  values: ReadonlyMap<string, string>,
): FilledTemplate {
  const stored = fields.get('subject');
  const subject = fill(typeof stored === 'string' ? stored : '', values);
  const body = fill(content, values);
  const variables = [...new Set([...subject.variables, ...body.variables])];
  return {
    subject: typeof stored === 'string' ? subject.text : null,
    content: body.text,
    variables,
    missing: [...new Set([...subject.missing, ...body.missing])],
    unused: [...values.keys()].filter((name) => !variables.includes(name)),
    notUnderstood: [...subject.notUnderstood, ...body.notUnderstood],
  };
}

// The interface does not specify the syntax. Here it is a name in double braces, which may contain spaces around it and dots in it.
const braces = /\{\{\{*/g;
const variable = /\{\{\s*([\p{L}_][\p{L}\p{N}_.-]*)\s*\}\}(?!\})/uy;

/** Replaces variables by their values without escaping. */
export function fill(source: string, values: ReadonlyMap<string, string>): FilledText {
  const variables = new Set<string>();
  const missing = new Set<string>();
  const notUnderstood: { text: string; line: number }[] = [];
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

/** The line of the first `{{` without a `}}` before the next `{{`: no variable syntax allows that. */
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

/** From `{{` to its closing `}}`, or only the braces if nothing closes them. */
function oddAt(source: string, at: number): string {
  const next = source.indexOf('{{', at + 3);
  // Looked for only up to the next opening: with thousands of them, each look would go to the end of the text.
  const rest = source.slice(at, next < 0 ? undefined : next);
  return /^[\s\S]*?\}\}+/.exec(rest)?.[0] ?? /^\{+/.exec(rest)?.[0] ?? '';
}

/** Returns the line number of a position. Positions have to be requested in order, so that the text is read only once. */
function lineCounter(source: string): (at: number) => number {
  let line = 1;
  let seen = 0;
  return (at) => {
    for (; seen < at; seen += 1) if (source[seen] === '\n') line += 1;
    return line;
  };
}
