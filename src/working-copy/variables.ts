import { visibleWithBlanks } from '../text/visible.ts';
import type { TemplateDocument } from './template.ts';

/** Text in double braces that is not a variable. `meant`: the name that was probably meant. */
type OddBraces = { readonly text: string; readonly line: number; readonly meant?: string | undefined };

/** Fills values into subject and content. `unused`: names of values that match no variable. The other fields are those of `fillIn`. */
export function fillTemplate({ fields, content }: TemplateDocument, values: ReadonlyMap<string, string>) {
  const stored = fields.get('subject');
  const subject = fillIn(typeof stored === 'string' ? stored : '', values);
  const body = fillIn(content, values);
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

// The interface does not specify the syntax. Here it is an identifier in double braces, which may contain dots and hyphens, with spaces around it.
const variable = /^\{\{[ \t\r\n]*([\p{ID_Start}_][\p{ID_Continue}\p{N}.・･-]*)[ \t\r\n]*\}\}(?!\})/u;
/** Takes text from double braces to those that close them, or to the end of the line. */
const oddBraces = /^(?=\{\{|｛｛)(?:[\s\S]*?[}｝]{2,}|[{｛]+.*)/;

/**
 * Replaces variables by their values without escaping. `variables`: their names, in order of first use. `missing`: those without a value, and
 * `notUnderstood`: text in double braces that is not a name; both are left as they are.
 * @param values by names in NFC
 */
export function fillIn(source: string, values: ReadonlyMap<string, string>) {
  const variables = new Set<string>();
  const notUnderstood: OddBraces[] = [];
  let [text, line] = ['', 1];
  for (const piece of source.split(/(?=(?<!\{)\{\{|(?<!｛)｛｛)/)) {
    const [whole = '', found] = variable.exec(piece) ?? oddBraces.exec(piece) ?? [];
    const name = found?.normalize('NFC');
    const value = name === undefined ? undefined : values.get(name);
    if (name !== undefined) variables.add(name);
    else if (whole !== '')
      notUnderstood.push({ text: whole.trimEnd(), line, meant: variable.exec(cleanBraces(whole))?.[1] });
    text += value === undefined ? piece : value + piece.slice(whole.length);
    line += piece.split('\n').length - 1;
  }
  const missing = [...variables].filter((name) => !values.has(name));
  return { text, variables: [...variables], missing, notUnderstood };
}

/** Replaces full-width characters, and removes invisible ones, which no engine knows. */
const cleanBraces = (braces: string) => braces.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');

/** "line 2: {{\u{a0}value}} (write {{value}})", "line 3: {{value (without }})" */
export function describeOddBraces({ text, line, meant }: OddBraces): string {
  const shown = visibleWithBlanks(text.length > 60 ? `${text.slice(0, 60)}…` : text);
  const advice = meant === undefined ? '' : ` (write {{${meant}}})`;
  return `line ${line}: ${shown}${/[}｝]{2}$/.test(text) ? advice : ' (without }})'}`;
}

/** Whether no `}}` follows the last `{{`. Other braces may belong to a syntax that the platform knows. */
export function neverCloses(source: string): boolean {
  const last = source.lastIndexOf('{{');
  return last >= 0 && !source.includes('}}', last);
}
