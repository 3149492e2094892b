/** SOCKS5 proxies (RFC 1928, 1929), scripted byte by byte: single calls and bulk work go through them, and their refusals are told. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { describeDuration } from '../../src/http/exchange.ts';
import { proxySecrets } from '../../src/network/proxy.ts';
import { change, ending, get, openWire } from '../http/wire.ts';
import { authority, serverPair } from '../support/certificates.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { always, greetingServer, type RawServer, rawServer } from '../support/raw-server.ts';
import { withTimeouts } from '../support/waiting.ts';

const ours = authority('Factory Authority');
const folder = mkdtempSync(join(tmpdir(), 'iiot-socks-'));
const caFile = join(folder, 'ca.pem');
writeFileSync(caFile, ours.certificate);
afterAll(() => rmSync(folder, { recursive: true }));
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
  ['a single call', {}],
  ['a pool', { connections: 2 }],
] as const)('%s', (_, options) => {
  const openThrough = (variables: Readonly<Record<string, string>>, retries = 0) =>
    openWire({ ...options, caFile, env: variables, lookup, retries });

  it('goes through the proxy with TLS to the platform itself, by its name', async () => {
    const server = await keep(rawServer(always(200, '[]'), serverPair(ours, { hosts: ['platform.test'] })));
    const proxy = await socksServer({ to: server.port });
    const { exchange } = await openThrough({ HTTPS_PROXY: `socks5h://127.0.0.1:${proxy.port}` });
    expect(await ending(exchange, get(target))).toEqual({ status: 200, text: '[]', earlier: 'none' });
    expect(proxy.heard.slice(0, 2)).toEqual([
      [5, 1, 0],
      [5, 1, 0, ...named, ...https],
    ]);
  });

  it('sends plain http through it as to the platform itself', async () => {
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
  ])('names %s as an address', async (host, bytes) => {
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

  it('resolves names here for socks5', async () => {
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
        hint: 'Check the base URL: iiot profiles show --origin; or let the proxy resolve it, with socks5h://',
      });
    expect(proxy.connections()).toBe(1);
  });

  it('gives user and password where they are asked for', async () => {
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
  const address = 'Check the base URL: iiot profiles show --origin; or add this host to NO_PROXY';
  const credentials =
    'Put user and password into ALL_PROXY: socks5h://USER:PASSWORD@HOST:PORT, with @ : / # % in the password as %40 %3A %2F %23 %25';
  const operator = 'Ask the operator of the proxy to allow this address, or add it to NO_PROXY';
  const reaches = (what: string) => `cannot reach https://platform.test: ${what}`;
  const connects = (what: string) => `did not connect to https://platform.test: ${what}`;
  const login = connects('it asks for other credentials');
  const http = Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n');
  const refused = (reply: number) => [[5, 0], Array.of(5, reply)];
  it.each<[string, readonly (readonly number[])[], string, string, number]>([
    ['fails', refused(1), reaches('it reports a general failure'), address, 2],
    ['forbids', refused(2), connects('its rules do not allow it'), operator, 1],
    ['has no way', refused(3), reaches('the network cannot be reached'), address, 2],
    ['finds no host', refused(4), reaches('the host cannot be reached'), address, 2],
    ['finds nothing', refused(5), reaches('nothing listens there'), address, 2],
    ['waits in vain', refused(6), reaches('the host did not answer'), address, 2],
    ['cannot do it', refused(7), connects('it does not open connections'), variables, 1],
    ['knows no names', refused(8), connects('it does not know this kind of address'), variables, 1],
    ['says what nobody knows', refused(99), connects('the connection failed (SOCKS_99)'), doctor, 2],
    ['closes, as ssh -D does', [[5, 0], []], reaches('it closed the connection'), address, 2],
    ['closes at once', [[]], connects('it closed the connection'), variables, 2],
    ['wants a login', [[5, 255]], login, credentials, 1],
    ['wants what was not offered', [[5, 1]], login, credentials, 1],
    ['refuses the login', [Array.of(5, 2), Array.of(1, 1)], login, credentials, 1],
    ['speaks HTTP', [[...http]], connects('it does not speak SOCKS5'), variables, 1],
  ])('says of a proxy that %s what it is', async (_name, says, words, hint, attempts) => {
    const proxy = await socksServer({ says });
    const env = { ALL_PROXY: `socks5h://ada:pr0xy-passw0rd@127.0.0.1:${proxy.port}` };
    const { exchange } = await openThrough(env, 1);
    expect(await ending(exchange, change('PATCH', target))).toEqual({
      kind: 'unavailable',
      message: `The proxy socks5h://127.0.0.1:${proxy.port} ${words}.`,
      hint,
    });
    expect(proxy.connections()).toBe(attempts);
  });

  it('ends in time with a proxy that says nothing', () =>
    withTimeouts(async (timeout) => {
      const proxy = await keep(rawServer());
      const env = { ALL_PROXY: `socks5h://127.0.0.1:${proxy.port}` };
      const { exchange } = await openWire({ ...options, timeout, env });
      expect(await ending(exchange, change('PATCH', target))).toMatchObject({
        message: `The proxy socks5h://127.0.0.1:${proxy.port} did not connect to https://platform.test within ${describeDuration(timeout)}.`,
      });
    }));
});

it('leaves no listeners with a proxy that drips', async () => {
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

it('knows the passwords of all variables, for masking', () => {
  for (const variable of ['ALL_PROXY', 'all_proxy', 'HTTPS_PROXY'])
    expect(proxySecrets({ [variable]: 'socks5h://ada:p%40ss@127.0.0.1' })).toEqual([
      'p%40ss',
      'p@ss',
      Buffer.from('ada:p@ss').toString('base64'),
    ]);
});
