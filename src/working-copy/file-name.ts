import { createHash } from 'node:crypto';

const longest = 80;
// Device names that Windows reserves, whatever the extension.
const reserved = /^(con|prn|aux|nul|conin\$|conout\$|com\d|lpt\d)$/i;

/**
 * A file name that is valid on every file system: the template's ID if possible, otherwise its valid characters and a hash.
 * @param isTaken whether a name is in use, ignoring case
 */
export function fileNameOf(templateId: string, ending: string, isTaken: (name: string) => boolean): string {
  const stem = stemOf(templateId);
  const plain = `${stem}.${ending}`;
  if (stem !== '' && stem === templateId && !isTaken(plain)) return plain;
  // JSON keeps lone surrogates, so two IDs never share a name.
  const hash = createHash('sha256').update(JSON.stringify(templateId)).digest('hex');
  const lengths = [8, 16, 64];
  const names = lengths.map((length) => `${stem || 'template'}-${hash.slice(0, length)}.${ending}`);
  return names.find((name) => !isTaken(name)) ?? `${hash}.${ending}`;
}

/** ASCII letters and digits, hyphens and underscores: no separator, no leading or trailing dot, no character with two encodings. */
function stemOf(templateId: string): string {
  const kept = templateId
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[-]+/, '')
    .slice(0, longest)
    .replace(/-+$/, '');
  return reserved.test(kept) ? `${kept}-template` : kept;
}

/** The form in which names are compared, so that two of them never mean the same file on a file system that ignores case. */
export function comparableName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
