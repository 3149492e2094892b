/** The served preview in a real browser: Debian's Chromium, where it is installed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { request } from 'node:http';
import { createServer, type Server } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { wrongOnEveryScreen } from '../support/accessibility.ts';
import { homeForEach } from '../support/home.ts';
import { lacks } from '../support/lacking.ts';
import { programFile, programWords } from '../support/program.ts';

const executablePath = '/usr/bin/chromium';

const home = homeForEach();
let program: ChildProcess;
let url: string;
let ended: Promise<number | null>;

const write = (name: string, front: string, content: string) =>
  home.file(`templates/${name}`, `---\ntemplateId: template_${name}\n${front}\n---\n${content}`);

beforeEach(async () => {
  write('plain.txt', 'name: Plain', '{{deviceName}} reports {{value}} < 90');
  const words = [...programWords, 'templates', 'preview', 'templates', '--serve', '--var', 'deviceName=Press 7'];
  program = spawn(programFile, words, { cwd: home.folder, env: home.env });
  ended = new Promise((resolve) => program.once('close', resolve));
  url = await new Promise((resolve) => program.stdout?.once('data', (line) => resolve(String(line).trim())));
});
afterEach(async () => {
  program.kill('SIGKILL');
  await ended;
});

/** The status of a request that no browser would make. */
function status(path: string, headers: Record<string, string>, method = 'GET', body = ''): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request(new URL(path, url), { method, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.once('error', reject);
    asked.end(body);
  });
}

describe('iiot templates preview --serve', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends with %s', async (signal, exit) => {
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{22}\/$/);
    program.kill(signal);
    expect(await ended).toBe(exit);
  });

  it('answers nobody who does not know its address', async () => {
    const { host, port } = new URL(url);
    expect(await status('', { host })).toBe(200);
    for (const path of ['/', '/templates', `/${'A'.repeat(22)}/templates`, url.slice(0, -1)])
      expect([path, await status(path, { host })]).toEqual([path, 403]);
    expect(await status('/render', { host }, 'POST', '{"file":"plain.txt","values":{}}')).toBe(403);
    expect(await status('', { host: 'evil.test' })).toBe(421);
    expect(await status('', { host: `evil.test:${port}` })).toBe(421);
  });

  it('answers no page of another server that knows its address', async () => {
    const { host, origin } = new URL(url);
    const render = (headers: Record<string, string>) =>
      status('render', { host, ...headers }, 'POST', '{"file":"plain.txt","values":{}}');
    for (const foreign of ['https://evil.test', 'null', 'http://127.0.0.1:1', origin.replace('127.0.0.1', 'localhost')])
      expect([foreign, await render({ origin: foreign })]).toEqual([foreign, 403]);
    for (const site of ['cross-site', 'same-site']) {
      expect([site, await render({ 'sec-fetch-site': site })]).toEqual([site, 403]);
      expect([site, await status('', { host, 'sec-fetch-site': site })]).toEqual([site, 403]);
    }
    expect(await render({ origin, 'sec-fetch-site': 'same-origin' })).toBe(200);
    expect(await status('', { host, 'sec-fetch-site': 'none' })).toBe(200);
  });

  it('shows only files of its folder', async () => {
    const { host } = new URL(url);
    const secret = home.file('secret.txt', '---\ntemplateId: a\n---\nsecret');
    const asked = (file: unknown) => status('render', { host }, 'POST', JSON.stringify({ file, values: {} }));
    expect([await asked('plain.txt'), await asked('../secret.txt'), await asked(secret)]).toEqual([200, 404, 404]);
    expect([await asked(7), await status('render', { host }, 'POST', '{')]).toEqual([404, 500]);
    expect(await status('../secret.txt', { host })).toBe(403);
    expect(await status('secret.txt', { host })).toBe(404);
  });
});

describe.skipIf(lacks('chromium'))('the preview in a browser', () => {
  let browser: Browser;
  let page: Page;
  /** What the page complained of. */
  let trouble: string[];
  let elsewhere: Server;
  /** Connections that were made to a server elsewhere. */
  let reached: number;

  beforeAll(async () => {
    // A container's root has no sandbox of the browser's own.
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  });
  afterAll(() => browser?.close());

  beforeEach(async () => {
    reached = 0;
    elsewhere = createServer((socket) => {
      reached += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    page = await browser.newPage();
    page.setDefaultTimeout(100_000);
    trouble = [];
    page.on('console', (message) => message.type() === 'error' && trouble.push(message.text()));
    page.on('pageerror', (error) => trouble.push(error.message));
  });
  afterEach(async () => {
    await page.close();
    elsewhere.close();
  });

  it('shows every template, its variables to fill in, and how it looks', async () => {
    write(
      'hot.html',
      'name: Hot\nsubject: "{{deviceName}} is hot"',
      '<h1 style="color:red">{{deviceName}}</h1>{{#if x}}',
    );
    await page.goto(url);
    await page.getByRole('button', { name: 'Hot' }).click();
    await page.frameLocator('#frame').getByRole('heading', { name: 'Press 7' }).waitFor();
    await page.getByLabel('deviceName').fill('Press <8>');
    await page.getByText('Press <8> is hot').waitFor();
    await page.getByText('Left as it is: line 1: {{#if x}}').waitFor();
    await page.getByRole('button', { name: 'Plain' }).click();
    await page.frameLocator('#frame').getByText('Press <8> reports {{value}} < 90').waitFor();
    expect(trouble).toEqual([]);
  });

  it('shows the template that was chosen last', async () => {
    write('other.txt', 'name: Other', 'Other reports');
    for (let apart = 0; apart < 16; apart += 2) {
      const quick = await browser.newPage();
      await quick.addInitScript(`setTimeout(function choose() {
        const [, plain] = document.querySelectorAll('#list button');
        if (plain) setTimeout(() => plain.click(), ${apart});
        else setTimeout(choose, 1);
      })`);
      await quick.goto(url);
      await quick.frameLocator('#frame').getByText('Press 7 reports').waitFor();
      await quick.close();
    }
  });

  it('shows a saved file at once, with the values that were filled in', async () => {
    await page.goto(url);
    await page.getByLabel('value').fill('81');
    const frame = page.frameLocator('#frame');
    await frame.getByText('reports 81').waitFor();
    write('plain.txt', 'name: Plain', '{{deviceName}} has {{value}} now, {{time}}');
    await frame.getByText('Press 7 has 81 now, {{time}}').waitFor();
    await page.getByLabel('time').waitFor();
    home.file('templates/plain.txt', '---\nname: [\n---\n');
    await page.getByRole('alert').getByText('plain.txt: its front matter').waitFor();
    write('new.md', 'name: Another', '# New');
    await page.getByRole('button', { name: 'Another' }).waitFor();
  });

  it('shows a template after one whose variables have names of the browser', async () => {
    const names = ['querySelectorAll', 'replaceChildren', 'append', 'getElementById', 'frame', 'title', '__proto__'];
    write('first.txt', 'name: First', `hello ${names.map((name) => `{{${name}}}`).join(' ')}`);
    await page.goto(url);
    await page.getByRole('button', { name: 'First' }).click();
    await page.getByLabel('querySelectorAll').waitFor();
    await page.getByRole('button', { name: 'Plain' }).click();
    await page.frameLocator('#frame').getByText('Press 7 reports {{value}} < 90').waitFor();
    expect(trouble).toEqual([]);
  });

  it('works with the keyboard alone, and fits a telephone', async () => {
    write('hot.md', 'name: Hot', '# {{deviceName}}');
    await page.setViewportSize({ width: 360, height: 640 });
    await page.goto(url);
    await page.getByText('2 templates').waitFor();
    // What has the focus: an expression for the browser, which knows a document; this program's types do not.
    const focused = (of: Pick<Page, 'evaluate'> = page) =>
      of.evaluate<string>('document.activeElement.innerText || document.activeElement.id');
    const seen = [];
    for (const key of ['Tab', 'Tab', 'Tab', 'Tab', 'Enter']) {
      await page.keyboard.press(key);
      seen.push(await focused());
    }
    expect(seen).toEqual(['Skip to the template', 'filter', 'Hot\nhot.md', 'Plain\nplain.txt', 'Plain\nplain.txt']);
    await page.getByRole('heading', { name: 'Plain' }).waitFor();
    write('new.md', 'name: Another', '# New');
    await page.getByText('3 templates').waitFor();
    expect(await focused()).toBe('Plain\nplain.txt');
    await page.getByLabel('Filter').fill('o');
    await page.getByText('2 of 3 templates').waitFor();
    // A function for the browser, which knows a document; this program's types do not.
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth > window.innerWidth')).toBe(false);
  });

  it('scrolls a long template with the keyboard', async () => {
    const lines = Array.from({ length: 100 }, (_, at) => `Line ${at}`);
    write('long.txt', 'name: Long', lines.join('\n'));
    write('long.html', 'name: Page', `<body style="color:rgb(1,2,3)"><p>${lines.join('<p>')}</body>`);
    for (const file of ['long.txt', 'long.html']) {
      await page.goto(`${url}#${file}`);
      const last = page.frameLocator('#frame').getByText('Line 99');
      await last.waitFor();
      for (const key of ['Tab', 'Enter', 'Tab', 'End']) await page.keyboard.press(key);
      // An expression for the browser, as above.
      const scrolled = 'window.scrollY > 0 && getComputedStyle(document.body).color';
      await expect.poll(() => page.frames()[1]?.evaluate(scrolled)).toMatch(/^rgb/);
      await page.goto('about:blank');
    }
  });

  it('has no accessibility problem that axe finds, with long names and a wrong file', async () => {
    const long = 'aNameWithoutAnyBlank'.repeat(10);
    for (let each = 0; each < 12; each++) write(`more-${each}.txt`, `name: More ${each}`, 'more');
    write('long.txt', `name: ${long}\nsubject: "{{${long}}}"`, `{{${long}}} {{a}} {{b}}`);
    home.file('templates/wrong.txt', '---\nname: [\n---\n');
    await page.goto(`${url}#long.txt`);
    await page.getByLabel(long).waitFor();
    expect(await wrongOnEveryScreen(page)).toEqual([]);
    await page.getByRole('button', { name: 'wrong.txt' }).click();
    await page.getByRole('alert').getByText('YAML').waitFor();
    expect(await wrongOnEveryScreen(page)).toEqual([]);
    expect(trouble).toEqual([]);
  });

  it('runs no script of a template, and lets it contact no server', async () => {
    const { port } = elsewhere.address() as { port: number };
    const out = `http://127.0.0.1:${port}`;
    write(
      'evil.html',
      'name: Evil',
      `<html><head><link rel="preconnect" href="${out}"><LINK rel=stylesheet href="${out}/s"><link rel="prefetch" href="${out}/p">
<meta http-equiv="refresh" content="0;url=${out}/refresh"><base href="${out}/"><style>@import url(${out}/i); h1{background:url(${out}/b)}</style></head>
<body onload="parent.document.title='owned'"><h1>Evil</h1><script>parent.document.title='owned';fetch('${out}/x')</script>
<img src="${out}/img" onerror="parent.document.title='owned'"><iframe src="${out}/frame"></iframe><video src="${out}/v" autoplay></video>
<a id="link" href="${out}/link">link</a> <a id="top" target="_top" href="${out}/top">top</a> <a id="blank" target="_blank" href="${out}/blank">blank</a>
<object data="${out}/object"></object><embed src="${out}/embed"><svg><a xlink:href="${out}/svg"><text>svg</text></a></svg>
<form action="${out}/form" method="post"><button id="send">send</button></form>
<form action="${out}/get"><button id="get" formaction="${out}/formaction">get</button></form>
<svg width="90" height="20"><a id="set"><text y="15">set</text><set attributeName="href" to="${out}/set"/></a></svg>
<svg width="90" height="20"><a id="animate"><text y="15">animate</text><AnImAtE attributeName="xlink:href" values="${out}/a;${out}/b" dur="1s" repeatCount="indefinite"/></a></svg>
<svg width="90" height="20"><style>&lt;a id="style" xlink:href="${out}/style">&lt;text y="15">style&lt;/text></style></svg>
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;a id=comment href=${out}/comment&gt;comment&lt;/a&gt;">
<math id="math" href="${out}/math"><mtext>math</mtext></math><div><template shadowrootmode="open"><a id="shadow" href="${out}/shadow">shadow</a></template></div>
<noscript><a id="noscript" href="${out}/noscript">noscript</a></noscript><map name="m"><area id="area" href="${out}/area" coords="0,0,99,99"></map>
<!--[if IE]><a href="${out}/if">if</a><![endif]--><a id="tab" href="/\t/127.0.0.1:${port}/tab">tab</a></body></html>`,
    );
    const frame = page.frameLocator('#frame');
    const ids = 'link top blank send get set animate style comment math shadow noscript tab'.split(' ');
    const clicked: string[] = [];
    await page.goto(`${url}#evil.html`);
    for (const id of ids) {
      await frame.getByRole('heading', { name: 'Evil' }).waitFor();
      const target = frame.locator(`#${id}`);
      if ((await target.count()) === 0) continue;
      clicked.push(id);
      const options = { force: true };
      await target.click({ ...options, button: 'middle' });
      await target.click({ ...options, modifiers: ['Control'] });
      await target.click(options);
      await page.getByRole('heading', { name: 'Evil' }).first().waitFor();
    }
    // Two were a text for the eye and a link for another reader of HTML.
    expect(clicked).toEqual(ids.filter((id) => id !== 'style' && id !== 'comment'));
    expect([
      reached,
      await page.title(),
      page.url(),
      browser.contexts().flatMap((each) => each.pages()).length,
    ]).toEqual([0, 'Templates in templates', `${url}#evil.html`, 1]);
  });

  it('shows the styles, inline pictures and drawings of HTML', async () => {
    write(
      'mail.html',
      'name: Mail',
      `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN"><style>@media (width<9000px) { p > b { color: rgb(1, 2, 3) } }</style>
<p>a &lt; b &amp; <b id="b">c&nbsp;d</b><br>e<p style="color:rgb(4,5,6)" id="p">f<table bgcolor="#070809" id="t"><tr><td>g</table>
<img id="i" alt="dot" src="data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs="><img alt="logo" src="http://127.0.0.1:1/x">
<svg viewBox="0 0 10 10"><g id="g"><circle r="5"/></g><use id="u" href="#g"/></svg>`,
    );
    await page.goto(`${url}#mail.html`);
    const frame = page.frameLocator('#frame');
    await frame.locator('#p').waitFor();
    expect(await frame.locator('body').innerText()).toMatch(/^a < b & c\u00a0d\ne\n\nf\n\ng/);
    // An expression for the browser, which knows elements; this program's types do not.
    const looks = `[getComputedStyle(b).color, getComputedStyle(p).color, getComputedStyle(t).backgroundColor, i.naturalWidth, u.getBBox().width]`;
    const shown = await page.frames()[1]?.evaluate<unknown>(looks);
    expect(shown).toEqual(['rgb(1, 2, 3)', 'rgb(4, 5, 6)', 'rgb(7, 8, 9)', 1, 10]);
    expect(trouble).toEqual([]);
  });
});
