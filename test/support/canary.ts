/** Recognizable secrets, and a search for them in every encoding. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The forms a secret can take in a text: plain, in JSON, in URLs and forms, in HTML, in base64 alone or inside longer data. */
function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const units = [...secret].map((one) => `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`).join('');
  const hex = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const html = [...secret].map((one) => `&#${one.codePointAt(0)};`).join('');
  const inside = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift, 'x'), bytes]).toString('base64');
    return text.slice(shift === 0 ? 0 : 4, -4);
  });
  const form = new URLSearchParams({ '': secret }).toString().slice(1);
  return [
    secret,
    json,
    json.replaceAll('/', '\\/'),
    units,
    encodeURIComponent(secret),
    form,
    hex,
    hex.toUpperCase(),
    html,
    bytes.toString('base64url').slice(0, -2),
    ...inside,
  ];
}

export type SearchedText = { readonly place: string; readonly text: string };

/** Where any of the secrets is found, as "name in place"; should be empty. */
export function leaks(secrets: Readonly<Record<string, string>>, places: readonly SearchedText[]): string[] {
  return Object.entries(secrets).flatMap(([name, secret]) => {
    const spellings = spellingsOf(secret).map((spelling) => spelling.toLowerCase());
    return places.flatMap(({ place, text }) => {
      const lower = text.toLowerCase();
      const found = spellings.find((spelling) => lower.includes(spelling));
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
