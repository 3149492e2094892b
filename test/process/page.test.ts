/** The sandbox's pages in a real browser: Debian's Chromium, where it is installed. */
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startServer } from '../../src/sandbox/server.ts';
import { wrongOnEveryScreen } from '../support/accessibility.ts';
import { madeForEach } from '../support/fixtures.ts';
import { lacks } from '../support/lacking.ts';

const executablePath = '/usr/bin/chromium';

describe.skipIf(lacks('chromium'))("the sandbox's page in a browser", () => {
  let browser: Browser;
  const server = madeForEach(() => startServer({ users: 5, devices: 3 }));
  let page: Page;
  /** What the page complained of, and what it asked of others. */
  let trouble: string[];

  beforeAll(async () => {
    // A container's root has no sandbox of the browser's own.
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  });
  afterAll(() => browser?.close());

  beforeEach(async () => {
    page = await browser.newPage();
    page.setDefaultTimeout(100_000);
    await page.clock.install();
    trouble = [];
    page.on('console', (message) => message.type() === 'error' && trouble.push(message.text()));
    page.on('pageerror', (error) => trouble.push(error.message));
    page.on('request', (request) => request.url().startsWith(server.url) || trouble.push(request.url()));
  });
  afterEach(async () => {
    await page.close();
  });

  it('shows the sandbox, and its requests as they come', async () => {
    await page.goto(server.url);
    expect(await page.title()).toBe('Sandbox');
    const headings = await page.getByRole('heading', { level: 2 }).allTextContents();
    expect(headings).toEqual(['Accounts', 'First things to try', 'Changes', 'Data', 'Requests']);
    await page.getByText('ada@factory.example').first().waitFor();
    await fetch(`${server.url}/api/v1/orgs/x/users?name=hidden`);
    await page.clock.runFor(2000);
    await page.getByRole('cell', { name: 'GET /api/v1/orgs/x/users', exact: true }).waitFor();
    expect(await page.getByRole('row', { name: '/api/v1/orgs/x/users 401' }).count()).toBe(1);
    expect({ trouble, hidden: (await page.content()).includes('hidden=') }).toEqual({ trouble: [], hidden: false });
  });

  it('shows a change as it comes, and redraws nothing else', async () => {
    await page.goto(server.url);
    await page.evaluate(`document.querySelectorAll('h3').forEach((each) => each.old = true)`);
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'sandbox-machine',
      client_secret: 'sandbox-secret',
    });
    const token = await fetch(`${server.url}/identity/connect/token`, { method: 'POST', body });
    const { access_token } = (await token.json()) as { access_token: string };
    await fetch(`${server.url}/platform/solutions/api/v1/devices/press-0002/custom-info`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      body: '{"line":"3","shift":"<b>Night"}',
    });
    await page.clock.runFor(2000);
    await page.getByText('shift=<b>Night').waitFor();
    await page.getByRole('row', { name: '{"line":"3","shift":"<b>Night"} sandbox-machine' }).waitFor();
    const kept = `[...document.querySelectorAll('h3')].map((each) => each.textContent + (each.old ? '' : ' new'))`;
    expect((await page.evaluate<readonly string[]>(kept)).filter((title) => title.endsWith('new'))).toEqual([
      'Devices (15) new',
    ]);
    expect(trouble).toEqual([]);
  });

  it('is paused with the keyboard', async () => {
    await page.goto(server.url);
    const pause = page.getByRole('button', { name: 'Pause' });
    await pause.focus();
    await page.keyboard.press('Enter');
    expect(await pause.getAttribute('aria-pressed')).toBe('true');
    // What is pressed looks pressed: an expression for the browser, as below.
    const looks = `[...document.querySelectorAll('#pause, body')].map((each) => getComputedStyle(each).color)`;
    expect(new Set(await page.evaluate<readonly string[]>(looks)).size).toBe(2);
    await fetch(`${server.url}/late`);
    await page.clock.runFor(2500);
    expect(await page.getByRole('cell', { name: 'GET /late' }).count()).toBe(0);
    expect(trouble).toEqual([]);
  });

  it('reports a wrong password, and asks again', async () => {
    await page.goto(server.url);
    await page.getByRole('link', { name: 'Log in as a person' }).click();
    await page.getByLabel('Account').fill('ada@factory.example');
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Log in' }).click();
    expect(await page.getByRole('alert').textContent()).not.toBe('');
    await page.getByLabel('Password').fill('correct horse');
    await page.getByLabel('Account').fill('ada@factory.example');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('logged in as ada@factory.example.').waitFor();
  });

  it('has no accessibility problem that axe finds, and neither has the login', async () => {
    await fetch(`${server.url}/api/v1/orgs/${'long-'.repeat(40)}/users`);
    await page.goto(server.url);
    await page.getByRole('button', { name: 'Pause' }).click();
    expect(await wrongOnEveryScreen(page)).toEqual([]);
    await page.getByRole('link', { name: 'Log in as a person' }).click();
    await page.getByLabel('Account').waitFor();
    expect(await wrongOnEveryScreen(page)).toEqual([]);
    expect(trouble).toEqual([]);
  });

  // Expressions for the browser, which knows a document; this program's types do not.
  const tooWide = 'document.documentElement.scrollWidth > window.innerWidth';
  /** The words of times, headings and IDs that go on in another line. */
  const broken = `[...document.querySelectorAll('h1, h2, h3, th, time, td:first-child, dt span')].flatMap((element) =>
    [...element.textContent.matchAll(/\\S+/g)].filter(({ index, 0: word }) => {
      const range = document.createRange();
      const text = element.firstChild;
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
    }).map(([word]) => word))`;
  const colours = '[getComputedStyle(document.body).color, getComputedStyle(document.querySelector("a")).color]';

  const sizes = (selector: string) =>
    page.evaluate<readonly number[]>(
      `[...document.querySelectorAll('${selector}')].map((each) => parseFloat(getComputedStyle(each).fontSize))`,
    );

  it.each([320, 500, 1280])('fits %i pixels without broken words, in light and dark', async (width) => {
    await page.setViewportSize({ width, height: 800 });
    await fetch(`${server.url}/api/v1/orgs/11111111-1111-4111-8111-111111111111/notifications/templates`);
    const seen = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(server.url);
      await page.getByText('/notifications/templates').first().waitFor();
      expect([await page.evaluate(tooWide), await page.evaluate(broken)]).toEqual([false, []]);
      const [copied, around] = [await sizes('code'), await sizes('dd, td')];
      expect([Math.min(...copied) >= Math.max(...around), copied.length > 50]).toEqual([true, true]);
      seen.push(await page.evaluate<readonly string[]>(colours));
    }
    const [light, dark] = seen;
    expect([light?.[0] === dark?.[0], light?.[1] === dark?.[1]]).toEqual([false, false]);
  });
});
