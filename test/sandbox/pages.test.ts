import { Script } from 'node:vm';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { readFault } from '../../src/sandbox/faults.ts';
import { complaint, logIn, machineToken, root, startPlatform } from './browser.ts';

describe('the page at the address of a sandbox', () => {
  it('says how to log in and what to try, and loads nothing from elsewhere', async () => {
    const answer = await startPlatform().browse().get('/');
    const html = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const shown = [
      'ada@factory.example',
      'correct horse',
      'sandbox-machine',
      root,
      'press-0001',
      'channel_unreachable',
    ];
    expect(shown.filter((text) => !html.includes(text))).toEqual([]);
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\//);
    const policy = answer.headers.get('content-security-policy') ?? '';
    const nonce = /<script nonce="([^"]+)">/.exec(html)?.[1] ?? '';
    expect(nonce).toHaveLength(43);
    expect(policy).toBe(
      `default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
  });

  it('has a language, a title, one heading of the first rank, and a way to stop what moves', async () => {
    const html = await (await startPlatform().browse().get('/')).text();
    expect(html).toContain('<html lang="en">');
    expect(html).toContain('<title>Sandbox</title>');
    expect(html.match(/<h1>/g)).toHaveLength(1);
    expect(html).toContain('<button type="button" id="pause" aria-pressed="false">Pause</button>');
    expect(html).not.toMatch(/<th(?! scope="col"|ead)/);
  });

  it('has a script that a browser can read', async () => {
    const html = await (await startPlatform().browse().get('/')).text();
    const script = /<script nonce="[^"]+">([\s\S]+)<\/script>/.exec(html)?.[1] ?? 'no script';
    expect(() => new Script(script)).not.toThrow();
  });

  it('leads to the login', async () => {
    const browser = startPlatform().browse();
    const html = await (await browser.get('/')).text();
    const link = /<a href="(\/factory[^"]+)">/.exec(html)?.[1] ?? '';
    expect((await browser.get(link)).status).toBe(302);
  });

  it('writes the rules of faults as text, and is not met by them', async () => {
    const rule = readFault('/<b>=503');
    const all = readFault('**=503');
    if (typeof rule === 'string' || typeof all === 'string') throw new Error('A rule of this test is wrong');
    const answer = await startPlatform({ faults: [rule, all] })
      .browse()
      .get('/');
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('<code>/&#60;b&#62;=503</code>');
  });
});

describe('the last requests', () => {
  it('come after a number, without the page itself', async () => {
    const browser = startPlatform().browse();
    await browser.get('/');
    await browser.get('/one?password=secret');
    await browser.get('/two');
    expect(await (await browser.get('/sandbox/requests?after=1')).json()).toEqual({
      count: 2,
      items: [{ number: 2, at: '2026-01-15T08:00:00.000Z', method: 'GET', path: '/two', outcome: 404 }],
    });
    expect(await (await browser.get('/sandbox/requests')).text()).not.toContain('secret');
  });

  it('are two hundred at most', async () => {
    const { browse, platform } = startPlatform();
    const browser = browse();
    for (let count = 0; count < 205; count++) await browser.get('/x');
    const kept = platform.log.after(0);
    expect([platform.log.count(), kept.length, kept[0]?.number, kept.at(-1)?.number]).toEqual([205, 200, 6, 205]);
  });
});

describe('POST /sandbox/clock', () => {
  it('moves the time of the platform, and tokens expire by it', async () => {
    const { browse } = startPlatform();
    const { accessToken } = await logIn(browse());
    const answer = await browse().send('POST', '/sandbox/clock', { add: 7_200_000 });
    expect([answer.status, await answer.json()]).toEqual([200, { now: '2026-01-15T10:00:00.000Z', moved: 7_200_000 }]);
    expect(answer.headers.get('date')).toBe('Thu, 15 Jan 2026 10:00:00 GMT');
    expect((await browse(accessToken).get(`/api/v1/orgs/${root}/users`)).status).toBe(401);
    await browse().send('POST', '/sandbox/clock', { add: -7_200_000 });
    expect((await browse(accessToken).get(`/api/v1/orgs/${root}/users`)).status).toBe(200);
  });

  it.each([[{}], [{ add: '1h' }], [{ add: 1.5 }], [{ add: 1e15 }]])('answers 400 to %j', async (body) => {
    const answer = await startPlatform().browse().send('POST', '/sandbox/clock', body);
    expect(await complaint(answer)).toEqual([400, ['add']]);
  });

  it('never leaves what a date can hold', async () => {
    const browser = startPlatform().browse();
    const add = 100 * 365 * 86_400_000;
    expect((await browser.send('POST', '/sandbox/clock', { add })).status).toBe(200);
    expect((await browser.send('POST', '/sandbox/clock', { add: 1 })).status).toBe(400);
  });

  it('takes nothing that a page of another origin could send unasked', async () => {
    const browser = startPlatform().browse();
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'];
    const statuses = [];
    for (const type of types) {
      statuses.push((await browser.send('POST', '/sandbox/clock', '{"add":1}', { 'content-type': type })).status);
    }
    expect(statuses).toEqual([415, 415, 415]);
    expect((await browser.send('OPTIONS', '/sandbox/clock')).status).toBe(405);
  });
});

describe('the other addresses', () => {
  it('/openapi.json is a valid document', async () => {
    const answer = await startPlatform().browse().get('/openapi.json');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await new Validator().validate((await answer.json()) as Record<string, unknown>)).toEqual({ valid: true });
  });

  it('/sandbox/state is what a sandbox can be started from', async () => {
    const { browse } = startPlatform();
    await machineToken(browse());
    expect(await (await browse().get('/sandbox/state')).json()).toMatchObject({ format: 'iiot-sandbox', version: 1 });
  });
});
