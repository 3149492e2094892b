/** TLS as the built program meets it: whose certificate is taken, why another is not, and what a file of authorities may hold. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import type { TlsOptions } from 'node:tls';
import { beforeEach, describe, expect, it } from 'vitest';
import { authority, serverPair } from '../support/certificates.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { homeForEach } from '../support/home.ts';
import { always, type RawServer, rawServer } from '../support/raw-server.ts';
import { guarded, secrets, users } from './guarded.ts';

const ours = authority('Factory Authority');
const others = authority('Somebody Else');
const home = homeForEach();
const keep = closedAfterEach();
let caFile: string;
beforeEach(() => {
  caFile = home.file('ca.pem', ours.certificate);
});

const list = ['orgs', 'users', 'list', '--retries', '0'];
const speaking = (options: TlsOptions) => rawServer(always(200, users), options);
const day = (text: string) => new Date(`${text}T00:00:00Z`);

describe('a platform whose TLS is', () => {
  const clock = "hint: Check this machine's clock; if it is right, the platform needs a new certificate";
  it.each<[string, () => Promise<RawServer>, string, string]>([
    [
      'for another name',
      () => speaking(serverPair(ours, { hosts: ['other.test'] })),
      'its certificate is for another name: other.test (issued by Factory Authority)',
      'hint: Check the base URL: iiot profiles show --ca-file CA --origin',
    ],
    [
      'expired',
      () => speaking(serverPair(ours, { from: day('2020-01-01'), until: day('2021-03-04') })),
      'its certificate has expired, on 2021-03-04 (issued by Factory Authority)',
      clock,
    ],
  ])('%s gets nothing, and the reason is said', async (_, open, reason, hint) => {
    const server = await keep(open());
    const base = `https://127.0.0.1:${server.port}`;
    // No switch of Node's helps.
    const env = { IIOT_BASE_URL: base, NODE_TLS_REJECT_UNAUTHORIZED: '0', SSL_CERT_FILE: '/dev/null' };
    const { exit, stdout, stderr } = await guarded([...list, '--ca-file', caFile], { env });
    expect({ exit, stdout, stderr }).toEqual({
      exit: 8,
      stdout: '',
      stderr: `error: Cannot connect to ${base}: ${reason}.\n${hint.replace('CA', caFile)}\n`,
    });
    expect(server.requests).toEqual([]);
  });
});

it('a challenge for other credentials is answered with none', async () => {
  const server = await keep(rawServer(always(401, '', ['WWW-Authenticate: Negotiate, Basic realm="factory"'])));
  const env = { IIOT_BASE_URL: server.origin, IIOT_ACCOUNT: 'ada@factory.example', IIOT_PASSWORD: secrets.password };
  expect((await guarded(list, { env })).exit).toBe(3);
  const sent = server.requests.map((request) => /^authorization: (\w+)/im.exec(request)?.[1]);
  expect(sent).toEqual(['Bearer']);
});

describe('--ca-file', () => {
  it('that holds a private key is refused before anything is sent', async () => {
    const server = await keep(rawServer(always(200, users)));
    const path = home.file('wrong.pem', ours.certificate + serverPair(ours).key);
    const run = await guarded([...list, '--ca-file', path], { env: { IIOT_BASE_URL: server.origin } });
    expect(run).toMatchObject({
      exit: 2,
      stdout: '',
      stderr: `error: --ca-file ${path} holds a private key.\nhint: Give a file with only certificates, and keep the key private\n`,
    });
    expect(server.connections()).toBe(0);
  });

  it.each(['a pipe', 'a folder', 'an endless device'])('that is %s is refused at once', async (what) => {
    const path = what === 'an endless device' ? '/dev/zero' : home.at(what.replace(' ', '-'));
    if (what === 'a pipe') spawnSync('mkfifo', [path]);
    if (what === 'a folder') mkdirSync(path);
    const { exit, stderr } = await guarded([...list, '--ca-file', path], {
      env: { IIOT_BASE_URL: 'https://127.0.0.1:1' },
    });
    expect([exit, stderr]).toEqual([
      2,
      expect.stringMatching(/^error: --ca-file .* (cannot be read|holds no certificate)/),
    ]);
  });

  it('with many certificates adds them to those of Node and of NODE_EXTRA_CA_CERTS', async () => {
    const many = home.file(
      'many.pem',
      [...Array.from({ length: 20 }, () => authority().certificate), ours.certificate].join('\n'),
    );
    const extra = home.file('extra.pem', others.certificate);
    for (const issuer of [ours, others]) {
      const server = await keep(speaking(serverPair(issuer)));
      const env = { IIOT_BASE_URL: server.origin, NODE_EXTRA_CA_CERTS: extra };
      const { exit, stderr } = await guarded([...list, '-o', 'id', '--ca-file', many], { env });
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    }
  });
});
