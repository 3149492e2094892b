import { type Document, loadYaml, yamlOptions } from '../output/yaml.ts';
import { canonical, escapedInJson } from '../text/json-write.ts';
import { holdsFields, type TemplateDocument } from './template.ts';

/** What is wrong with a file, as a clause to follow its name: "its front matter is not YAML". */
export type TemplateProblem = { readonly wrong: string };

/** Reads and writes template files: YAML front matter between two `---` lines, and below it the content, unchanged. */
export async function openFrontMatter() {
  const yaml = await loadYaml();
  const parse = (front: string) => yaml.parseDocument(front, { ...yamlOptions, intAsBigInt: true, prettyErrors: true });
  const writeYaml = (document: Document): string => {
    yaml.visit(document, {
      Scalar(_, node) {
        // Only double-quoted strings can contain escapes, which keep such characters visible and intact.
        if (typeof node.value === 'string' && oddCharacter.test(node.value)) node.type = 'QUOTE_DOUBLE';
      },
    });
    const text = document.toString({ ...yamlOptions, doubleQuotedAsJSON: true });
    return text.replace(/[\u007f-\u009f\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, escapedInJson);
  };
  const partsOf = (text: string) => {
    const parts = splitText(text);
    return parts && 'front' in parts ? (sizeProblem(new yaml.Lexer().lex(parts.front)) ?? parts) : parts;
  };
  /** Reads a template; undefined for a text without front matter. */
  const read = (text: string) => {
    const parts = partsOf(text);
    return parts && ('wrong' in parts ? parts : readParts(parts, parse));
  };
  const write = (template: TemplateDocument) =>
    documentText(writeYaml(new yaml.Document(frontOf(template), yamlOptions)), template);
  return {
    read,
    write,
    /** Writes a template like an earlier version of its file, with the same comments and order of fields. */
    rewrite(earlier: string, template: TemplateDocument) {
      const parts = partsOf(earlier);
      if (!parts || 'wrong' in parts) return write(template);
      const document = parse(parts.front);
      if (document.errors.length > 0 || !yaml.isMap(document.contents)) return write(template);
      const before: unknown = document.toJS({ mapAsMap: true });
      if (!(before instanceof Map)) return write(template);
      const front = frontOf(template);
      for (const name of before.keys()) if (!front.has(name)) document.delete(name);
      for (const [name, value] of front) {
        if (!before.has(name) || canonical(toNumbers(before.get(name))) !== canonical(value)) document.set(name, value);
      }
      const text = documentText(writeYaml(document), template);
      const found = read(text);
      if (!found || 'wrong' in found || found.templateId !== template.templateId) return write(template);
      return holdsFields(found, template) ? text : write(template);
    },
  };
}

// Control characters, invisible characters and lone surrogates: YAML parsers may reject or change them.
const oddCharacter = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;

/** The fields of the front matter. A content with a lone surrogate cannot be encoded in UTF-8, so it is among them, where it can be escaped. */
function frontOf({ templateId, fields, content }: TemplateDocument): Map<string, unknown> {
  const front = new Map<string, unknown>([['templateId', templateId], ...fields]);
  return hasLoneSurrogate(content) ? front.set('content', content) : front;
}

function documentText(front: string, { content }: TemplateDocument): string {
  return `---\n${front}---\n${hasLoneSurrogate(content) ? '' : content}`;
}

function hasLoneSurrogate(content: string): boolean {
  return /\p{Cs}/u.test(content);
}

/** In UTF-16 units. A content of 50,000 still fits in. */
const largestFront = 128 * 1024;
/** In UTF-16 units, without the longest value, which may be the content. */
const largestWithoutLongest = 64 * 1024;
/** The time that the YAML package takes grows with the square of the number of keys, tags and anchors. */
const mostTokens = 5000;

/** Returns the problem of a front matter that would take seconds to parse. */
export function sizeProblem(tokens: Iterable<string>): TemplateProblem | undefined {
  let [count, length, longest] = [0, 0, 0];
  for (const token of tokens) {
    count += 1;
    length += token.length;
    longest = Math.max(longest, token.length);
    if (count > mostTokens) return { wrong: 'its front matter has too many parts: more than 5,000 words and marks' };
  }
  if (length - longest <= largestWithoutLongest) return undefined;
  return { wrong: 'its front matter is larger than 64 KiB without a content' };
}

// The interface has no operation that creates a template.
const withoutId =
  'its front matter has no templateId, and templates cannot be created here: create it on the platform, then pull';

type Parts = { readonly front: string; readonly content: string };

function splitText(text: string): Parts | TemplateProblem | undefined {
  const opening = /^\ufeff?---[ \t]*\r?\n/.exec(text)?.[0];
  if (opening === undefined) return undefined;
  // With the flag m, $ is the end of a line; (?![\s\S]) is the end of the text.
  const closing = /^---[ \t]*(?:\r?\n|(?![\s\S]))/gm;
  closing.lastIndex = opening.length;
  const end = closing.exec(text);
  if (!end) return { wrong: 'its front matter does not end: a line --- is missing' };
  if (end.index - opening.length > largestFront) return { wrong: 'its front matter is larger than 128 KiB' };
  return { front: text.slice(opening.length, end.index), content: text.slice(end.index + end[0].length) };
}

function readParts({ front, content }: Parts, parse: (front: string) => Document): TemplateDocument | TemplateProblem {
  const found = readFront(front, parse);
  if (!(found instanceof Map)) return found;
  const [templateId, contentInFront] = [found.get('templateId'), found.get('content')];
  const id = typeof templateId === 'number' || typeof templateId === 'bigint' ? String(templateId) : templateId;
  if (typeof id !== 'string' || id === '') return { wrong: withoutId };
  if (contentInFront !== undefined && typeof contentInFront !== 'string')
    return { wrong: 'the content in its front matter is not a string' };
  if (contentInFront !== undefined && content !== '')
    return { wrong: 'its content is in the front matter and below it' };
  const fields = new Map([...found].filter(([name]) => name !== 'templateId' && name !== 'content'));
  return { templateId: id, fields, content: contentInFront ?? content };
}

function readFront(front: string, parse: (front: string) => Document): Map<string, unknown> | TemplateProblem {
  try {
    const document = parse(front);
    const [error] = document.errors;
    // The front matter begins on the second line of the file.
    const line = (error?.linePos?.[0].line ?? 0) + 1;
    if (error) return { wrong: `its front matter is not YAML: see line ${line}` };
    const value = toNumbers(document.toJS({ mapAsMap: true }));
    if (value instanceof Map && [...value.keys()].every((name) => typeof name === 'string')) return value;
    return { wrong: 'its front matter does not hold fields, as in "name: Line 3"' };
  } catch {
    // Too many aliases, or nested too deep.
    return { wrong: 'its front matter is not YAML that can be read' };
  }
}

/** Turns BigInts into numbers where they fit. Integers are parsed as BigInt, so that none loses digits. */
function toNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(toNumbers);
  if (value instanceof Map) return new Map([...value].map(([name, inner]) => [name, toNumbers(inner)]));
  return value;
}
