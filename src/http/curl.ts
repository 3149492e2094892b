import { target, type WireRequest } from '../contract/wire.ts';

export type CurlLine = { readonly url: string; readonly line: string };

/**
 * The same request for curl: one line for a POSIX shell that has the token in IIOT_TOKEN. It holds visible characters alone, so that it can be
 * copied from wherever it is shown.
 */
export function curlLine(base: string, request: WireRequest, headers: Readonly<Record<string, string>> = {}): CurlLine {
  // As the URL standard spells it, which is how it is sent.
  const url = new URL(base + target(request)).href;
  const parts = ['curl', '--fail-with-body', '-X', request.method, '-H', '"Authorization: Bearer $IIOT_TOKEN"'];
  const all = { Accept: 'application/json', ...headers, ...(request.body && { 'Content-Type': request.body.type }) };
  // curl leaves a header out that has no value, unless it ends with a semicolon.
  for (const [name, value] of Object.entries(all))
    parts.push('-H', quoted(value === '' ? `${name};` : `${name}: ${value}`));
  const body = request.body && bodyWords(request.body);
  if (body) parts.push(...body.words);
  // curl would take brackets and braces of a URL for ranges, and resolve dots.
  const line = [...parts, '--globoff', '--path-as-is', quoted(url)].join(' ');
  return { url, line: body?.before === undefined ? line : `${body.before} | ${line}` };
}

type Body = NonNullable<WireRequest['body']>;

function bodyWords({ type, text }: Body): { readonly words: readonly string[]; readonly before?: string } {
  const shown = /json/i.test(type) ? visibleJson(text) : text;
  if (!unseen.test(shown)) return { words: ['--data-raw', quoted(shown)] };
  // printf undoes the octal numbers of what cannot be seen.
  return { before: `printf '%b' ${quoted(octal(shown))}`, words: ['--data-binary', '@-'] };
}

const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const everyUnseen = new RegExp(unseen.source, 'gu');

/** The same JSON: between its values line ends are blanks, and inside of its strings every character can be escaped. */
function visibleJson(text: string): string {
  return text.replace(everyUnseen, (character) => (/[\t\n\r]/.test(character) ? ' ' : escapes(character)));
}

function escapes(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

function octal(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replace(everyUnseen, (character) =>
      [...Buffer.from(character)].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join(''),
    );
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
