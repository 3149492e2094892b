import type { Column } from './result.ts';

const initials: Readonly<Record<string, string>> = { id: 'ID', ids: 'IDs', url: 'URL', api: 'API', csv: 'CSV' };

/**
 * The label of a field in a record: "Client credential ID" for `clientCredentialId`, "Time zone" for a header TIME ZONE. A name chosen by somebody
 * else (`HALL_B`, `site.hall`) stays as it is.
 */
export function labelOf({ field, header }: Column): string {
  if (header !== field) return sentence(header.toLowerCase().split(' '));
  if (!/^[a-z]+([A-Z][a-z0-9]*)*$/.test(field)) return field;
  return sentence(field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(' '));
}

function sentence(words: readonly string[]): string {
  const text = words.map((word) => initials[word] ?? word).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
