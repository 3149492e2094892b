import { createHash } from 'node:crypto';

const longestStem = 80;
const longestSlug = 40;
// Device names that Windows reserves, whatever the extension.
const reserved = /^(con|prn|aux|nul|conin\$|conout\$|com\d|lpt\d)$/i;

/**
 * A file name that is valid on every file system: the template's ID, or its valid characters and a hash; then the template's name, as far as it
 * can be written in ASCII.
 * @param isTaken whether a name is in use, ignoring case
 */
export function fileNameOf(
  /** `isAmbiguous`: another ID differs only in case. */
  { templateId, name, isAmbiguous }: { templateId: string; name?: unknown; isAmbiguous?: boolean },
  ending: string,
  isTaken: (name: string) => boolean,
): string {
  const stem = stemOf(templateId);
  const slug = slugOf(name);
  const nameFrom = (begin: string) => `${begin}${slug === '' ? '' : `-${slug}`}.${ending}`;
  const plain = nameFrom(stem);
  if (stem !== '' && stem === templateId && !isAmbiguous && !isTaken(plain)) return plain;
  // JSON keeps lone surrogates, so two IDs never share a name.
  const hash = createHash('sha256').update(JSON.stringify(templateId)).digest('hex');
  const names = [8, 16, 64].map((length) => nameFrom(`${stem || 'template'}-${hash.slice(0, length)}`));
  return names.find((each) => !isTaken(each)) ?? `${hash}.${ending}`;
}

/** Only ASCII letters and digits, hyphens and underscores: nothing that a file system treats in a special way. */
function stemOf(templateId: string): string {
  const words = templateId.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^[-]+/, '');
  const stem = words.slice(0, longestStem).replace(/-+$/, '');
  return reserved.test(stem) ? `${stem}-template` : stem;
}

/** "Öl prüfen!" is "ol-prufen". Empty for a name in another script: the figures in it alone would mislead. */
function slugOf(name: unknown): string {
  if (typeof name !== 'string' || /(?!\p{Script=Latin})\p{L}/u.test(name)) return '';
  const ascii = name.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').toLowerCase();
  const words = ascii.replace(/[^a-z0-9]+/g, '-').replace(/^-/, '');
  return words.slice(0, longestSlug).replace(/-$/, '');
}

const htmlTag = /<(?:!doctype html|html|head|body|table|div|p|br|span|a|img|h[1-6]|ul|ol|strong|b)\b[^<>]*>/i;
const markdownMark = /^#{1,6} \S|^[-*] \S|^\d+\. \S|^```|^> \S|\*\*[^*\n]+\*\*|\[[^[\]\n]+\]\([^()\n]+[()]/m;

/** How many characters are examined; a content has up to 50,000. */
const longestLook = 65_536;

/** Guesses the kind of a content, which is also the extension of its file. */
export function kindOf(content: string): 'html' | 'md' | 'txt' {
  const visible = content.slice(0, longestLook);
  if (htmlTag.test(visible)) return 'html';
  return markdownMark.test(visible) ? 'md' : 'txt';
}
