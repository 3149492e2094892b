/** SOCKS5 proxies (RFC 1928, 1929), scripted byte by byte: single calls and bulk work go through them, and their refusals are told. */
import { connect, type LookupFunction } from 'node:net';
import { describe, expect, it } from 'vitest';
import { describeDuration } from '../../src/http/exchange.ts';
import { change, ending, folderWith, get, openWire } from '../http/wire.ts';
import { authority, serverPair } from '../support/certificates.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { always, greetingServer, type RawServer, rawServer } from '../support/raw-server.ts';
import { withTimeouts } from '../support/waiting.ts';

const ours = authority('Factory Authority');
const { caFile } = folderWith(ours.certificate);
const keep = closedAfterEach();
const target = 'https://platform.test';

type Script = {
  /** What is answered to the greeting, to user and password, and to the request. */
  readonly says?: readonly (readonly number[])[];
  /** The port of this machine that it leads to. */
  readonly to?: number;
};

/** A proxy that hears messages, gives its replies in turn, and then leads to a port or closes. */
async function socksServer({ says = [[5, 0], done], to }: Script): Promise<RawServer & { readonly heard: number[][] }> {
  const heard: number[][] = [];
  const server = await greetingServer((socket) => {
    let count = 0;
    const listen = (bytes: Buffer) => {
      heard.push([...bytes]);
      const reply = says[count++];
      // Byte by byte, as a slow line does.
      for (const byte of reply ?? []) socket.write(Buffer.of(byte));
      if (count < says.length) return;
      socket.off('data', listen);
      if (to === undefined) socket.end();
      else
        socket
          .pipe(connect(to, '127.0.0.1'))
          .on('error', () => socket.destroy())
          .pipe(socket);
    };
    socket.on('data', listen);
  });
  return { ...(await keep(Promise.resolve(server))), heard };
}

const done = [5, 0, 0, 1, 0, 0, 0, 0, 0, 0];
const named = [3, 13, ...Buffer.from('platform.test')];
const https = [1, 187];
const lookup: LookupFunction = (name, _, callback) => {
  if (name === 'platform.test') callback(null, '2001:db8::ff:10.1.2.3', 6);
  else callback(Object.assign(new Error('no name'), { code: name === 'other.test' ? 'ENOTFOUND' : 'EAI_AGAIN' }), '');
};

describe.each([
  ['a single request', {}],
  ['a request of an import', { connections: 2 }],
] as const)('%s', (_, options) => {
  const openThrough = (variables: Readonly<Record<string, string>>, retries = 0) =>
    openWire({ ...options, caFile, env: variables, lookup, retries });

  it('reaches the platform over TLS through the proxy, by its name', async () => {
    const server = await keep(rawServer(always(200, '[]'), serverPair(ours, { hosts: ['platform.test'] })));
    const proxy = await socksServer({ to: server.port });
    const { exchange } = await openThrough({ HTTPS_PROXY: `socks5h://127.0.0.1:${proxy.port}` });
    expect(await ending(exchange, get(target))).toEqual({ status: 200, text: '[]', earlier: 'none' });
    expect(proxy.heard.slice(0, 2)).toEqual([
      [5, 1, 0],
      [5, 1, 0, ...named, ...https],
    ]);
  });

  it('over http is sent through the proxy as to the platform itself', async () => {
    const server = await keep(rawServer(always(200, '[]')));
    const proxy = await socksServer({
      to: server.port,
      says: [
        [5, 0],
        [5, 0, 0, 3, 3, 97, 98, 99, 1, 2],
      ],
    });
    const { exchange } = await openThrough({ all_proxy: `socks5h://127.0.0.1:${proxy.port}` });
    expect(await ending(exchange, get('http://platform.test:8080'))).toMatchObject({ status: 200 });
    expect(proxy.heard[1]).toEqual([5, 1, 0, ...named, 31, 144]);
    expect(server.requests[0]).toMatch(/^GET \/ HTTP\/1\.1\r\nhost: platform\.test:8080\r\n/i);
  });

  it.each([
    ['[fd00::1]', [4, 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]],
    ['10.1.2.3', [1, 10, 1, 2, 3]],
  ])('gives the proxy %s as an address, not as a name', async (host, bytes) => {
    const server = await keep(rawServer(always(200, '[]')));
    const says = [
      [5, 0],
      [5, 0, 0, 4, ...new Array(18).fill(7)],
    ];
    const proxy = await socksServer({ to: server.port, says });
    const { exchange } = await openThrough({ ALL_PROXY: `socks5h://127.0.0.1:${proxy.port}` });
    expect(await ending(exchange, get(`http://${host}`))).toMatchObject({ status: 200 });
    expect(proxy.heard[1]).toEqual([5, 1, 0, ...bytes, 0, 80]);
  });

  it('resolves the name on this machine if the proxy is socks5', async () => {
    const server = await keep(rawServer(always(200, '[]')));
    const proxy = await socksServer({ to: server.port });
    const { exchange } = await openThrough({ HTTP_PROXY: `socks5://127.0.0.1:${proxy.port}` });
    expect(await ending(exchange, get('http://platform.test'))).toMatchObject({ status: 200 });
    const address = [0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0xff, 10, 1, 2, 3];
    expect(proxy.heard[1]).toEqual([5, 1, 0, 4, ...address, 0, 80]);
    for (const name of ['other.test', 'later.test'])
      expect(await ending(exchange, get(`http://${name}`))).toEqual({
        kind: 'unavailable',
        message: `Cannot reach http://${name} through the proxy socks5://127.0.0.1:${proxy.port}: the name does not resolve on this machine.`,
        hint: expect.stringMatching(/; or let the proxy resolve it, with socks5h:\/\/$/),
      });
    expect(proxy.connections()).toBe(1);
  });

  it('gives the proxy user and password if it asks for them', async () => {
    const server = await keep(rawServer(always(200, '[]')));
    const proxy = await socksServer({ to: server.port, says: [[5, 2], [1, 0], done] });
    const { exchange } = await openThrough({ ALL_PROXY: `socks5h://ada:p%40ss@127.0.0.1:${proxy.port}` });
    expect(await ending(exchange, get('http://platform.test'))).toMatchObject({ status: 200 });
    expect(proxy.heard.slice(0, 2)).toEqual([
      [5, 2, 0, 2],
      [1, 3, ...Buffer.from('ada'), 4, ...Buffer.from('p@ss')],
    ]);
  });

  const doctor = 'To find the cause, run: iiot doctor';
  const variables = 'Check ALL_PROXY and NO_PROXY';
  const address = expect.stringMatching(/^Check the base URL.*NO_PROXY$/);
  const credentials = expect.stringContaining(' ALL_PROXY: socks5h://USER:PASSWORD@HOST:PORT,');
  const operator = expect.stringContaining('Ask the operator');
  const reaches = (what: string) => `cannot reach https://platform.test: ${what}`;
  const connects = (what: string) => `did not connect to https://platform.test: ${what}`;
  const login = connects('.* other credentials');
  const http = Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n');
  const refused = (reply: number) => [[5, 0], Array.of(5, reply)];
  it.each<[string, readonly (readonly number[])[], string, string, number]>([
    ['reports a general failure', refused(1), reaches('it reports a general failure'), address, 2],
    ['forbids the address', refused(2), connects('its rules do not allow it'), operator, 1],
    ['cannot reach the network', refused(3), reaches('the network cannot be reached'), address, 2],
    ['cannot reach the host', refused(4), reaches('the host cannot be reached'), address, 2],
    ['finds no listener', refused(5), reaches('nothing listens there'), address, 2],
    ['gets no answer from the host', refused(6), reaches('the host did not answer'), address, 2],
    ['opens no connections', refused(7), connects('it does not open connections'), variables, 1],
    ['takes no names', refused(8), connects('it does not know this kind of address'), variables, 1],
    ['gives an unknown code', refused(99), connects('the connection failed \\(SOCKS_99\\)'), doctor, 2],
    ['closes after the greeting, as ssh -D does', [[5, 0], []], reaches('it closed the connection'), address, 2],
    ['closes at once', [[]], connects('it closed the connection'), variables, 2],
    ['asks for a login', [[5, 255]], login, credentials, 1],
    ['asks for a login that was not offered', [[5, 1]], login, credentials, 1],
    ['refuses the login', [Array.of(5, 2), Array.of(1, 1)], login, credentials, 1],
    ['speaks HTTP', [[...http]], connects('it does not speak SOCKS5'), variables, 1],
  ])('fails with the reason of a proxy that %s', async (_name, says, words, hint, attempts) => {
    const proxy = await socksServer({ says });
    const env = { ALL_PROXY: `socks5h://ada:pr0xy-passw0rd@127.0.0.1:${proxy.port}` };
    const { exchange } = await openThrough(env, 1);
    expect(await ending(exchange, change('PATCH', target))).toEqual({
      kind: 'unavailable',
      message: expect.stringMatching(`^The proxy socks5h://127.0.0.1:${proxy.port} ${words}\\.$`),
      hint,
    });
    expect(proxy.connections()).toBe(attempts);
  });

  it('ends after the timeout if the proxy does not answer', () =>
    withTimeouts(async (timeout) => {
      const proxy = await keep(rawServer());
      const env = { ALL_PROXY: `socks5h://127.0.0.1:${proxy.port}` };
      const { exchange } = await openWire({ ...options, timeout, env });
      expect(await ending(exchange, change('PATCH', target))).toMatchObject({
        message: `The proxy socks5h://127.0.0.1:${proxy.port} did not connect to https://platform.test within ${describeDuration(timeout)}.`,
      });
    }));
});

it('a proxy that answers byte by byte causes no warnings', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  const pause = () => new Promise((resolve) => setTimeout(resolve, 5));
  const proxy = await keep(
    greetingServer(async (socket) => {
      for (const byte of [5, 0, ...done.slice(0, -1)]) {
        socket.write(Buffer.of(byte));
        await pause();
      }
      socket.end();
    }),
  );
  const { exchange } = await openWire({ retries: 0, env: { ALL_PROXY: `socks5h://127.0.0.1:${proxy.port}` } });
  expect(await ending(exchange, get(target))).toMatchObject({ kind: 'unavailable' });
  process.off('warning', note);
  expect(warnings).toEqual([]);
});
