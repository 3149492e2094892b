import { loadYaml } from '../output/yaml.ts';
import { lineAt } from '../text/json.ts';
import type { GoodFile, TemplateFile } from './folder.ts';
import { sizeProblem, type TemplateProblem } from './front-matter.ts';
import { changeable } from './template.ts';

/** The texts for ${NAME} in files, by name. */
type Values = ReadonlyMap<string, string>;

/** Reads values from YAML or JSON. Each is the text as it is written, such as 1.10 or 007; a null is left out. */
export async function readValues(text: string): Promise<Values | TemplateProblem> {
  const { isMap, isScalar, Lexer, parseDocument } = await loadYaml();
  if (sizeProblem(new Lexer().lex(text))) return { wrong: 'has more than 5,000 words and marks, or more than 64 KiB' };
  const { contents, errors } = parseDocument(text);
  const [error] = errors;
  if (error) return { wrong: `is not YAML or JSON: see line ${error.linePos?.[0].line ?? 1}` };
  if (!isMap(contents)) return { wrong: 'does not hold values, as in "HALL: North"' };
  const values = new Map<string, string>();
  for (const { key, value } of contents.items) {
    if (!isScalar(key) || !isScalar(value)) return { wrong: `has a value for ${key} that is not text` };
    if (value.value !== null) values.set((key.source ?? '').normalize('NFC'), value.source ?? '');
  }
  return values;
}

// Takes ${NAME}, and $${ for a literal ${. In ${{price}}, a dollar sign stands before a variable of the platform.
const placeholder = /\$\$\{|\$\{(?!\{)([^${}\r\n]{0,100})(\}?)/g;

/** Fills values into the fields that an update can change, and the content. If a value is missing, that is the problem of the file. */
export function fillFile(file: GoodFile, values: Values, from: string): TemplateFile {
  const missing = new Set<string>();
  const valueFor = (place: string, name: string | undefined, close: string) => {
    if (name === undefined) return '${';
    const value = close === '' ? undefined : values.get(name.normalize('NFC'));
    if (value === undefined) missing.add(place);
    return value ?? place;
  };
  const fill = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(fill);
    return typeof value === 'string' ? value.replace(placeholder, valueFor) : value;
  };
  const { templateId, fields, content } = file.template;
  const filled = [...fields].map(([name, value]) => [name, changeable.includes(name) ? fill(value) : value] as const);
  const template = { templateId, fields: new Map(filled), content: String(fill(content)) };
  if (missing.size === 0) return { ...file, template };
  // A placeholder that the front matter writes with escapes is not found; then line 1 is named.
  const lineOf = (place: string) => [...file.text.matchAll(placeholder)].find(([found]) => found === place)?.index ?? 0;
  const lacking = [...missing].slice(0, 20).map((place) => `line ${lineAt(file.text, lineOf(place))} has ${place}`);
  return { ...file, template: { wrong: `${lacking.join(', ')}, without a value in ${from}` } };
}
