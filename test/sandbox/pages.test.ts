import { Script } from 'node:vm';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import {
  type Browser,
  faultsOf,
  infoOf,
  logIn,
  machineToken,
  night,
  root,
  startPlatform,
  startWithCallers,
} from './browser.ts';

describe('the home page of a sandbox', () => {
  it('shows logins and examples, and loads nothing from other servers', async () => {
    const answer = await startPlatform().browse().get('/');
    const html = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const shown = 'ada@factory.example|correct horse|sandbox-machine|press-0001|channel_unreachable'.split('|');
    expect([...shown, root].filter((text) => !html.includes(text))).toEqual([]);
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\//);
    const policy = answer.headers.get('content-security-policy') ?? '';
    const nonce = /<script nonce="([^"]+)">/.exec(html)?.[1] ?? '';
    expect(nonce).toHaveLength(43);
    expect(policy).toMatch(/^default-src 'none'; /);
    expect(policy).toContain(` script-src 'nonce-${nonce}'; connect-src 'self'; `);
  });

  it('has a valid script', async () => {
    const html = await (await startPlatform().browse().get('/')).text();
    const script = /<script nonce="[^"]+">([\s\S]+)<\/script>/.exec(html)?.[1] ?? 'no script';
    expect(() => new Script(script)).not.toThrow();
  });

  it('has a link to the login', async () => {
    const browser = startPlatform().browse();
    const html = await (await browser.get('/')).text();
    const link = /<a href="(\/factory[^"]+)">/.exec(html)?.[1] ?? '';
    expect((await browser.get(link)).status).toBe(302);
  });

  it('shows the fault rules as text, and is not affected by them', async () => {
    const { browse } = startPlatform({ faults: faultsOf('/<b>=503', '**=503') });
    const answer = await browse().get('/');
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('<code>/&#60;b&#62;=503</code>');
  });
});

/** The texts of the cells of a section's table, and of the rows of a list. */
async function partsOf(browser: Browser, title: string): Promise<string[][]> {
  const { load } = await import('cheerio');
  const $ = load(await (await browser.get('/')).text());
  const part = $('h2, h3')
    .filter((_, heading) => $(heading).text().startsWith(title))
    .nextUntil('h2, h3');
  part.find('br').replaceWith('\n');
  return part
    .find('tbody tr, dl > div')
    .toArray()
    .map((row) =>
      $(row)
        .children()
        .toArray()
        .map((cell) => $(cell).text()),
    );
}

describe('the requests on the home page', () => {
  it('come newest first, without queries and the page itself', async () => {
    const browser = startPlatform().browse();
    await browser.get('/');
    await browser.get('/one?password=secret');
    await browser.get('/<b>two');
    expect(await partsOf(browser, 'Requests')).toEqual([
      ['08:00:00', 'GET /%3Cb%3Etwo', '404'],
      ['08:00:00', 'GET /one', '404'],
    ]);
    expect(await (await browser.get('/')).text()).toContain('<caption>2 in all, newest first</caption>');
  });

  it('are limited to fifty, but all are counted', async () => {
    const { browse, platform } = startPlatform();
    const browser = browse();
    for (let count = 0; count < 205; count++) await browser.get(`/${count}`);
    expect(platform.log.count).toBe(205);
    const shown = await partsOf(browser, 'Requests');
    expect([shown.length, shown[0]?.[1], shown.at(-1)?.[1]]).toEqual([50, 'GET /204', 'GET /155']);
  });
});

describe('the changes on the home page', () => {
  it('show request, query, body and account, newest first', async () => {
    const { admin, machine } = await startWithCallers();
    expect(await partsOf(admin, 'Changes')).toEqual([]);
    await admin.send('PUT', `${infoOf('press-0001')}?dryRun=false`, { line: '3' });
    await machine.send('PATCH', `/api/v1/orgs/${root}/notifications/templates/template_001`, { subject: '<i>' });
    await admin.send('DELETE', '/api/v1/orgs/22222222-2222-4222-8222-222222222222?orgName=Line+7');
    expect(await partsOf(admin, 'Changes')).toEqual([
      ['08:00:00', 'DELETE /api/v1/orgs/22222222-2222-4222-8222-222222222222?orgName=Line+7', 'ada@factory.example'],
      [
        '08:00:00',
        `PATCH /api/v1/orgs/${root}/notifications/templates/template_001\n{"subject":"<i>"}`,
        'sandbox-machine',
      ],
      ['08:00:00', `PUT ${infoOf('press-0001')}?dryRun=***\n{"line":"3"}`, 'ada@factory.example'],
    ]);
  });

  it('do not include requests that read or were refused', async () => {
    const { admin, browse } = await startWithCallers();
    await admin.get(`/api/v1/orgs/${root}/users?name=ada`);
    await admin.send('PUT', infoOf('nobody'), { line: '3' });
    await admin.send('PUT', infoOf('press-0001'), '[]');
    await browse().send('PUT', infoOf('press-0001'), { line: '3' });
    expect(await partsOf(admin, 'Changes')).toEqual([]);
  });

  it('are limited to fifty, and long bodies are cut or omitted', async () => {
    const { admin } = await startWithCallers();
    for (let count = 1; count <= 52; count++) await admin.send('PUT', infoOf('press-0001'), { line: String(count) });
    const shown = await partsOf(admin, 'Changes');
    expect([shown.length, shown[0]?.[1]?.split('\n')[1], shown.at(-1)?.[1]?.split('\n')[1]]).toEqual([
      50,
      '{"line":"52"}',
      '{"line":"3"}',
    ]);
    await admin.send('PUT', infoOf('press-0001'), { line: 'x'.repeat(600) });
    await admin.send('PUT', infoOf('press-0001'), { line: 'x'.repeat(70_000) });
    const [large, long] = await partsOf(admin, 'Changes');
    expect([large?.[1], long?.[1]?.split('\n')[1]]).toEqual([
      `PUT ${infoOf('press-0001')}`,
      `{"line":"${'x'.repeat(491)}…`,
    ]);
  });

  it('contain no secret and no token', async () => {
    const { admin, browse } = await startWithCallers();
    const secrets = ['a-secret-1', 'a-secret-2', 'a-secret-3', 'a-secret-4'];
    await admin.send('PUT', `${infoOf('press-0001')}?access_token=${secrets[0]}`, { apiKey: secrets[1] });
    const config = { smtpPassword: secrets[2], nested: [{ Authorization: secrets[3] }] };
    await admin.send('PATCH', `/api/v1/orgs/${root}/notifications/channels/channel_email`, { config });
    const { access_token } = await machineToken(browse());
    const html = await (await admin.get('/')).text();
    const { secretHash = '' } = (await startWithCallers()).platform.world.credentials.get('credential_001') ?? {};
    const found = [...secrets, access_token, 'not-a-real-token', secretHash].filter((secret) => html.includes(secret));
    expect([secretHash.length > 40, found]).toEqual([true, []]);
    expect((await partsOf(admin, 'Changes'))[0]?.[1]).toContain(
      '{"config":{"smtpPassword":"***","nested":[{"Authorization":"***"}]}}',
    );
  });
});

describe('the data on the home page', () => {
  it('shows current values, changed devices first', async () => {
    const { admin } = await startWithCallers();
    const first = ['press-0001', 'and so on, up to the number of devices\nline=5 inspectedBy=null'];
    const odd = 'an ID with a space and a slash\n';
    expect((await partsOf(admin, 'Devices')).slice(0, 2)).toEqual([first, ['Hall 3/Press 7', odd]]);
    await admin.send('PUT', infoOf('press-0017'), { line: '3', '<b>': '"&' });
    await admin.send('PUT', infoOf('Hall 3/Press 7'), { line: '3' });
    expect((await partsOf(admin, 'Devices')).slice(0, 3)).toEqual([
      ['Hall 3/Press 7', `${odd}line=3`],
      ['press-0017', 'line=3 inspectedBy=null <b>="&'],
      first,
    ]);
  });

  it('includes twelve items per kind, and explains odd names', async () => {
    const { admin } = await startWithCallers();
    await admin.send('POST', `/api/v1/orgs/${root}/batches`, night);
    const { load } = await import('cheerio');
    const $ = load(await (await admin.get('/')).text());
    const titles = $('h3')
      .toArray()
      .map((title) => $(title).text());
    const counts = ['Users (120)', 'Devices (32)', 'Policies (22)', 'Templates (65)', 'Channels (6)', 'Batches (1)'];
    expect(titles).toEqual(['Organizations (8)', ...counts, 'Credentials (1)']);
    const sizes = $('section')
      .toArray()
      .map((section) => $(section).find('dl > div').length);
    expect(sizes).toEqual([8, 12, 12, 12, 12, 6, 1, 1]);
    expect((await partsOf(admin, 'Users')).slice(0, 2)).toEqual([
      ['user-0001', "and so on, up to the number of users\nname=Miles O'Shea email=user-0001@factory.example"],
      ['user-0060', 'names that are hard to show, up to user-0071\nname=Zoë 🛠️ Kühn email=user-0060@factory.example'],
    ]);
  });

  it('shows texts of others without markup and control characters', async () => {
    const { admin } = await startWithCallers();
    const name = '</code></dd><script>alert(1)</script>\u202e\u001b[31m\n"\'';
    await admin.send('PATCH', `/api/v1/orgs/${root}/notifications/templates/template_040`, { name });
    const html = await (await admin.get('/')).text();
    expect(html.match(/<script[ >]/g)).toHaveLength(1);
    expect(html).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e]/);
    expect((await partsOf(admin, 'Templates'))[0]?.[1]).toContain(
      'name=</code></dd><script>alert(1)</script>\\u{202e}\\u{1b}[31m↵"\'',
    );
  });
});

describe('POST /sandbox/clock', () => {
  it('moves the clock of the platform, and tokens expire by it', async () => {
    const { browse } = startPlatform();
    const { accessToken } = await logIn(browse());
    const answer = await browse().send('POST', '/sandbox/clock', { add: 7_200_000 });
    expect(await answer.json()).toEqual({ now: '2026-01-15T10:00:00.000Z', offsetSeconds: 7200 });
    expect(answer.headers.get('date')).toBe('Thu, 15 Jan 2026 10:00:00 GMT');
    expect((await browse(accessToken).get(`/api/v1/orgs/${root}/users`)).status).toBe(401);
    await browse().send('POST', '/sandbox/clock', { add: -7_200_000 });
    expect((await browse(accessToken).get(`/api/v1/orgs/${root}/users`)).status).toBe(200);
  });

  it('refuses to move the clock beyond the range of dates', async () => {
    const browser = startPlatform().browse();
    const add = 100 * 365 * 86_400_000;
    expect((await browser.send('POST', '/sandbox/clock', { add })).status).toBe(200);
    expect((await browser.send('POST', '/sandbox/clock', { add: 1 })).status).toBe(400);
  });

  it('refuses content types that other origins may send without asking', async () => {
    const browser = startPlatform().browse();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
      expect((await browser.send('POST', '/sandbox/clock', '{"add":1}', { 'content-type': type })).status).toBe(415);
    expect((await browser.send('OPTIONS', '/sandbox/clock')).status).toBe(405);
  });
});

describe('the other addresses of a sandbox', () => {
  it('include a valid OpenAPI document at /openapi.json', async () => {
    const answer = await startPlatform().browse().get('/openapi.json');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await new Validator().validate((await answer.json()) as Record<string, unknown>)).toEqual({ valid: true });
  });

  it('include the state of the sandbox at /sandbox/state', async () => {
    const { browse } = startPlatform();
    await machineToken(browse());
    expect(await (await browse().get('/sandbox/state')).json()).toMatchObject({ format: 'iiot-sandbox', version: 1 });
  });
});
