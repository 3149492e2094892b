import { expect, it } from 'vitest';
import { updateChannel } from '../../src/contract/channels.ts';
import { createCredential, deleteCredential } from '../../src/contract/credentials.ts';
import { setCustomInfo } from '../../src/contract/devices.ts';
import { listUsers } from '../../src/contract/orgs.ts';
import { updatePolicy } from '../../src/contract/policies.ts';
import { updateTemplate } from '../../src/contract/templates.ts';
import { always, answerText, type Behaviour, lastWords } from '../support/raw-server.ts';
import { platformsForEach } from './platform.ts';

const orgId = '0b0f2a1c-1111-4222-8333-444455556666';
const serve = platformsForEach();

const read = { call: [listUsers, { orgId }], path: `/api/v1/orgs/${orgId}/users`, method: 'GET' } as const;
const set = {
  call: [setCustomInfo, { deviceId: 'press-1', body: { line: '3' } }],
  path: '/platform/solutions/api/v1/devices/press-1/custom-info',
  method: 'PUT',
} as const;
const rename = {
  call: [updateTemplate, { orgId, templateId: 'template_42', body: { name: 'Hot' } }],
  path: `/api/v1/orgs/${orgId}/notifications/templates/template_42`,
  method: 'PATCH',
} as const;
const see = { hint: 'See it with --debug' };

it.each<[string, string | Buffer]>([
  ['words', 'hello'],
  ['a repeated key in an item', '{"items":[{"userId":"a","userId":"b"}]}'],
  ['100,000 nested lists', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['UTF-16', Buffer.from('\ufeff[]', 'utf16le')],
])('a successful response with %s is refused', async (what, body) => {
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  const server = await serve(lastWords(Buffer.concat([Buffer.from(head), Buffer.from(body)])));
  const endings = [await server.call(...read.call), await server.call(...rename.call)];
  const reason = what === 'UTF-16' ? 'not UTF-8' : "The platform's response (200) cannot be read as JSON.";
  const message = expect.stringContaining(reason);
  const refused = { kind: 'unavailable', message };
  expect(endings).toMatchObject([refused, refused]);
  const open = endings.map((each) => 'message' in each && / may have been applied\.$/.test(each.message));
  expect(open).toEqual([false, true]);
  expect(JSON.stringify(endings)).not.toContain('hello');
});

const meaning = '{"__proto__":{"a":1},"10":2,"9":3}';
const understood: readonly (readonly [string, string, unknown])[] = [
  ['an empty body', '', undefined],
  ['null', 'null', null],
  ['long numbers', '{"id":9007199254740993,"n":1.5}', { id: 9007199254740993n, n: 1.5 }],
  ['keys with a meaning in JavaScript', meaning, JSON.parse(meaning)],
];

it.each(understood)('a successful response with %s is read', async (_, body, value) => {
  const server = await serve(always(200, body));
  expect(await server.call(...read.call)).toEqual({ status: 200, value });
});

it.each(['text/html', 'text/plain; charset=utf-16', 'application/octet-stream', 'nonsense'])(
  'JSON is read with the content type %s',
  async (type) => {
    const server = await serve(always(200, '{"name":"é"}', [`content-type: ${type}`]));
    expect(await server.call(...read.call)).toEqual({ status: 200, value: { name: 'é' } });
  },
);

it.each([200, 201, 204])('a change is done after a %i without a body', async (status) => {
  const server = await serve(always(status));
  expect(await server.call(...set.call)).toEqual({ status, value: undefined });
});

const look = expect.stringContaining('Check the base URL');
const login = expect.stringMatching(/If this is the platform's own login page, log in: iiot login$/);
const pages: readonly (readonly [string, string, string, string])[] = [
  ['a login page', '<!doctype html><title>Log in</title><form><input type="password"></form>', ': "Log in"', login],
  ['a login page without a title', '<form><input name=p TYPE = password></form>', '', login],
  ['a captive portal', '\n<HTML><HEAD><TITLE>Hotel\n Wi-Fi</TITLE></HEAD>', ': "Hotel Wi-Fi"', look],
  ['XML', '<?xml version="1.0"?><items/>', '', look],
];

it.each(pages)('%s in place of a response is reported', async (_, body, title, hint) => {
  const server = await serve(always(200, body, ['content-type: text/html']));
  const message = expect.stringMatching(new RegExp(`^A web page came .* response${title} \\(200\\)\\.`));
  const facts = { status: 200, refused: 'elsewhere', hint };
  expect(await server.call(...read.call)).toEqual({
    kind: 'unavailable',
    message,
    facts: { ...facts, request: { method: read.method, path: read.path } },
  });
  expect(await server.call(...set.call)).toEqual({
    kind: 'unavailable',
    message,
    facts: { ...facts, fate: 'unknown', request: { method: set.method, path: set.path } },
  });
});

it('an error in XML is reported in its own words', async () => {
  const xml = '<Error><Code>NoSuchOrg</Code><Message>There is no such organization</Message></Error>';
  const server = await serve(always(404, xml, ['content-type: application/xml']));
  expect(await server.call(...read.call)).toEqual({
    kind: 'not_found',
    message: 'There is no such organization. (404)',
    facts: { status: 404, request: { method: read.method, path: read.path } },
  });
});

const balancer = 'server: awselb/2.0';
it.each([
  ['a challenge of AWS WAF', 202, '', ['x-amzn-waf-action: challenge'], 'x-amzn-waf-action: challenge', 'unavailable'],
  ['a captcha of AWS WAF', 405, '', ['x-amzn-waf-action: captcha'], 'x-amzn-waf-action: captcha', 'rejected'],
  ['a challenge of Cloudflare', 403, '', ['cf-mitigated: challenge'], 'cf-mitigated: challenge', 'forbidden'],
  ['a challenge with 200 and JSON', 200, '{}', ['cf-mitigated: challenge'], 'cf-mitigated: challenge', 'unavailable'],
  ["a load balancer's text", 200, 'OK', [balancer, 'content-type: text/plain'], balancer, 'unavailable'],
  ['an empty web page', 204, '', ['content-type: text/html'], 'content-type: text/html', 'unavailable'],
] as const)('%s is reported as the answer of a gateway', async (_, status, text, headers, named, kind) => {
  const server = await serve(always(status, text, headers), { retries: 0 });
  const message = expect.stringContaining(` the platform (${named}) (${status})`);
  const told = { kind, message, facts: { refused: 'elsewhere' } };
  expect([await server.call(...set.call), await server.call(...rename.call)]).toMatchObject([told, told]);
});

it('JSON that a load balancer passes on is read', async () => {
  const server = await serve(always(200, '{"templateId":"template_42"}', ['server: awselb/2.0']));
  expect(await server.call(...rename.call)).toMatchObject({ status: 200, value: { templateId: 'template_42' } });
});

const of = (subject: string) => ({ subject, channelIds: ['x'] });
const types = (...channelTypes: string[]) => ({ channelTypes });
it.each([
  ['a text and a number', { name: 'Hot', delay: 5 }, { name: 'Cold', delay: 60 }, ['name', 'delay']],
  ['a part of the notification', { notification: of('a') }, { notification: of('b') }, ['notification.subject']],
  ['a list', { tags: ['a', 'b'] }, { tags: ['a'] }, ['tags']],
  ['a field of a wrapped response', { name: 'Hot' }, { data: { Name: 'Cold' } }, ['name']],
  ['nothing if a list has another order and case', types('email', 'teams'), types('Teams', 'Email'), []],
  [
    'nothing if values are hidden, left out or of another type',
    { name: 'a', delay: 5, config: { password: 'x', url: 'y' } },
    { name: '***', delay: '5 s', config: { password: 'z' } },
    [],
  ],
])('the response to an update differs in %s', async (_, body, shown, otherwise) => {
  const server = await serve(always(200, JSON.stringify(shown)));
  const { otherwise: found = [] } = Object(await server.call(updateTemplate, { orgId, templateId: 't', body }));
  expect(found).toEqual(otherwise);
});

it('a web page with 404 does not prove that a repeated DELETE succeeded', async () => {
  const server = await serve((socket, _, count) =>
    socket.write(count === 1 ? answerText(502) : answerText(404, '<h1>Not here</h1>')),
  );
  expect(await server.call(deleteCredential, { clientCredentialId: 'c1' })).toMatchObject({
    kind: 'not_found',
    message: expect.stringContaining('may have been applied'),
  });
});

it('a 206 with a part of a list is refused', async () => {
  const server = await serve(always(206, '[{"userId":"a"}]', ['content-range: bytes 0-15/900']));
  expect(await server.call(...read.call)).toMatchObject({
    kind: 'unavailable',
    message: "The platform's response cannot be understood. (206)",
  });
});

const done = 'The change counts as done; mock servers with fixed examples respond like this.';
const elsewhere = '0b0f2a1c-9999-4222-8333-444455556666';
const subjects: readonly (readonly [string, string, string | undefined])[] = [
  ['the template itself', '{"templateId":"template_42","name":"Hot"}', undefined],
  ['the ID in capitals', '{"templateId":"TEMPLATE_42"}', undefined],
  ['a record that does not name it', '{"name":"Hot"}', undefined],
  ['a number as ID', '{"templateId":42}', undefined],
  ['the organization in braces', `{"orgId":"{${orgId.toUpperCase()}}"}`, undefined],
  ['another template', '{"templateId":"template_43"}', 'templateId template_43, not template_42'],
  [
    'another organization and another template',
    `{"templateId":"template_\\n43","orgId":"${elsewhere}"}`,
    `orgId ${elsewhere}, not ${orgId}; templateId template_ 43, not template_42`,
  ],
];

it.each(subjects)('a change counts as done, with a note about other IDs, if it returns %s', async (_, body, named) => {
  const server = await serve(always(200, body));
  const { said } = server;
  expect(await server.call(...rename.call)).toEqual({ status: 200, value: JSON.parse(body) });
  expect(said).toEqual(named === undefined ? [] : [`The platform's response names ${named}. ${done}`]);
});

it('the users of another organization are not shown', async () => {
  const server = await serve(always(200, `{"orgId":"${elsewhere}","items":[]}`));
  expect(await server.call(...read.call)).toEqual({
    kind: 'unavailable',
    message: "The platform's response (200) is about another orgId.",
    facts: { ...see, status: 200, request: { method: 'GET', path: read.path } },
  });
});

it('an ID that is percent-encoded in the path is found in the response', async () => {
  const server = await serve(always(200, '{"deviceId":"press 1/ä"}'));
  expect(await server.call(setCustomInfo, { deviceId: 'press 1/ä', body: { line: '3' } })).toMatchObject({
    status: 200,
  });
});

it('a 404 of a DELETE is a success only after an attempt that may have arrived', async () => {
  const credential = { clientCredentialId: 'cc-1' };
  const lost = await serve((socket, _, count) => (count === 1 ? socket.destroy() : socket.write(answerText(404))));
  const limited = await serve((socket, _, count) => socket.write(answerText(count === 1 ? 429 : 404)));
  expect(await lost.call(deleteCredential, credential)).toEqual({ status: 404, value: undefined });
  expect(await limited.call(deleteCredential, credential)).toMatchObject({ kind: 'not_found' });
});

it('a 401 renews the token once and repeats the request once', async () => {
  const onlySecond: Behaviour = (socket, request) =>
    socket.write(request.includes('t0ken-2') ? answerText(200, '{}') : answerText(401));
  for (const { call, method } of [read, set, rename]) {
    const server = await serve(onlySecond, {}, ['t0ken-1', 't0ken-2']);
    expect(await server.call(call[0], call[1])).toEqual({ status: 200, value: {} });
    const [first = '', second = ''] = server.requests;
    expect(server.requests.length).toBe(2);
    expect(first.startsWith(method)).toBe(true);
    expect(second).toBe(first.replace('t0ken-1', 't0ken-2'));
  }
});

it('a second 401, or a first one without a renewal, ends the command', async () => {
  for (const tokens of [['a'], ['a', 'b', 'c']]) {
    const server = await serve(always(401), {}, tokens);
    expect(await server.call(...read.call)).toMatchObject({ kind: 'unauthenticated', facts: { status: 401 } });
    expect(server.requests.length).toBe(Math.min(tokens.length, 2));
  }
});

it('a renewed token is renewed again only if it has worked', async () => {
  let served = 0;
  const twiceEach: Behaviour = (socket, request) => {
    const [, number] = /t0ken-(\d)/.exec(request) ?? [];
    const good = number !== '4' && served < 2 * Number(number);
    if (good) served += 1;
    socket.write(answerText(good ? 200 : 401, good ? '{}' : ''));
  };
  const tokens = [1, 2, 3, 4, 5].map((number) => `t0ken-${number}`);
  const server = await serve(twiceEach, {}, tokens);
  const endings = [];
  for (let count = 0; count < 7; count += 1) endings.push(await server.call(...set.call));
  const seen = endings.map((ending) => ('kind' in ending ? ending.kind : ending.status));
  expect(seen).toEqual([...Array(6).fill(200), 'unauthenticated']);
  expect(server.requests.filter((request) => request.includes('t0ken-5'))).toEqual([]);
});

it('a 403 ends the command without a renewal or a repeat', async () => {
  const server = await serve(always(403, '{"error":{"message":"Only admins may do this."}}'), {}, ['a', 'b']);
  expect(await server.call(...set.call)).toEqual({
    kind: 'forbidden',
    message: 'Only admins may do this. (403)',
    facts: {
      status: 403,
      hint: 'See whose login this is: iiot login status --check',
      request: { method: 'PUT', path: set.path },
      refused: 'caller',
    },
  });
  expect(server.requests.length).toBe(1);
});

it.each([
  [
    'without a body',
    always(503),
    'channel_validation_failed',
    expect.stringMatching(/^The platform could not validate the channel, or something .* may have been applied\.$/),
    1,
  ],
  [
    'with Retry-After',
    always(503, '', ['retry-after: 0']),
    'unavailable',
    'The platform, or a gateway in front of it, takes no requests right now. (503)',
    2,
  ],
  [
    'with an error',
    always(503, '{"error":{"message":"The webhook did not answer"}}'),
    'channel_validation_failed',
    'The webhook did not answer. (503)',
    1,
  ],
] as const)('a 503 %s fails the update of a channel as %s', async (_, behaviour, kind, message, count) => {
  const server = await serve(behaviour, { retries: 1 });
  const update = { orgId, channelId: 'c', body: { isEnabled: true } };
  expect(await server.call(updateChannel, update)).toMatchObject({ kind, message });
  expect(server.requests.length).toBe(count);
});

const decided = [400, 402, 404, 405, 407, 409, 413, 414, 418, 421, 422, 425, 429, 431, 501, 505];
const open = [202, 203, 205, 206, 299, 408, 500, 502, 503, 504, 511, 520, 599];
const kindsOf: Readonly<Record<number, string>> = { 404: 'not_found', 409: 'conflict' };
const passing = [202, 203, 205, 206, 299, 407, 408, 421, 425, 429];

it.each([...decided, ...open])(
  'the error of a change that gets %i says whether it may have been applied',
  async (status) => {
    const server = await serve(always(status), { retries: 0 });
    const asked = { alertPolicyId: orgId, body: { delay: 5 } };
    const changed = await server.call(updatePolicy, asked);
    const kind = kindsOf[status] ?? (status >= 500 || passing.includes(status) ? 'unavailable' : 'rejected');
    expect(changed).toMatchObject({ kind, facts: { status } });
    const { message, facts } = changed as Extract<typeof changed, { kind: unknown }>; // the line above has looked
    const isOpen = open.includes(status);
    expect([/ may have been applied\.$/.test(message), facts.fate === 'unknown'], message).toEqual([isOpen, isOpen]);
    if (isOpen) expect(facts.hint).toMatch(/^Check whether it was applied before you try again/);
    expect(JSON.stringify(await server.call(...read.call))).not.toContain('may have been');
  },
);

it.each([
  ['Negotiate, NTLM', 'NTLM or Negotiate', / a relay .* HTTP_PROXY or ALL_PROXY$/],
  ['Basic realm="t0ken, NTLM"', 'other credentials', / HTTP_PROXY or ALL_PROXY: http:\/\/USER:PASSWORD@HOST:PORT,/],
])('a 407 with the challenge %s is reported as an answer of the proxy', async (challenge, words, hint) => {
  const page = always(407, '<title>Access denied</title>', [
    'content-type: text/html',
    `proxy-authenticate: ${challenge}`,
  ]);
  const server = await serve(page, { retries: 0 });
  expect(await server.call(...rename.call)).toMatchObject({
    kind: 'unavailable',
    message: expect.stringMatching(`^The proxy did not let the request through: .*${words}.* \\(407\\)\\.$`),
    facts: { hint: expect.stringMatching(hint), status: 407, refused: 'elsewhere' },
  });
});

it('a PUT that gets 502 may be tried again', async () => {
  const server = await serve(always(502), { retries: 0 });
  expect(await server.call(...set.call)).toMatchObject({
    message: expect.stringContaining('The platform failed. (502)'),
    facts: { hint: expect.stringContaining('Try again later') },
  });
});

it.for<readonly [number, number, boolean, string[]?]>([
  [502, 403, true],
  [502, 429, true],
  [502, 503, true],
  [503, 403, false],
  [429, 403, false],
  [503, 400, false],
  [503, 404, false],
  [502, 429, true, ['Retry-After: 3600']],
])('a %i and then a %i mean that the change may have been applied: %s', async ([first, second, isOpen, long = []]) => {
  const behaviour: Behaviour = (socket, _, count) =>
    socket.write(count === 1 ? answerText(first) : answerText(second, '', long));
  const server = await serve(behaviour, { retries: 1 });
  const answer = await server.call(...set.call);
  expect(JSON.stringify(answer).includes(' may have been applied.'), JSON.stringify(answer)).toBe(isOpen);
});

const ids: readonly (readonly [string, readonly string[], string, string | undefined])[] = [
  ['x-request-id', ['X-Request-Id: abc'], '', 'abc'],
  ['x-correlation-id', ['X-Correlation-ID: abc'], '', 'abc'],
  ['x-request-id and x-correlation-id', ['X-Correlation-ID: b', 'X-Request-ID: a'], '', 'a'],
  ['request-id', ['Request-Id: |abc.'], '', '|abc.'],
  ['x-ms-request-id', ['x-ms-request-id: abc'], '', 'abc'],
  ['traceparent', ['traceparent: 00-4bf92f35-00f067aa-01'], '', '00-4bf92f35-00f067aa-01'],
  ['traceId in its body', [], '{"title":"Bad","traceId":"00-abc"}', '00-abc'],
  ['a long x-request-id', [`x-request-id: ${'a'.repeat(999)}`], '', 'a'.repeat(200)],
  ['no ID', [], '', undefined],
];

it.each(ids)('the request ID of a response with %s is read', async (_, headers, body, id) => {
  const server = await serve(always(400, body, headers));
  const ending = await server.call(...read.call);
  expect('facts' in ending ? ending.facts.requestId : ending).toBe(id);
});

it('the creation of a client credential is never repeated', async () => {
  const server = await serve((socket) => socket.destroy());
  expect(await server.call(createCredential, { body: { name: 'ci' } })).toMatchObject({
    kind: 'unavailable',
    message: expect.stringMatching(/the connection was closed .* may have been applied\.$/),
    facts: { fate: 'unknown' },
  });
  expect(server.requests.length).toBe(1);
});
