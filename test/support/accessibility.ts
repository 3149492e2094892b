import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe finds wrong with a page at three widths, in light and dark, and how far it is wider than the window. */
export async function wrongOnEveryScreen(page: Page): Promise<readonly string[]> {
  const wrong: string[] = [];
  // Expressions for the browser, which knows a document; this program's types do not. They pass the page's policy, a script would not.
  await page.evaluate(axe.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [375, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const { violations } = await page.evaluate<axe.AxeResults>(
        `axe.run({ iframes: false, resultTypes: ['violations'] })`,
      );
      const tooWide = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
      const found = violations.map(({ id, nodes }) => `${id} ${nodes.map(({ target }) => String(target)).join(', ')}`);
      if (tooWide > 0) found.push(`${tooWide} pixels too wide`);
      wrong.push(...found.map((each) => `${width} ${colorScheme}: ${each}`));
    }
  }
  return wrong;
}
