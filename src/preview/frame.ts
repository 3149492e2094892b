import { escapeHtml, type HtmlNode, parseHtml } from '../text/html.ts';

/** Twice what the platform accepts as a content. Parsing gets slower with depth. */
const longestHtml = 100_000;

/** Makes the document of a frame: HTML without anything that opens a connection; any other content as plain text. */
export async function framePage(kind: 'html' | 'md' | 'txt', content: string): Promise<string> {
  if (kind === 'html' && content.length <= longestHtml) return writeSafely(await parseHtml(content));
  const style = 'margin:0;white-space:pre-wrap;overflow-wrap:anywhere;font:1rem/1.5 ui-monospace,monospace';
  return `<!DOCTYPE html>\n<title>Text</title>\n<pre style="${style}">${escapeHtml(content)}</pre>\n${focusable}`;
}

/** Adds the attribute to the document's body, so that the keyboard can scroll the frame. */
const focusable = '<body tabindex="0">\n';

/** Elements that load something, lead elsewhere, or change attributes later. They are left out, but not their content. */
const unwrapped = /^(link|meta|base|frame|iframe|frameset|object|embed|applet|portal|fencedframe|set|animate\w*)$/;
/** Attributes that hold an address, or a script. */
const active = /^on|^(.*:)?(href|src|srcset|imagesrcset|action|formaction|poster|background|data|ping)$/;
const plainName = /^[a-z][\w:.-]*$/;
/** Elements without an end tag. */
const empty = /^(area|br|col|hr|img|input|param|source|track|wbr)$/;

/**
 * Writes HTML again, tag by tag, without anything that opens a connection. The page's policy alone is not enough: browsers open connections
 * before they read it, and for links that are clicked.
 */
function writeSafely(nodes: readonly HtmlNode[]): string {
  const written: string[] = [];
  const open: (HtmlNode | string)[] = nodes.toReversed();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') written.push(next);
    else if (next.type === 'text') written.push(htmlText(next));
    else if (next.type === 'directive' && next.name === '!doctype') written.push(`<${next.data}>`);
    if (typeof next === 'string' || !('attribs' in next) || next.type === 'script') continue;
    const isKept = plainName.test(next.name) && !unwrapped.test(next.name);
    if (isKept) written.push(startTag(next.name, next.attribs));
    if (isKept && !empty.test(next.name)) open.push(`</${next.name}>`);
    open.push(...next.children.toReversed());
  }
  return `${written.join('')}\n<style>:where(a[data-href]) { color: LinkText; text-decoration: underline }</style>\n${focusable}`;
}

/** Escapes a text. In a style, browsers do not unescape HTML, so < is written in CSS wherever a tag could begin. */
function htmlText({ data, parent }: Extract<HtmlNode, { type: 'text' }>): string {
  return parent?.type === 'style' ? data.replace(/<(?![\s\d=])/g, '\\3c ') : escapeHtml(data);
}

function startTag(name: string, attributes: Readonly<Record<string, string>>): string {
  const written = Object.entries(attributes).flatMap(([attribute, value]) => {
    if (!plainName.test(attribute)) return [];
    return [` ${staysActive(name, attribute, value) ? attribute : `data-${attribute}`}="${escapeHtml(value)}"`];
  });
  return `<${name}${written.join('')}>`;
}

/** Whether an attribute can stay because it opens no connection: it holds no address, a picture in data:, or a part of the document. */
function staysActive(name: string, attribute: string, value: string): boolean {
  if (!active.test(attribute)) return true;
  return attribute.endsWith('src')
    ? /^data:image\//i.test(value)
    : name !== 'a' && name !== 'area' && value.startsWith('#');
}
