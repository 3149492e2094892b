import { expect, it } from 'vitest';
import { setCustomInfo } from '../../src/contract/devices.ts';
import { listUsers } from '../../src/contract/orgs.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { always, answerText, type Behaviour, rawServer } from '../support/raw-server.ts';
import { testPlatform } from './platform.ts';
import { change, ending, openWire } from './wire.ts';

const orgId = '0b0f2a1c-1111-4222-8333-444455556666';
const keep = closedAfterEach();
const serve = (behaviour?: Behaviour) => keep(rawServer(behaviour));

const at = '2026-03-01T00:00:00.000Z';

/** Times differ from run to run; requests are numbered from the first of the test. */
function steady(lines: readonly string[]): string[] {
  const first = Number(/ #(\d+) /.exec(lines[0] ?? '')?.[1]);
  return lines.map((line) => line.replace(/\d+ ms/, 'N ms').replace(/#(\d+)/, (_, each) => `#${each - first + 1}`));
}

it('a trace shows each request and response with time, number and token', async () => {
  const { origin } = await serve((socket, _, count) => socket.write(answerText(count === 1 ? 503 : 200, '[]')));
  const { call, lines } = await testPlatform(origin, { trace: 'verbose' });
  await call(listUsers, { orgId, maxResultCount: 50, name: 'Ada' });
  const url = `${origin}/api/v1/orgs/${orgId}/users`;
  expect(steady(lines)).toEqual([
    `${at} #1 > GET ${url}?maxResultCount=50&name=*** as profile default`,
    `${at} #1 < 503 in N ms, 2 bytes`,
    `${at} #2 > GET ${url}?maxResultCount=50&name=*** as profile default (attempt 2 of 4)`,
    `${at} #2 < 200 in N ms, 2 bytes`,
  ]);
});

it('a trace shows how a request failed', async () => {
  const { origin } = await serve((socket) => socket.destroy());
  const { exchange, lines } = await openWire({ trace: 'verbose', retries: 0 });
  await ending(exchange, { ...change('POST', origin), about: 'step 2 of the login' });
  expect(steady(lines)).toEqual([
    `${at} #1 > POST ${origin}/ (step 2 of the login)`,
    `${at} #1 < ECONNRESET (response) after N ms`,
  ]);
});

it('a debug trace shows headers, bodies and the ID of the request', async () => {
  const { origin } = await serve(always(400, '{"error":{"message":"no"}}', ['x-request-id: r-7']));
  const { call, lines } = await testPlatform(origin, { trace: 'debug' });
  await call(setCustomInfo, { deviceId: 'press-1', body: { line: '3' } });
  expect(steady(lines)).toEqual([
    `${at} #1 > PUT ${origin}/platform/solutions/api/v1/devices/press-1/custom-info as profile default`,
    `${at} #1 > authorization: ***`,
    `${at} #1 > content-type: application/json`,
    `${at} #1 > {"line":"*** (string, 1)"}`,
    `${at} #1 < 400 in N ms, 26 bytes, request r-7`,
    `${at} #1 < content-type: application/json`,
    `${at} #1 < content-length: 26`,
    `${at} #1 < x-request-id: r-7`,
    `${at} #1 < {"error":{"message":"no"}}`,
  ]);
});

it.each([
  ['POST', '/identity/connect/token', 'ask for a token'],
  ['POST', '/acme/console/api/v1/auth/tokens?grant_type=refresh_token', 'renew'],
  ['POST', '/prefix/api/v1/oauth2/client-credentials', 'create a credential'],
  ['GET', '/acme/portal/external-login?returnUrl=x', 'ask for the form of a login'],
])('a trace hides the response to %s %s (%s)', async (method, path) => {
  const { origin } = await serve(always(200, 'your ticket: 0123456789abcdef', ['content-type: text/plain']));
  const { exchange, lines } = await openWire({ trace: 'debug' });
  await exchange({ method, url: origin + path });
  expect(steady(lines).at(-1)).toBe(`${at} #1 < (not shown: this response may hold a secret)`);
  expect(lines.join()).not.toContain('ticket');
});

it('a trace hides the code and the state of a login alone', async () => {
  const { origin } = await serve(always(400, '{"error":{"code":"E42"},"state":"down"}'));
  const { exchange, lines } = await openWire({ trace: 'debug' });
  const request = {
    method: 'POST',
    url: `${origin}/cb`,
    body: { type: 'text/plain', text: 'code=a&state=b' },
  } as const;
  await exchange(request);
  await exchange({ ...request, about: 'step 4 of the login' });
  expect(steady(lines).filter((line) => /code=|"code"/.test(line))).toEqual([
    `${at} #1 > code=a&state=b`,
    `${at} #1 < {"error":{"code":"E42"},"state":"down"}`,
    `${at} #2 > code=***&state=***`,
    `${at} #2 < {"error":{"code":"*** (string, 3)"},"state":"*** (string, 4)"}`,
  ]);
});

it('a trace shows 64 kB of a body, and masks a secret at their end', async () => {
  const secret = 'canary-w0rd-that-is-long';
  const { origin } = await serve(always(200, `"${'x'.repeat(65_525)}${secret}${'y'.repeat(500)}"`));
  const { exchange, lines, mask } = await openWire({ trace: 'debug' });
  mask.remember(secret);
  await exchange({ method: 'GET', url: `${origin}/` });
  const shown = lines.at(-1) ?? '';
  expect(shown.length).toBeLessThan(65_540 + at.length + 10);
  expect(shown).toMatch(/x\*\*\*$/);
});

const canaries = { token: 'c4nary-t0ken-äß', password: 'c4nary "pass\\word/<&>', code: 'c4nary%code+1' };

it('a trace shows no secret that the platform returns in a header or its body', async () => {
  const words = Object.values(canaries);
  const body = JSON.stringify({ error: { message: `You sent ${words.join(' and ')}`, code: words[0] } });
  const headers = [
    `x-echo: ${words.join(' ')}`,
    `location: /cb?token=${encodeURIComponent(canaries.token)}#code=1`,
    `set-cookie: session=${encodeURIComponent(canaries.token)}`,
  ];
  const { origin } = await serve((socket) => socket.write(answerText(401, body, headers)));
  const { exchange, lines, mask, notices } = await openWire({ trace: 'debug' });
  for (const secret of words) mask.remember(secret);
  const answer = await ending(exchange, {
    method: 'POST',
    url: `${origin}/login?returnUrl=${encodeURIComponent(canaries.code)}`,
    headers: {
      authorization: `Bearer ${Buffer.from(canaries.token).toString('base64')}`,
      cookie: `a=${encodeURIComponent(canaries.token)}`,
    },
    body: { type: 'application/x-www-form-urlencoded', text: new URLSearchParams(canaries).toString() },
  });
  expect(answer).toMatchObject({ status: 401 });
  const shown = [...lines, ...notices].join('\n');
  expect(shown).toContain('x-echo: ');
  const encoded = words.flatMap((word) => [word, encodeURIComponent(word), JSON.stringify(word).slice(1, -1)]);
  expect(encoded.filter((word) => shown.includes(word))).toEqual([]);
});

it('no part of a secret is left at the end of an error that is too long to be read', async () => {
  const token = 'CANARY-opaque-0123456789';
  const { origin } = await serve(always(400, ' '.repeat(1_048_576 - token.length + 1) + token));
  const { exchange, lines, mask } = await openWire({ trace: 'debug' });
  mask.remember(token);
  const { masked } = await exchange({ method: 'GET', url: origin });
  expect(masked.text.length).toBeGreaterThan(3);
  expect(masked.text + lines.join('\n')).not.toContain('CANARY');
});
