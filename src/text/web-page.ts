/** Whether a text is a web page or XML, judged by its content. The type alone is not enough: servers label JSON and plain text as text/html, too. */
export function isWebPage(text: string, contentType: string): boolean {
  const start = text
    .slice(0, 1000)
    .replace(/^\ufeff/, '')
    .trimStart();
  if (start.startsWith('<')) return true;
  return /html/i.test(contentType) && !/^[[{"]/.test(start) && /<(html|head|body|title|h1|p|div)\b/i.test(start);
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  nbsp: ' ',
};

/** The title of a web page, to report what came instead of a response. */
export function titleOf(html: string): string | undefined {
  const title = /<(title|h1)\b[^<>]*>([^<]{1,500})/i.exec(html.slice(0, 65_536))?.[2];
  const words = title?.replace(
    /&(amp|lt|gt|quot|apos|#39|nbsp);/gi,
    (_, name: string) => entities[name.toLowerCase()] ?? '',
  );
  return words?.replace(/\s+/g, ' ').trim() || undefined;
}

/** Whether a page asks for a password. */
export function asksToLogIn(html: string): boolean {
  return /type\s*=\s*["']?password/i.test(html);
}
