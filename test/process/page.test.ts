/** The sandbox's pages in a real browser: Debian's Chromium, where it is installed. */
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/sandbox/server.ts';

const executablePath = '/usr/bin/chromium';
const installed = existsSync(executablePath);
if (!installed) {
  process.stderr.write(
    `\n*** ${executablePath} is not there: no page was tried in a browser (apt-get install chromium) ***\n`,
  );
}

describe.skipIf(!installed)('in a browser', () => {
  let browser: Browser;
  let server: RunningServer;
  let page: Page;
  /** What the page complained of, and what it asked of others. */
  let trouble: string[];

  beforeAll(async () => {
    // A container's root has no sandbox of the browser's own.
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  }, 60_000);
  afterAll(() => browser?.close());

  beforeEach(async () => {
    server = await startServer({ users: 5, devices: 3 });
    page = await browser.newPage();
    trouble = [];
    page.on('console', (message) => message.type() === 'error' && trouble.push(message.text()));
    page.on('pageerror', (error) => trouble.push(error.message));
    page.on('request', (request) => request.url().startsWith(server.url) || trouble.push(request.url()));
  });
  afterEach(async () => {
    await page.close();
    await server.close();
  });

  it('shows what is in the sandbox, and its requests while they come', async () => {
    await page.goto(server.url);
    expect(await page.title()).toBe('Sandbox');
    await page.getByText('ada@factory.example').first().waitFor();
    await fetch(`${server.url}/api/v1/orgs/x/users?name=hidden`);
    await page.getByRole('cell', { name: 'GET /api/v1/orgs/x/users', exact: true }).waitFor();
    expect(await page.getByRole('row', { name: '/api/v1/orgs/x/users 401' }).count()).toBe(1);
    expect({ trouble, hidden: (await page.content()).includes('hidden=') }).toEqual({ trouble: [], hidden: false });
  });

  it('stops moving with the keyboard alone', async () => {
    await page.goto(server.url);
    const pause = page.getByRole('button', { name: 'Pause' });
    await pause.focus();
    await page.keyboard.press('Enter');
    expect(await pause.getAttribute('aria-pressed')).toBe('true');
    await fetch(`${server.url}/late`);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(await page.getByRole('cell', { name: 'GET /late' }).count()).toBe(0);
    expect(trouble).toEqual([]);
  });

  it('signs a person in through every page, without a mouse', async () => {
    await page.goto(server.url);
    await page.getByRole('link', { name: 'Log in as a person' }).press('Enter');
    await page.getByLabel('Account').fill('ada@factory.example');
    await page.getByLabel('Password').fill('correct horse');
    await page.keyboard.press('Enter');
    await page.getByText('You are logged in as ada@factory.example.').waitFor();
    expect(page.url()).toBe(`${server.url}/factory/console`);
    expect(trouble).toEqual([]);
  });

  it('says that a password is wrong, and asks again', async () => {
    await page.goto(server.url);
    await page.getByRole('link', { name: 'Log in as a person' }).click();
    await page.getByLabel('Account').fill('ada@factory.example');
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Log in' }).click();
    expect(await page.getByRole('alert').textContent()).not.toBe('');
    await page.getByLabel('Password').fill('correct horse');
    await page.getByLabel('Account').fill('ada@factory.example');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('You are logged in as ada@factory.example.').waitFor();
  });

  it('fits a telephone', async () => {
    await page.setViewportSize({ width: 360, height: 640 });
    await page.goto(server.url);
    // A function for the browser, which knows a document; this program's types do not.
    const wide = await page.evaluate<boolean>('document.documentElement.scrollWidth > window.innerWidth');
    expect(wide).toBe(false);
  });
});
