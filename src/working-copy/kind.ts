type TextKind = 'html' | 'md' | 'txt';

const tag = /<(?:!doctype html|html|head|body|table|div|p|br|span|a|img|h[1-6]|ul|ol|strong|b)\b[^<>]*>/i;
const markdown = /^#{1,6} \S|^[-*] \S|^\d+\. \S|^```|^> \S|\*\*[^*\n]+\*\*|\[[^\]\n]+\]\([^)\n]+\)/m;

/** The kind of a content, as far as it is visible, and the extension of its file. */
export function kindOf(content: string): TextKind {
  if (tag.test(content)) return 'html';
  return markdown.test(content) ? 'md' : 'txt';
}
