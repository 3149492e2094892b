import { expect, it } from 'vitest';
import { deleteOrganization, listUsers } from '../../src/contract/orgs.ts';
import { always, answerText, type Behaviour } from '../support/raw-server.ts';
import { platformsForEach, testPlatform } from './platform.ts';

const orgId = '0b0f2a1c-1111-4222-8333-444455556666';
const path = `/api/v1/orgs/${orgId}/users`;
const serve = platformsForEach();

const moved =
  'If the platform has moved, set its new address (iiot profiles set NAME baseUrl=URL) and log in there; otherwise a gateway or proxy answers; see: iiot doctor';
const check = expect.stringContaining('Check the base URL');
const request = { method: 'GET', path };

it('a redirected change is reported without the secrets in its address', async () => {
  const server = await serve(always(307, '', ['location: /moved/s3cr3t-of-mine/x?t=1']));
  const { mask } = server;
  mask.remember('s3cr3t-of-mine');
  expect(await server.call(deleteOrganization, { orgId, orgName: 'North' })).toMatchObject({
    message: expect.stringContaining(`${server.origin}/moved/***/x, `),
  });
});

for (const status of [301, 302, 303, 307, 308]) {
  it(`a ${status} to another origin is not followed`, async () => {
    const evil = await serve();
    const server = await serve(always(status, '', [`location: ${evil.origin}/steal`]));
    const wanted = [
      await server.call(listUsers, { orgId }),
      await server.call(deleteOrganization, { orgId, orgName: 'North' }),
    ];
    const message = `${server.origin} redirects to ${evil.origin}, which is not followed.`;
    expect(wanted).toEqual([
      { kind: 'unavailable', message, facts: { request, hint: moved, refused: 'elsewhere' } },
      {
        kind: 'unavailable',
        message,
        facts: { request: { method: 'DELETE', path: `/api/v1/orgs/${orgId}` }, hint: moved, refused: 'elsewhere' },
      },
    ]);
    expect([evil.connections(), server.requests.length]).toEqual([0, 2]);
  });

  it(`a ${status} of a change on the same origin is not followed`, async () => {
    const server = await serve(always(status, '', ['location: /elsewhere?to=1']));
    expect(await server.call(deleteOrganization, { orgId, orgName: 'North' })).toEqual({
      kind: 'unavailable',
      message: `${server.origin} redirects a change to ${server.origin}/elsewhere, which is not followed, so it was not made.`,
      facts: { request: { method: 'DELETE', path: `/api/v1/orgs/${orgId}` }, hint: check },
    });
    expect(server.requests.length).toBe(1);
  });
}

/** Answers with `count` redirects, then with an empty list. */
function chain(count: number, location?: string): Behaviour {
  return (socket, _, number) =>
    socket.write(
      number <= count ? answerText(302, '', [`location: ${location ?? `/step/${number}`}`]) : answerText(200, '[]'),
    );
}

it('five redirects of a GET on the same origin are followed with the token', async () => {
  const server = await serve(chain(5));
  expect(await server.call(listUsers, { orgId })).toEqual({ status: 200, value: [] });
  expect(server.requests.map((each) => each.split(' ')[1])).toEqual([
    path,
    ...[1, 2, 3, 4, 5].map((step) => `/step/${step}`),
  ]);
  expect(server.requests.every((each) => /\r\nauthorization: Bearer t0ken-1\r\n/i.test(each))).toBe(true);
});

it.each([6, 1_000_000])('five of %i redirects are followed', async (count) => {
  const server = await serve(chain(count));
  expect(await server.call(listUsers, { orgId })).toEqual({
    kind: 'unavailable',
    message: `${server.origin} redirects more than 5 times.`,
    facts: { request: { method: 'GET', path: '/step/5' }, hint: check },
  });
  expect(server.requests.length).toBe(6);
});

it('a redirect is followed without the query of the first request', async () => {
  const server = await serve(chain(1, '../other?x=1#part'));
  const { call } = await testPlatform(`${server.origin}/prefix`);
  await call(listUsers, { orgId });
  expect(server.requests.map((each) => each.split(' ')[1])).toEqual([
    `/prefix${path}`,
    `/prefix/api/v1/orgs/other?x=1`,
  ]);
});

// What is in Location, and the place that the refusal names; undefined where it stays on the origin and is followed.
const places: readonly (readonly [string, string | undefined])[] = [
  ['/relative', undefined],
  ['relative', undefined],
  ['?only=query', undefined],
  ['//evil.test/x', 'http://evil.test'],
  ['///evil.test/x', 'http://evil.test'],
  ['\\\\evil.test\\x', 'http://evil.test'],
  ['/\\evil.test', 'http://evil.test'],
  ['http:\\\\evil.test', 'http://evil.test'],
  ['https://evil.test/', 'https://evil.test'],
  ['HTTP://EVIL.TEST', 'http://evil.test'],
  ['http://evil.test:80/', 'http://evil.test'],
  ['https:evil.test', 'https://evil.test'],
  ['http://ORIGIN@evil.test/', 'http://evil.test'],
  ['http://HOST.evil.test/', 'http://127.0.0.1.evil.test'],
  ['javascript:alert(1)', schemed('javascript:')],
  ['data:text/html,hello', schemed('data:')],
  ['file:///etc/passwd', schemed('file:')],
  ['http://ada:word@HOST:PORT/x', 'http://127.0.0.1:PORT'],
  ['http://HOST:1/', 'http://127.0.0.1:1'],
  ['http://localhost:PORT/', 'http://localhost:PORT'],
  ['https://HOST:PORT/', 'https://127.0.0.1:PORT'],
];

function schemed(scheme: string): string {
  return `an address that starts with ${scheme}`;
}

it.each(places)('a redirect to %s is followed only on the same origin', async (location, place) => {
  const server = await serve((socket, _, number) =>
    socket.write(number === 1 ? answerText(302, '', [`location: ${filled(location)}`]) : answerText(200, '[]')),
  );
  const filled = (text: string) =>
    text.replaceAll('ORIGIN', '127.0.0.1').replaceAll('HOST', '127.0.0.1').replaceAll('PORT', String(server.port));
  const useHttps = `Use https in the base URL: iiot profiles set NAME baseUrl=${filled('https://HOST:PORT')}`;
  const answer = await server.call(listUsers, { orgId });
  const refusal = {
    kind: 'unavailable',
    message: `${server.origin} redirects to ${filled(place ?? '')}, which is not followed.`,
    facts: { request, hint: location.startsWith('https://HOST') ? useHttps : moved, refused: 'elsewhere' },
  };
  expect(answer).toEqual(place === undefined ? { status: 200, value: [] } : refusal);
});

const unreadable = ['http://', 'http://[', 'https://a b/', 'http://%00/', `http://${'a'.repeat(300)}:99999/`];

it.each(unreadable)('a redirect to the invalid address %s is refused', async (location) => {
  const server = await serve(always(302, '', [`location: ${location}`]));
  expect(await server.call(listUsers, { orgId })).toEqual({
    kind: 'unavailable',
    message: `${server.origin} redirects to an address that cannot be read.`,
    facts: { request, hint: check },
  });
});

it('a redirect without a target and a 304 are refused', async () => {
  for (const [status, headers] of [
    [302, []],
    [302, ['location: ']],
    [304, ['location: /x']],
  ] as const) {
    const server = await serve(always(status, '', headers));
    expect(await server.call(listUsers, { orgId })).toMatchObject({
      kind: 'unavailable',
      message: `The platform redirects elsewhere. (${status})`,
      facts: { status, request },
    });
    expect(server.requests.length).toBe(1);
  }
});
