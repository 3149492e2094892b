import type { CheerioAPI } from 'cheerio/slim';

export type HtmlNode = CheerioAPI['_root']['children'][number];

/** The nodes of a page. Walk them without recursion: a hostile page can be thousands of elements deep, and parsing gets slower with depth. */
export async function parseHtml(html: string): Promise<readonly HtmlNode[]> {
  const { load } = await import('cheerio/slim');
  const [root] = load(html).root();
  return root?.children ?? [];
}
