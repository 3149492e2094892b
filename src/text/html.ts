import type { CheerioAPI } from 'cheerio/slim';

export type HtmlNode = CheerioAPI['_root']['children'][number];

/** The nodes of a page. Walk them without recursion: a hostile page can be thousands of elements deep, and parsing gets slower with depth. */
export async function parseHtml(html: string): Promise<readonly HtmlNode[]> {
  const { load } = await import('cheerio/slim');
  const [root] = load(html).root();
  return root?.children ?? [];
}

/** Escapes text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A whole page without external resources. @param body HTML */
export function htmlPage(title: string, style: string, body: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

/** Whether a text is a web page, judged by its content. The type alone is not enough: servers label JSON and plain text as text/html, too. */
export function isWebPage(text: string, contentType: string): boolean {
  const start = startOf(text);
  const isMarkedUp = /<(?:!doctype|html|head|body|title|h1|p|div)\b/i.test(start);
  if (start.startsWith('<')) return !isXml(text, contentType) && (isMarkedUp || !/^text\/plain\b/i.test(contentType));
  return /html/i.test(contentType) && !/^[[{"]/.test(start) && isMarkedUp;
}

function startOf(text: string): string {
  return text
    .slice(0, 1000)
    .replace(/^\ufeff/, '')
    .trimStart();
}

/** Whether a text is XML other than a web page, as API gateways, storage services and SOAP services write it. */
export function isXml(text: string, contentType: string): boolean {
  const start = startOf(text);
  const isCalledXml = /[/+]xml\b/i.test(contentType) || (start.startsWith('<?xml') && !/html/i.test(contentType));
  return isCalledXml && start.startsWith('<') && !/<(!doctype )?html\b/i.test(start);
}

/** The message of an error in XML: `<Message>`, or `<faultstring>` and `<Text>` of SOAP. */
export function messageInXml(xml: string): string | undefined {
  const element = /<(?:[\w-]+:)?(?:message|faultstring|text)\b[^<>]*>\s*(?:<!\[CDATA\[)?([^<\]]+)/i;
  return plainOf(element.exec(xml.slice(0, 65_536))?.[1]);
}

export const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** The title of a web page that came instead of a response. */
export function titleOf(html: string): string | undefined {
  return plainOf(/<(title|h1)\b[^<>]*>([^<]{1,500})/i.exec(html.slice(0, 65_536))?.[2]);
}

function plainOf(text: string | undefined): string | undefined {
  const named = text?.replaceAll('&#39;', "'");
  const words = named?.replace(/&([a-z]{2,4});/gi, (whole, name: string) => entities[name.toLowerCase()] ?? whole);
  return words?.replace(/\s+/g, ' ').trim() || undefined;
}
