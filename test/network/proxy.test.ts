import { connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeDuration } from '../../src/http/exchange.ts';
import { isExempt, proxyFor, proxySecrets } from '../../src/network/proxy.ts';
import { change, ending, folderWith, get, openWire, type WireOptions } from '../http/wire.ts';
import { authority, serverPair } from '../support/certificates.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { always, answerText, type Behaviour, lastWords, type RawServer, rawServer } from '../support/raw-server.ts';
import { withTimeouts } from '../support/waiting.ts';

const ours = authority('Factory Authority');
const { caFile } = folderWith(ours.certificate);
const keep = closedAfterEach();

/** A proxy that opens a way to one server, whatever the name. */
function tunnelTo(port: number): Behaviour {
  return (socket) => {
    const there = connect(port, '127.0.0.1', () => {
      socket.removeAllListeners('data');
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      there.pipe(socket).pipe(there);
    });
    there.on('error', () => socket.destroy());
  };
}

const target = 'https://platform.test';
const encoding = 'with @ : / # % in the password as %40 %3A %2F %23 %25';

/** How proxies begin their refusals. */
const unreached: readonly (readonly [string, string, string])[] = [
  [
    'squid',
    'HTTP/1.1 503 Service Unavailable\r\nServer: squid/5.7\r\nX-Squid-Error: ERR_CONNECT_FAIL 111',
    '503 (Service Unavailable, ERR_CONNECT_FAIL)',
  ],
  ['tinyproxy', 'HTTP/1.1 500 Unable to connect\r\nServer: tinyproxy/1.11.1', '500 (Unable to connect)'],
  [
    'a proxy with Proxy-Status',
    'HTTP/1.1 502 Bad Gateway\r\nProxy-Status: edge; error=dns_error; rcode=NXDOMAIN',
    '502 (Bad Gateway, dns_error)',
  ],
  ['a proxy without a reason', 'HTTP/1.1 504 ', '504'],
  ['a proxy that repeats the request', 'HTTP/1.0 503 CONNECT platform.test:443 HTTP/1.1', '503'],
];
const secret = 'pr0xy-passw0rd';

describe.each([
  ['a single request', {}],
  ['a request of an import', { connections: 2 }],
])('%s', (_, pooled) => {
  /** How a change ends that goes to the platform through this proxy. */
  const through = async ({ port }: RawServer, options: WireOptions = {}, user = '') => {
    const { exchange } = await openWire({
      env: { HTTPS_PROXY: `http://${user}127.0.0.1:${port}` },
      ...pooled,
      ...options,
    });
    return ending(exchange, change('POST', target));
  };

  it('reaches the platform over TLS through the proxy', async () => {
    const server = await keep(rawServer(always(200, '[]'), serverPair(ours, { hosts: ['platform.test'] })));
    const proxy = await keep(rawServer(tunnelTo(server.port)));
    expect(await through(proxy, { caFile }, `ada:${secret}@`)).toEqual({ status: 200, text: '[]', earlier: 'none' });
    expect(proxy.requests).toEqual([
      `CONNECT platform.test:443 HTTP/1.1\r\nHost: platform.test:443\r\nUser-Agent: iiot-cli\r\nProxy-Authorization: Basic ${Buffer.from(`ada:${secret}`).toString('base64')}\r\n\r\n`,
    ]);
    expect(server.requests[0]).toMatch(/^POST \/ HTTP\/1\.1\r\nhost: platform\.test\r\n/i);
    expect(server.requests[0]).not.toMatch(/proxy-authorization/i);
  });

  it('over http is sent to the proxy with its whole URL', async () => {
    const proxy = await keep(rawServer(always(200, '[]')));
    const { exchange } = await openWire({ env: { HTTP_PROXY: `ada:${secret}@127.0.0.1:${proxy.port}` }, ...pooled });
    const url = 'http://platform.test:8080/x?y=1';
    expect(await ending(exchange, { method: 'GET', url })).toMatchObject({ status: 200 });
    expect(proxy.requests[0]).toMatch(
      /^GET http:\/\/platform\.test:8080\/x\?y=1 HTTP\/1\.1\r\nhost: platform\.test:8080\r\n/i,
    );
    expect(proxy.requests[0]).toMatch(/proxy-authorization: Basic /i);
  });

  const proxies = 'Check HTTPS_PROXY and NO_PROXY';
  const credentials = `Put user and password into HTTPS_PROXY: http://USER:PASSWORD@HOST:PORT, ${encoding}`;
  const relay =
    'Run a relay on this machine that logs in there, such as cntlm or px, and put its address into HTTPS_PROXY';
  const allow = 'Ask the operator of the proxy to allow this address, or add it to NO_PROXY';
  const login = 'it asks for other credentials';
  const other = 'it asks for a login with NTLM or Negotiate, but iiot knows only Basic';
  const garbage = 'it gave a response that is not HTTP';
  const asking = (...schemes: string[]) =>
    lastWords(
      answerText(
        407,
        '',
        schemes.map((scheme) => `Proxy-Authenticate: ${scheme}`),
      ),
    );
  const failing: readonly (readonly [string, Behaviour, string, string, number?])[] = [
    ['asks for credentials', asking('Basic'), login, credentials],
    ['asks for a login that iiot does not know', asking('Negotiate', 'NTLM'), other, relay],
    ['also accepts Basic', asking('Digest realm="NTLM", Basic realm="x"'), login, credentials],
    [
      'forbids the address',
      lastWords(answerText(403, 'no', ['X-Squid-Error: ERR_ACCESS_DENIED 0'])),
      'it answered 403 (Word, ERR_ACCESS_DENIED)',
      allow,
    ],
    [
      'redirects',
      lastWords(answerText(302, '', ['Location: http://elsewhere.test/'])),
      'it answered 302 (Word)',
      proxies,
    ],
    ['closes the connection', (socket) => socket.end(), 'it closed the connection', proxies, 4],
    ['does not speak HTTP', lastWords('SSH-2.0-x\r\n'), garbage, proxies],
    [
      'sends headers without end',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(9000)}`),
      garbage,
      proxies,
    ],
  ];

  it.for(failing)('fails with the name of a proxy that %s', async ([, behaviour, reason, hint, attempts = 1]) => {
    const proxy = await keep(rawServer(behaviour));
    const answer = await through(proxy, {}, `ada:${secret}@`);
    const message = `The proxy 127.0.0.1:${proxy.port} did not connect to ${target}: ${reason}.`;
    expect(answer).toEqual({ kind: 'unavailable', message, hint });
    expect(JSON.stringify(answer)).not.toContain(secret);
    expect(proxy.connections()).toBe(attempts);
  });

  it.each(unreached)('fails with the base URL that %s cannot reach', async (_, head, reason) => {
    const proxy = await keep(rawServer(lastWords(`${head}\r\n\r\n<title>ERROR</title>`)));
    expect(await through(proxy, { retries: 0 })).toEqual({
      kind: 'unavailable',
      message: `The proxy 127.0.0.1:${proxy.port} cannot reach ${target}: it answered ${reason}.`,
      hint: 'Check the base URL: iiot profiles show --origin; or add this host to NO_PROXY',
    });
  });

  it('fails if the proxy resets the connection', async () => {
    const proxy = await keep(rawServer((socket) => socket.resetAndDestroy()));
    const env = { https_proxy: `http://127.0.0.1:${proxy.port}` };
    expect(await through(proxy, { retries: 0, env })).toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/^The proxy 127\.0\.0\.1:\d+ did not connect to .*: the connection was closed/),
    });
  });

  it('ends after the timeout if the proxy does not answer', () =>
    withTimeouts(async (timeout) => {
      const proxy = await keep(rawServer());
      expect(await through(proxy, { timeout })).toEqual({
        kind: 'unavailable',
        message: `The proxy 127.0.0.1:${proxy.port} did not connect to ${target} within ${describeDuration(timeout)}.`,
        hint: 'Try again, perhaps with a longer --request-timeout; to find the cause, run: iiot doctor',
      });
    }));

  it('fails if nothing listens at the address of the proxy', async () => {
    const gone = await rawServer();
    await gone.close();
    const message = `Cannot reach the proxy 127.0.0.1:${gone.port}: nothing listens there.`;
    expect(await through(gone, { retries: 0 })).toEqual({ kind: 'unavailable', message, hint: proxies });
  });
});

it('the unknown issuer of a platform behind a proxy is named', async () => {
  const server = await keep(rawServer(always(200), serverPair(authority('Interceptor'), { hosts: ['platform.test'] })));
  const proxy = await keep(rawServer(tunnelTo(server.port)));
  const { exchange } = await openWire({ env: { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` } });
  expect(await ending(exchange, get(target))).toMatchObject({
    message: expect.stringMatching(
      / through the proxy 127\.0\.0\.1:\d+: its certificate .*\(issued by Interceptor\)\.$/,
    ),
  });
});

it('a proxy whose address begins with https is reached over TLS', async () => {
  const server = await keep(rawServer(always(200, '[]'), serverPair(ours, { hosts: ['platform.test'] })));
  const proxy = await keep(rawServer(tunnelTo(server.port), serverPair(ours)));
  const { exchange } = await openWire({ caFile, env: { HTTPS_PROXY: `https://127.0.0.1:${proxy.port}` } });
  expect(await ending(exchange, get(target))).toEqual({ status: 200, text: '[]', earlier: 'none' });
});

it('bytes of the platform right after the response of the proxy are read', async () => {
  const proxy = await keep(rawServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nnot TLS')));
  const { exchange } = await openWire({ retries: 0, env: { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` } });
  expect(await ending(exchange, get(target))).toMatchObject({
    message: expect.stringMatching(/ through the proxy 127\.0\.0\.1:\d+: .* not speak TLS\.$/),
  });
});

it('a request to loopback goes through no proxy', async () => {
  const server = await keep(rawServer(always(200, '[]')));
  const proxy = await keep(rawServer());
  const env = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
  const { exchange } = await openWire({ env });
  for (const host of ['127.0.0.1', 'localhost']) {
    expect(await ending(exchange, get(`http://${host}:${server.port}`))).toMatchObject({ status: 200 });
  }
  expect(proxy.connections()).toBe(0);
});

const unusable: readonly (readonly [string, string])[] = [
  ...['socks5h://', 'ftp://p:21', 'http://', '://', 'http://a b'].map((value) => [value, 'http://HOST:PORT'] as const),
  // A password as it is: what is behind its / or # is no address.
  ...[`ada:${secret}@`, `http://ada:12/${secret}@proxy.test:3128`, `http://ada:${secret}#1@proxy.test`].map(
    (value) => [value, `http://USER:PASSWORD@HOST:PORT, ${encoding}`] as const,
  ),
];

it.each(unusable)('HTTPS_PROXY=%s is refused, and its value is not in the error', async (value, looks) => {
  const { exchange } = await openWire({ env: { HTTPS_PROXY: value } });
  expect(await ending(exchange, get(target))).toEqual({
    kind: 'usage',
    message: 'HTTPS_PROXY is not the address of a proxy.',
    hint: `It looks like ${looks}; for SOCKS, it begins with socks5h://`,
  });
});

const env = { HTTP_PROXY: 'http://plain:3128', HTTPS_PROXY: 'http://secure:3128' };
const chosen: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  ['https://platform.test', env, 'secure:3128'],
  ['http://platform.test', env, 'plain:3128'],
  ['https://platform.test', { HTTP_PROXY: 'http://plain' }, 'no proxy'],
  ['http://platform.test', { HTTP_PROXY: 'plain' }, 'plain:80'],
  ['https://platform.test', { ...env, https_proxy: 'https://small' }, 'small:443'],
  ['https://platform.test', { ...env, ALL_PROXY: 'http://all:3128' }, 'secure:3128'],
  ['https://platform.test', { HTTP_PROXY: 'http://plain', ALL_PROXY: 'all:3128' }, 'all:3128'],
  ['http://platform.test', { all_proxy: 'https://all', ALL_PROXY: 'http://other' }, 'all:443'],
  ['http://platform.test', { HTTP_PROXY: ' ', ALL_PROXY: 'socks5h://all' }, 'socks5h://all:1080'],
  ['https://platform.test', { HTTPS_PROXY: 'socks5://ada:pw@[::1]:1081' }, 'socks5://[::1]:1081'],
  ['https://platform.test', { ALL_PROXY: 'socks5://all', NO_PROXY: '*.test' }, 'no proxy'],
  ['https://localhost', { ALL_PROXY: 'socks5://all' }, 'no proxy'],
  ['https://platform.test', { ...env, https_proxy: '' }, 'secure:3128'],
  ['https://platform.test', { ...env, NO_PROXY: 'platform.test' }, 'no proxy'],
  ['https://platform.test', { ...env, NO_PROXY: 'platform.test', no_proxy: 'other.test' }, 'secure:3128'],
  ['https://[::1]:8443', env, 'no proxy'],
  ['https://127.9.9.9', env, 'no proxy'],
  ['https://sandbox.localhost', env, 'no proxy'],
];

it.each(chosen)('a request to %s with %j goes through %s', (url, variables, name) => {
  expect(proxyFor(new URL(url), variables)?.name ?? 'no proxy').toBe(name);
});

const exempt: readonly (readonly [string, string, boolean])[] = [
  ['*', 'https://a.test', true],
  ['a.test', 'https://a.test', true],
  ['A.Test', 'https://a.test', true],
  ['a.test', 'https://b.a.test', true],
  ['.a.test', 'https://b.a.test', true],
  ['.a.test', 'https://a.test', true],
  ['*.a.test', 'https://b.a.test', true],
  ['a.test', 'https://bad-a.test', false],
  ['a.test', 'https://a.test.evil', false],
  ['a.test:443', 'https://a.test', true],
  ['a.test:8443', 'https://a.test', false],
  ['a.test:8443', 'https://a.test:8443', true],
  ['a.test:80', 'http://a.test', true],
  ['x,a.test , y', 'https://a.test', true],
  ['x a.test', 'https://a.test', true],
  ['10.1.2.3', 'https://10.1.2.3', true],
  ['10.1.2.3', 'https://210.1.2.3', false],
  ['1.2.3', 'https://10.1.2.3', false],
  ['10.0.0.0/8', 'https://10.200.3.4', true],
  ['10.0.0.0/8', 'https://11.0.0.1', false],
  ['10.1.0.0/16', 'https://10.1.255.255', true],
  ['0.0.0.0/0', 'https://8.8.8.8', true],
  ['10.1.2.3/32', 'https://10.1.2.3', true],
  ['10.0.0.0/33', 'https://10.0.0.1', false],
  ['10.0.0.0/8', 'https://platform.test', false],
  ['[fd00::1]', 'https://[fd00::1]', true],
  ['fd00::1', 'https://[fd00::1]', true],
  ['[fd00::1]:8443', 'https://[fd00::1]:8443', true],
  ['[fd00::1]:8443', 'https://[fd00::1]', false],
  ['', 'https://a.test', false],
  [',', 'https://a.test', false],
  ['.', 'https://a.test', false],
];

it.each(exempt)('NO_PROXY=%s exempts %s: %s', (noProxy, url, expected) => {
  expect(isExempt(new URL(url), noProxy)).toBe(expected);
});

it('an arbitrary NO_PROXY is read without an error', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (text) => {
      expect(typeof isExempt(new URL('https://10.1.2.3:8443'), text)).toBe('boolean');
    }),
  );
});

it('the secrets of the proxy variables are known as written and as sent', () => {
  const variables = {
    HTTPS_PROXY: 'http://ada:p%40ss%20w@proxy.test:3128',
    http_proxy: 'eve:word@other.test',
    all_proxy: 'socks5h://bob:tail@127.0.0.1',
    NO_PROXY: 'x:y@z',
  };
  expect(proxySecrets(variables)).toEqual([
    'word',
    'word',
    Buffer.from('eve:word').toString('base64'),
    'tail',
    'tail',
    Buffer.from('bob:tail').toString('base64'),
    'p%40ss%20w',
    'p@ss w',
    Buffer.from('ada:p@ss w').toString('base64'),
  ]);
});
