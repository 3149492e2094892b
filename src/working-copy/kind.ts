type TextKind = 'html' | 'md' | 'txt';

const tag = /<(?:!doctype html|html|head|body|table|div|p|br|span|a|img|h[1-6]|ul|ol|strong|b)\b[^<>]*>/i;
const markdown = /^#{1,6} \S|^[-*] \S|^\d+\. \S|^```|^> \S|\*\*[^*\n]+\*\*|\[[^[\]\n]+\]\([^()\n]+[()]/m;

/** In characters: a content has up to 50,000. */
const longestLook = 65_536;

/** The kind of a content, as far as it is visible, and the extension of its file. */
export function kindOf(content: string): TextKind {
  const visible = content.slice(0, longestLook);
  if (tag.test(visible)) return 'html';
  return markdown.test(visible) ? 'md' : 'txt';
}
