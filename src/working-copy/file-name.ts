import { createHash } from 'node:crypto';

const longest = 80;
const longestSlug = 40;
// Device names that Windows reserves, whatever the extension.
const reserved = /^(con|prn|aux|nul|conin\$|conout\$|com\d|lpt\d)$/i;

/**
 * A file name that is valid on every file system: the template's ID if possible, otherwise its valid characters and a hash; then what ASCII can tell
 * of its name.
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

/** ASCII letters and digits, hyphens and underscores: no separator, no leading or trailing dot, no character with two encodings. */
function stemOf(templateId: string): string {
  const words = templateId.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^[-]+/, '');
  const kept = words.slice(0, longest).replace(/-+$/, '');
  return reserved.test(kept) ? `${kept}-template` : kept;
}

/** "Öl prüfen!" is "ol-prufen". Empty for a name in another script: the figures in it alone would mislead. */
function slugOf(name: unknown): string {
  if (typeof name !== 'string' || /(?!\p{Script=Latin})\p{L}/u.test(name)) return '';
  const ascii = name.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').toLowerCase();
  const words = ascii.replace(/[^a-z0-9]+/g, '-').replace(/^-/, '');
  return words.slice(0, longestSlug).replace(/-$/, '');
}

const tag = /<(?:!doctype html|html|head|body|table|div|p|br|span|a|img|h[1-6]|ul|ol|strong|b)\b[^<>]*>/i;
const markdown = /^#{1,6} \S|^[-*] \S|^\d+\. \S|^```|^> \S|\*\*[^*\n]+\*\*|\[[^[\]\n]+\]\([^()\n]+[()]/m;

/** In characters: a content has up to 50,000. */
const longestLook = 65_536;

/** The kind of a content, as far as it is visible, and the extension of its file. */
export function kindOf(content: string): 'html' | 'md' | 'txt' {
  const visible = content.slice(0, longestLook);
  if (tag.test(visible)) return 'html';
  return markdown.test(visible) ? 'md' : 'txt';
}
