/** Proxies as commands meet them: faulty ones are named, and their password is shown to nobody. */
import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../support/fixtures.ts';
import { guarded, org, secrets } from '../support/guarded.ts';
import { type Behaviour, greetingServer, rawServer } from '../support/raw-server.ts';

const target = 'https://platform.test';
const list = ['orgs', 'users', 'list', '--request-timeout', '10s', '--retries', '0'];
const keep = closedAfterEach();

describe('a proxy', () => {
  const through = async (behaviour: Behaviour, trace: string) => {
    const { port } = await keep(rawServer(behaviour));
    const env = { IIOT_BASE_URL: target, HTTPS_PROXY: `http://ada:${secrets.proxyPassword}@127.0.0.1:${port}` };
    return { port, ...(await guarded([...list, trace], { env })) };
  };

  it('that repeats what it was sent is named, and no secret is shown', async () => {
    const repeating: Behaviour = (socket, request) => socket.end(`HTTP/1.1 403 ${request}\r\n\r\n${request}`);
    const { exit, stdout, stderr, port } = await through(repeating, '--debug');
    expect({ exit, stdout }).toEqual({ exit: 8, stdout: '' });
    expect(stderr).toContain(`error: The proxy 127.0.0.1:${port} did not connect to ${target}: `);
  });

  it('is shown by --verbose', async () => {
    const { stderr, port } = await through((socket) => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'), '--verbose');
    const url = `${target}/api/v1/orgs/${org}/users?maxResultCount=1000`;
    const line = `> GET ${url} as IIOT_TOKEN through the proxy 127.0.0.1:${port}`;
    expect(stderr.split('\n')[0]?.replace(/^\S+Z #\d+ /, '')).toBe(line);
  });

  it.each(['socks', 'socks4', 'socks4a'])(
    'that speaks %s is refused, and its password is not shown',
    async (scheme) => {
      const env = { IIOT_BASE_URL: target, ALL_PROXY: `${scheme}://ada:${secrets.proxyPassword}@127.0.0.1:1080` };
      expect(await guarded(list, { env })).toEqual({
        exit: 2,
        stdout: '',
        stderr: `error: ALL_PROXY begins with ${scheme}://, but iiot speaks SOCKS5.\nhint: If the proxy speaks it as well: socks5h://HOST:PORT\n`,
      });
    },
  );

  it('that fails is named by iiot doctor, and so is a name that this machine has to resolve', async () => {
    const refusing = greetingServer((socket) => socket.once('data', () => socket.end(Buffer.from('05000505', 'hex'))));
    const { port } = await keep(refusing);
    const findings = async (scheme: string) => {
      const env = { IIOT_BASE_URL: 'https://platform.invalid', ALL_PROXY: `${scheme}://127.0.0.1:${port}` };
      const words = ['doctor', '--columns', 'check,status,message', '--request-timeout', '10s'];
      const { stdout } = await guarded(words, { env });
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
