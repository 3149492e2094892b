/** The built program behind a real nginx, a real tinyproxy and a real SOCKS server, where they are installed: what our own servers imitate elsewhere. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authority, serverPair } from '../support/certificates.ts';
import { lacks } from '../support/lacking.ts';
import { runProgram } from '../support/program.ts';
import { rawServer } from '../support/raw-server.ts';
import { isListening, until } from '../support/waiting.ts';

const gateways = ['nginx', 'tinyproxy', 'microsocks'] as const;
const without = new Set<string>(gateways.filter((each) => lacks(each)));
/** Loopback is never proxied: the platform has to stand at another address of this machine. */
const here = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

const ours = authority('Factory Authority');
const client = serverPair(ours, {}, 'line-3');
const children: ChildProcess[] = [];
let folder = '';
let nginx = 0;
let tinyproxy = 0;
let socks = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'iiot-real-'));
  const server = serverPair(ours, { hosts: ['127.0.0.1', ...(here === undefined ? [] : [here])] });
  file('ca.pem', ours.certificate);
  file('server.pem', server.cert + server.key);
  file('client.pem', client.cert + client.key);
  [nginx, tinyproxy, socks] = [await freePort(), await freePort(), await freePort()];
  if (!without.has('nginx'))
    await started('nginx', ['-c', file('nginx.conf', nginxConf()), '-g', 'daemon off;'], nginx);
  if (!without.has('tinyproxy'))
    await started('tinyproxy', ['-d', '-c', file('tinyproxy.conf', tinyproxyConf())], tinyproxy);
  if (!without.has('microsocks'))
    await started('microsocks', ['-i', '127.0.0.1', '-p', String(socks), '-u', 'ada', '-P', 'p@ss'], socks);
});
afterAll(async () => {
  for (const child of children) {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string) => join(folder, name);
function file(name: string, content: string): string {
  writeFileSync(at(name), content, { mode: 0o600 });
  return at(name);
}

async function freePort(): Promise<number> {
  const server = await rawServer();
  await server.close();
  return server.port;
}

async function started(program: string, words: readonly string[], port: number): Promise<void> {
  children.push(spawn(program, words, { stdio: 'ignore' }));
  await until(`${program} listens`, () => isListening(`http://127.0.0.1:${port}`));
}

function nginxConf(): string {
  mkdirSync(at('tmp'));
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((each) => `${each}_temp_path ${at('tmp')};`);
  const users = '{"totalCount":1,"items":[{"userId":"u1","name":"$ssl_client_s_dn","orgRole":"admin"}]}';
  return `pid ${at('nginx.pid')}; error_log ${at('error.log')}; events {}
    http { access_log off; ${places.join(' ')}
      server { listen ${nginx} ssl; ssl_certificate ${at('server.pem')}; ssl_certificate_key ${at('server.pem')};
        ssl_client_certificate ${at('ca.pem')}; ssl_verify_client on;
        gzip on; gzip_types application/json; gzip_min_length 1;
        location / { default_type application/json; if ($request_method = PUT) { return 204; } return 200 '${users}'; } } }`;
}

function tinyproxyConf(): string {
  return `Port ${tinyproxy}\nListen 127.0.0.1\nTimeout 20\nPidFile "${at('tinyproxy.pid')}"\nLogFile "${at('tinyproxy.log')}"\n`;
}

function run(words: readonly string[], env: Readonly<Record<string, string>>) {
  const own = { IIOT_ORG: '0b0f2a1c-1111-4222-8333-444455556666', IIOT_TOKEN: 'a-token', SSL_CERT_FILE: at('ca.pem') };
  return runProgram(['orgs', 'users', 'list', '--columns', 'name', '--retries', '0', ...words], {
    env: { ...own, ...env },
  });
}

describe.skipIf(lacks('nginx'))('nginx with ssl_verify_client', () => {
  const base = () => ({ IIOT_BASE_URL: `https://127.0.0.1:${nginx}` });

  it('takes the client certificate', async () => {
    const ran = await run(['--client-cert', at('client.pem')], base());
    expect(ran).toEqual({ exit: 0, stdout: 'CN=line-3\n', stderr: '' });
  });

  it('refuses a client without a certificate, and its page is shown', async () => {
    const { exit, stderr } = await run([], base());
    expect([exit, stderr]).toEqual([7, expect.stringContaining('No required SSL certificate was sent')]);
  });
});

describe.skipIf(lacks('microsocks', 'nginx') || here === undefined)('microsocks', () => {
  const through = (scheme: string, password = 'p%40ss') => ({
    ALL_PROXY: `${scheme}://ada:${password}@127.0.0.1:${socks}`,
    IIOT_BASE_URL: `https://${here}:${nginx}`,
  });

  it.each(['socks5', 'socks5h'])('passes a request to the platform as %s', async (scheme) => {
    const ran = await run(['--client-cert', at('client.pem')], through(scheme));
    expect(ran).toEqual({ exit: 0, stdout: 'CN=line-3\n', stderr: '' });
  });

  it('passes an import to the platform', async () => {
    const rows = file('rows.csv', 'deviceId,line\npress-1,3\npress-2,4\n');
    const words = ['devices', 'custom-info', 'import', '--yes', rows, '-o', 'json', '--client-cert', at('client.pem')];
    const { exit, stdout } = await runProgram(words, {
      env: { IIOT_TOKEN: 'a-token', SSL_CERT_FILE: at('ca.pem'), ...through('socks5h') },
    });
    expect([exit, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ done: 2, failed: 0 })]);
  });
});

describe.skipIf(lacks('tinyproxy'))('tinyproxy', () => {
  const proxy = () => ({ HTTPS_PROXY: `http://127.0.0.1:${tinyproxy}` });

  it.skipIf(lacks('nginx') || here === undefined)('opens a tunnel for the client certificate', async () => {
    const ran = await run(['--client-cert', at('client.pem')], {
      ...proxy(),
      IIOT_BASE_URL: `https://${here}:${nginx}`,
    });
    expect(ran).toEqual({ exit: 0, stdout: 'CN=line-3\n', stderr: '' });
  });
});
