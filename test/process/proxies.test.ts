/** Proxies as the built program meets them: faulty ones are named, in time, and their password is shown to nobody. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../support/fixtures.ts';
import {
  answerText,
  type Behaviour,
  greetingServer,
  lastWords,
  type RawServer,
  rawServer,
} from '../support/raw-server.ts';
import { guarded, guardedHere, org, secrets } from './guarded.ts';

const target = 'https://platform.test';
const list = ['orgs', 'users', 'list', '--request-timeout', '10s', '--retries', '0'];
const keep = closedAfterEach();

const named = ({ port }: RawServer) => `http://ada:${secrets.proxyPassword}@127.0.0.1:${port}`;

describe('a proxy', () => {
  it.each<[string, Behaviour]>([
    ['asks for other credentials', lastWords(answerText(407, '', ['Proxy-Authenticate: Basic realm="x"']))],
    ['repeats what it was sent', (socket, request) => socket.end(`HTTP/1.1 403 ${request}\r\n\r\n${request}`)],
  ])('that %s is named, and no secret is shown', async (_, behaviour) => {
    const proxy = await keep(rawServer(behaviour));
    const env = { IIOT_BASE_URL: target, HTTPS_PROXY: named(proxy) };
    const { exit, stdout, stderr } = await guarded([...list, '--debug'], { env });
    expect({ exit, stdout }).toEqual({ exit: 8, stdout: '' });
    expect(stderr).toContain(`error: The proxy 127.0.0.1:${proxy.port} did not connect to ${target}: `);
  });

  it('is shown by --verbose', async () => {
    const proxy = await keep(rawServer((socket) => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')));
    const env = { IIOT_BASE_URL: target, HTTPS_PROXY: named(proxy) };
    const { exit, stderr } = await guarded([...list, '--verbose'], { env });
    const url = `${target}/api/v1/orgs/${org}/users?maxResultCount=1000`;
    const line = `#1 > GET ${url} as IIOT_TOKEN through the proxy 127.0.0.1:${proxy.port}`;
    expect([exit, stderr.split('\n')[0]?.replace(/^\S+Z /, '')]).toEqual([8, line]);
  });

  it.each(['socks', 'socks4', 'socks4a'])(
    'that speaks %s is refused, and its password is not shown',
    async (scheme) => {
      const env = { IIOT_BASE_URL: target, ALL_PROXY: `${scheme}://ada:${secrets.proxyPassword}@127.0.0.1:1080` };
      const { exit, stdout, stderr } = await guardedHere(list, { env });
      expect({ exit, stdout, stderr }).toEqual({
        exit: 2,
        stdout: '',
        stderr: `error: ALL_PROXY begins with ${scheme}://, but iiot speaks SOCKS5.\nhint: If the proxy speaks it as well: socks5h://HOST:PORT\n`,
      });
    },
  );

  it('that speaks socks4 ends an import before its first row', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'iiot-rows-')), 'rows.csv');
    writeFileSync(file, 'deviceId,line\npress-1,3\npress-2,4\n');
    const env = { IIOT_BASE_URL: target, HTTPS_PROXY: 'socks4://127.0.0.1:1080' };
    const { exit, stdout, stderr } = await guardedHere(['devices', 'custom-info', 'import', '--yes', file], { env });
    const left = readdirSync(dirname(file));
    rmSync(dirname(file), { recursive: true });
    expect([exit, stdout, stderr, left]).toEqual([2, '', expect.stringContaining('HTTPS_PROXY'), ['rows.csv']]);
  });
});

describe('a SOCKS proxy', () => {
  const socks = (reply: string) =>
    keep(greetingServer((socket) => socket.once('data', () => socket.end(Buffer.from(reply, 'hex')))));

  it.each([
    ['ALL_PROXY', '0502' + '0101'],
    ['HTTPS_PROXY', '0500' + '0502'],
  ])('of %s that refuses is named, and its password is not shown', async (variable, reply) => {
    const { port } = await socks(reply);
    const env = { IIOT_BASE_URL: target, [variable]: `socks5h://ada:${secrets.proxyPassword}@127.0.0.1:${port}` };
    const { exit, stdout, stderr } = await guardedHere([...list, '--debug'], { env });
    expect({ exit, stdout, stderr }).toEqual({
      exit: 8,
      stdout: '',
      stderr: expect.stringContaining(`error: The proxy socks5h://127.0.0.1:${port} did not connect to ${target}: `),
    });
  });

  it('that fails is named by iiot doctor, and so is a name that this machine has to resolve', async () => {
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
      expect.stringContaining(`proxy\tok\tsocks5h://127.0.0.1:${port} `),
      `proxy\tfailure\tThe proxy socks5h://127.0.0.1:${port} cannot reach https://platform.invalid: nothing listens there.`,
    ]);
    expect(await findings('socks5')).toEqual([
      expect.stringContaining(`proxy\tok\tsocks5://127.0.0.1:${port} `),
      expect.stringMatching(/^name\tfailure\tThe name platform\.invalid does not resolve \(\w+\)\.$/),
    ]);
  });
});
