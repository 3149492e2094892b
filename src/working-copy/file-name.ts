import { createHash } from 'node:crypto';

const longest = 80;
// What Windows keeps for its devices, whatever ending follows.
const reserved = /^(con|prn|aux|nul|conin\$|conout\$|com\d|lpt\d)$/i;

/**
 * A name that every file system takes for the file of a template: its id where that is one, else what can be kept of it and a hash.
 * @param isTaken whether a name is in use, compared without case
 */
export function fileNameOf(templateId: string, ending: string, isTaken: (name: string) => boolean): string {
  const stem = stemOf(templateId);
  const plain = `${stem}.${ending}`;
  if (stem !== '' && stem === templateId && !isTaken(plain)) return plain;
  // The id itself, its half pairs too: two ids never share a name.
  const hash = createHash('sha256').update(JSON.stringify(templateId)).digest('hex');
  const lengths = [8, 16, 64];
  const names = lengths.map((length) => `${stem || 'template'}-${hash.slice(0, length)}.${ending}`);
  return names.find((name) => !isTaken(name)) ?? `${hash}.${ending}`;
}

/** Letters and digits of ASCII, hyphens and underscores: no separator, no dot that hides or ends a name, nothing that is written in two ways. */
function stemOf(templateId: string): string {
  const kept = templateId
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[-]+/, '')
    .slice(0, longest)
    .replace(/-+$/, '');
  return reserved.test(kept) ? `${kept}-template` : kept;
}

/** How names are compared, so that no two files are one where case does not count. */
export function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
