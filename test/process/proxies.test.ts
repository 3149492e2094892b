/** Proxies as the built program meets them: faulty ones are named, in time, and their password is shown to nobody. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { closedAfterEach } from '../support/fixtures.ts';
import { always, answerText, greetingServer, lastWords, type RawServer, rawServer } from '../support/raw-server.ts';
import { guarded, guardedHere, org, secrets, users } from './guarded.ts';

const target = 'https://platform.test';
const list = ['orgs', 'users', 'list', '--request-timeout', '10s', '--retries', '0'];
const keep = closedAfterEach();

const named = ({ port }: RawServer) => `http://ada:${secrets.proxyPassword}@127.0.0.1:${port}`;
const encoding = 'with @ : / # % in the password as %40 %3A %2F %23 %25';
const variables = 'hint: Check HTTPS_PROXY and NO_PROXY';

describe('a proxy that', () => {
  it.each<[string, () => Promise<RawServer>, string, string]>([
    [
      'asks for other credentials',
      () => rawServer(lastWords(answerText(407, '', ['Proxy-Authenticate: Basic realm="x"']))),
      'did not connect to https://platform.test: it asks for other credentials.',
      `hint: Put user and password into HTTPS_PROXY: http://USER:PASSWORD@HOST:PORT, ${encoding}`,
    ],
    [
      'repeats what it was sent',
      () => rawServer((socket, request) => socket.end(`HTTP/1.1 403 ${request}\r\n\r\n${request}`)),
      'did not connect to https://platform.test: it answered 403.',
      'hint: Ask the operator of the proxy to allow this address, or add it to NO_PROXY',
    ],
  ])('%s is named', async (_, open, reason, hint) => {
    const proxy = await keep(open());
    const env = { IIOT_BASE_URL: target, HTTPS_PROXY: named(proxy) };
    const { exit, stdout, stderr } = await guarded([...list, '--debug'], { env });
    expect({ exit, stdout, last: stderr.trimEnd().split('\n').slice(-2) }).toEqual({
      exit: 8,
      stdout: '',
      last: [`error: The proxy 127.0.0.1:${proxy.port} ${reason}`, hint],
    });
  });

  it('is on the way is shown by --verbose', async () => {
    const proxy = await keep(rawServer((socket) => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')));
    const env = { IIOT_BASE_URL: target, HTTPS_PROXY: named(proxy) };
    const { exit, stderr } = await guarded([...list, '--verbose'], { env });
    const url = `${target}/api/v1/orgs/${org}/users?maxResultCount=1000`;
    const line = `#1 > GET ${url} as IIOT_TOKEN through the proxy 127.0.0.1:${proxy.port}`;
    expect([exit, stderr.split('\n')[0]?.replace(/^\S+Z /, '')]).toEqual([8, line]);
  });

  it('opens a way to no TLS is not blamed for it', async () => {
    const proxy = await keep(rawServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nnot TLS')));
    const { exit, stderr } = await guardedHere(list, { env: { IIOT_BASE_URL: target, https_proxy: named(proxy) } });
    expect([exit, stderr.split('\n')[0]]).toEqual([
      8,
      `error: Cannot connect to ${target} through the proxy 127.0.0.1:${proxy.port}: it does not speak TLS.`,
    ]);
  });

  it('is spoken to by TLS, and does not speak it, is named', async () => {
    const proxy = await keep(greetingServer((socket) => socket.on('data', () => socket.end(answerText(400)))));
    const env = { IIOT_BASE_URL: target, HTTPS_PROXY: named(proxy).replace('http:', 'https:') };
    const { exit, stderr } = await guardedHere(list, { env });
    expect([exit, stderr]).toEqual([
      8,
      `error: Cannot reach the proxy 127.0.0.1:${proxy.port}: it does not speak TLS.\n${variables}\n`,
    ]);
  });

  it.each([
    [`socks5://${'a'.repeat(256)}:PASSWORD@127.0.0.1`, `http://USER:PASSWORD@HOST:PORT, ${encoding}`],
    ['ftp://ada:PASSWORD@127.0.0.1', `http://USER:PASSWORD@HOST:PORT, ${encoding}`],
    ['http://ada:PASSWORD@', `http://USER:PASSWORD@HOST:PORT, ${encoding}`],
    ['http://ada:PASSWORD#@127.0.0.1', `http://USER:PASSWORD@HOST:PORT, ${encoding}`],
    ['http://ada:12/PASSWORD@127.0.0.1', `http://USER:PASSWORD@HOST:PORT, ${encoding}`],
    ['://ada:PASSWORD', 'http://HOST:PORT'],
  ])('is not valid ends with 2, and nothing of it is repeated: %s', async (value, looks) => {
    const env = { IIOT_BASE_URL: target, HTTPS_PROXY: value.replace('PASSWORD', secrets.proxyPassword) };
    const { exit, stdout, stderr } = await guardedHere(list, { env });
    expect({ exit, stdout, stderr }).toEqual({
      exit: 2,
      stdout: '',
      stderr: `error: HTTPS_PROXY is not the address of a proxy.\nhint: It looks like ${looks}; for SOCKS, it begins with socks5h://\n`,
    });
  });

  it.each(['socks', 'socks4', 'socks4a'])('speaks %s is not spoken to', async (scheme) => {
    const env = { IIOT_BASE_URL: target, ALL_PROXY: `${scheme}://ada:${secrets.proxyPassword}@127.0.0.1:1080` };
    const { exit, stdout, stderr } = await guardedHere(list, { env });
    expect({ exit, stdout, stderr }).toEqual({
      exit: 2,
      stdout: '',
      stderr: `error: ALL_PROXY begins with ${scheme}://, but iiot speaks SOCKS5.\nhint: If the proxy speaks it as well: socks5h://HOST:PORT\n`,
    });
  });

  it('is not valid ends an import before its first row', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'iiot-rows-')), 'rows.csv');
    writeFileSync(file, 'deviceId,line\npress-1,3\npress-2,4\n');
    const env = { IIOT_BASE_URL: target, HTTPS_PROXY: 'socks4://127.0.0.1:1080' };
    const { exit, stdout, stderr } = await guardedHere(['devices', 'custom-info', 'import', '--yes', file], { env });
    const left = readdirSync(dirname(file));
    rmSync(dirname(file), { recursive: true });
    expect({ exit, stdout, stderr, left }).toEqual({
      exit: 2,
      stdout: '',
      stderr:
        'error: HTTPS_PROXY begins with socks4://, but iiot speaks SOCKS5.\nhint: If the proxy speaks it as well: socks5h://HOST:PORT\n',
      left: ['rows.csv'],
    });
  });
});

describe('a SOCKS proxy that', () => {
  const socks = (reply: string) =>
    keep(greetingServer((socket) => socket.once('data', () => socket.end(Buffer.from(reply, 'hex')))));

  it.each([
    ['ALL_PROXY', '0502' + '0101', 'it asks for other credentials.'],
    ['HTTPS_PROXY', '0500' + '0502', 'its rules do not allow it.'],
  ])('refuses is named, and its password is not: %s', async (variable, reply, words) => {
    const { port } = await socks(reply);
    const env = { IIOT_BASE_URL: target, [variable]: `socks5h://ada:${secrets.proxyPassword}@127.0.0.1:${port}` };
    const { exit, stdout, stderr } = await guardedHere([...list, '--debug'], { env });
    expect({ exit, stdout, stderr }).toEqual({
      exit: 8,
      stdout: '',
      stderr: expect.stringContaining(
        `error: The proxy socks5h://127.0.0.1:${port} did not connect to ${target}: ${words}\n`,
      ),
    });
  });

  it('fails is named by doctor, and so is the name that this machine is to resolve', async () => {
    const { port } = await socks('05000505');
    const findings = async (scheme: string) => {
      const env = { IIOT_BASE_URL: 'https://platform.invalid', ALL_PROXY: `${scheme}://127.0.0.1:${port}` };
      const { stdout } = await guardedHere(
        ['doctor', '--columns', 'check,status,message', '--request-timeout', '10s'],
        {
          env,
        },
      );
      return stdout.split('\n').filter((line) => /^(name|proxy|connection)\t/.test(line));
    };
    expect(await findings('socks5h')).toEqual([
      `proxy\tok\tsocks5h://127.0.0.1:${port} is between this machine and the platform`,
      `proxy\tfailure\tThe proxy socks5h://127.0.0.1:${port} cannot reach https://platform.invalid: nothing listens there.`,
    ]);
    expect(await findings('socks5')).toEqual([
      `proxy\tok\tsocks5://127.0.0.1:${port} is between this machine and the platform`,
      expect.stringMatching(/^name\tfailure\tThe name platform\.invalid does not resolve \(\w+\)\.$/),
    ]);
  });
});

describe('no proxy sees', () => {
  let proxy: RawServer;
  beforeEach(async () => {
    proxy = await keep(rawServer(always(200, users)));
  });
  const through = () => ({ HTTP_PROXY: named(proxy), HTTPS_PROXY: named(proxy), ALL_PROXY: named(proxy) });

  it('what goes to this machine', async () => {
    const server = await keep(rawServer(always(200, users)));
    for (const host of ['127.0.0.1', 'localhost']) {
      const env = { ...through(), IIOT_BASE_URL: `http://${host}:${server.port}` };
      expect((await guardedHere(list, { env })).exit).toBe(0);
    }
    expect(proxy.connections()).toBe(0);
  });

  it('what goes to a platform that NO_PROXY names', async () => {
    const env = { ...through(), IIOT_BASE_URL: target, NO_PROXY: 'other, PLATFORM.TEST:443' };
    const { exit, stderr } = await guardedHere(list, { env });
    expect([exit, stderr]).toEqual([
      8,
      expect.stringMatching(
        /^error: (Cannot reach https:\/\/platform\.test:|No connection to https:\/\/platform\.test within)/,
      ),
    ]);
    expect(proxy.connections()).toBe(0);
  });
});
