import { escapeHtml } from '../text/escape-html.ts';

/** The document of a frame: HTML without anything that opens a connection, and every other text as plain text. */
export function framePage(kind: 'html' | 'md' | 'txt', content: string): string {
  if (kind === 'html') return withoutConnections(content);
  const style = 'margin:0;white-space:pre-wrap;overflow-wrap:anywhere;font:1rem/1.5 ui-monospace,monospace';
  return `<!DOCTYPE html>\n<meta charset="utf-8">\n<title>Text</title>\n<pre style="${style}">${escapeHtml(content)}</pre>\n`;
}

/**
 * The policy of a frame forbids every request, but browsers open connections for these before they read the policy: links in the head (preconnect),
 * frames, and links that are clicked. They are shown without their target.
 */
function withoutConnections(html: string): string {
  const shown = html
    .replace(/<(link|iframe|frame|object|embed)\b/gi, '<no-$1')
    .replace(/\bhref(\s*=)/gi, 'data-href$1');
  return `${shown}\n<style>:where(a[data-href]) { color: LinkText; text-decoration: underline }</style>\n`;
}
