/** Recognizable secrets, and a search for them in every encoding. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const inUnits = (text: string) =>
  text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
const inForm = (text: string) => new URLSearchParams({ x: text }).toString().slice(2);
export const inHtml = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

const inLines = (text: string, end: string, width: number) =>
  (text.match(new RegExp(`[^]{1,${width}}`, 'g')) ?? []).join(end);

/** How an answer may spell what it was sent. */
export const spellings: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (secret) => secret,
  'in JSON': inJson,
  'in JSON with slashes escaped': (secret) => inJson(secret).replaceAll('/', '\\/'),
  'in JSON, every unit escaped': inUnits,
  'in JSON, every other unit escaped': (secret) =>
    secret
      .split('')
      .map((unit, index) => (index % 2 === 0 ? inUnits(unit) : inJson(unit)))
      .join(''),
  'in a URL': (secret) => encodeURIComponent(secret),
  'in a URL in small letters': (secret) => encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  'in a URL, every byte': (secret) =>
    [...Buffer.from(secret)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  'in a form': inForm,
  'in HTML': inHtml,
  'in HTML by numbers': (secret) =>
    [...secret].map((character) => `&#x${character.codePointAt(0)?.toString(16)};`).join(''),
  'in HTML by numbers without semicolons': (secret) =>
    [...secret].map((character) => `&#x${character.codePointAt(0)?.toString(16)}`).join(''),
  'in JSON inside of JSON inside of JSON': (secret) => inJson(inJson(inJson(secret))),
  'in JSON, every unit escaped, inside of JSON': (secret) => inJson(inJson(inUnits(secret))),
  'in a URL, encoded twice': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'in a form inside of a form inside of JSON': (secret) => inJson(inForm(inForm(secret))),
  'in HTML inside of JSON': (secret) => inJson(inHtml(secret)),
  'in JSON inside of base64': (secret) => Buffer.from(inJson(secret)).toString('base64'),
  'in base64': (secret) => Buffer.from(secret).toString('base64'),
  'in base64 for URLs': (secret) => Buffer.from(secret).toString('base64url'),
  'in base64 of UTF-16': (secret) => Buffer.from(secret, 'utf16le').toString('base64'),
  'in base64 in the lines of a mail': (secret) => inLines(Buffer.from(secret).toString('base64'), '\r\n', 10),
  'in base64 in lines, inside of JSON': (secret) => inJson(inLines(Buffer.from(secret).toString('base64'), '\n', 10)),
  'in hex': (secret) => Buffer.from(secret).toString('hex'),
  'in hex in capital letters': (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  'by the escape() of JavaScript': (secret) => inUnits(secret).replaceAll('\\', '%'),
};

/** The middle of base64 of longer data with a secret at each of three offsets. */
const insideBase64 = (secret: string) =>
  [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift, 'x'), Buffer.from(secret)]).toString('base64');
    return text.slice(shift === 0 ? 0 : 4, -4);
  });

export type SearchedText = { readonly place: string; readonly text: string };

/** Where any of the secrets is found, as "name in place"; should be empty. */
export function leaks(secrets: Readonly<Record<string, string>>, places: readonly SearchedText[]): string[] {
  return Object.entries(secrets).flatMap(([name, secret]) => {
    const written = [...Object.values(spellings).map((spell) => spell(secret)), ...insideBase64(secret)];
    const forms = written.map((form) => form.toLowerCase());
    return places.flatMap(({ place, text }) => {
      const lower = text.toLowerCase();
      const found = forms.find((form) => lower.includes(form));
      if (found === undefined) return [];
      const at = lower.indexOf(found);
      return [`${name} in ${place}: ${text.slice(Math.max(0, at - 60), at + found.length + 10)}`];
    });
  });
}

/** Every file below a folder, except those that are meant to contain secrets. */
export function filesIn(folder: string): SearchedText[] {
  const kept = new Set(['credentials.json', 'tokens.json']);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && !kept.has(each.name))
    .map(({ parentPath, name }) => ({ place: name, text: readFileSync(join(parentPath, name), 'utf8') }));
}
