/** Client certificates as commands show them to a gateway: from where they are named, to whom they go, and what of them is said. */
import { createPrivateKey } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { connect } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { beforeEach, describe, expect, it } from 'vitest';
import { answering } from '../support/administrator.ts';
import { leaks } from '../support/canary.ts';
import { authority, serverPair } from '../support/certificates.ts';
import { closedAfterEach, madeForAll } from '../support/fixtures.ts';
import { nothing, runOnNetwork } from '../support/here.ts';
import { homeForEach } from '../support/home.ts';
import { pkcs12 } from '../support/pkcs12.ts';
import type { ProgramOptions } from '../support/program.ts';
import { answerText, type Behaviour, rawServer } from '../support/raw-server.ts';
import { person } from '../support/world.ts';

const org = '0b0f2a1c-1111-4222-8333-444455556666';
const ours = authority('Factory Authority');
const client = serverPair(ours, {}, 'line-3');
const passphrase = 'pa55phrase-CANARY "with" umlaut ü';
const protectedKey = createPrivateKey(client.key)
  .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase })
  .toString();
const keyLines = client.key.split('\n').slice(1, -2);
const secrets = { passphrase, key: keyLines[0] ?? '', protectedKey: protectedKey.split('\n')[2] ?? '' };

/** A platform whose only user has the name that the client's certificate has. */
const platform: Behaviour = (socket, request) => {
  const { subject } = (socket as TLSSocket).getPeerCertificate(); // every server here speaks TLS
  const name = subject?.CN ?? 'nobody';
  const users = JSON.stringify({ totalCount: 1, items: [{ userId: 'u1', name, orgRole: 'admin' }] });
  socket.write(request.startsWith('PUT') ? answerText(204) : answerText(200, users));
};

const tls = { ...serverPair(ours, { hosts: ['127.0.0.1', 'platform.test'] }), ca: ours.certificate, requestCert: true };
const gateway = madeForAll(() => rawServer(platform, tls));
const open = madeForAll(() => rawServer(platform, { ...tls, rejectUnauthorized: false }));
const keep = closedAfterEach();
const home = homeForEach(() => ({
  IIOT_BASE_URL: gateway.origin,
  IIOT_ORG: org,
  IIOT_TOKEN: 'a-token',
  SSL_CERT_FILE: home.at('ca.pem'),
}));
const at = (name: string) => home.at(name);
const file = (name: string, content: string | Buffer) => home.file(name, content);

beforeEach(() => {
  file('ca.pem', ours.certificate);
  file('client.pem', client.cert);
  file('client.key', client.key);
  file('protected.key', protectedKey);
  file('client.p12', pkcs12(client, passphrase));
  file('passphrase', `\ufeff${passphrase}\r\n`);
});

const list = ['orgs', 'users', 'list', '--columns', 'name'];

/** Runs it, and fails where a passphrase or a part of a key comes out. */
async function run(words: readonly string[], { env = {} }: ProgramOptions = {}) {
  const ran = await runOnNetwork(words, { env: { ...home.env, ...env } });
  const places = Object.entries(ran).map(([place, text]) => ({ place, text: String(text) }));
  expect(leaks(secrets, places)).toEqual([]);
  return ran;
}

const good = { exit: 0, stdout: 'line-3\n', stderr: '' };

describe('a gateway gets the client certificate', () => {
  it.each<[string, () => readonly string[], () => Record<string, string>]>([
    ['named by options', () => ['--client-cert', at('client.pem'), '--client-key', at('client.key')], () => ({})],
    ['named by variables', () => [], () => ({ IIOT_CLIENT_CERT: at('client.pem'), IIOT_CLIENT_KEY: at('client.key') })],
    [
      'named by an option, even if a variable names a key',
      () => ['--client-cert', at('client.p12')],
      () => ({ IIOT_CLIENT_KEY: at('client.key'), IIOT_CLIENT_KEY_PASSPHRASE: passphrase }),
    ],
    [
      'with an encrypted key and its passphrase in a variable',
      () => ['--client-cert', at('client.pem'), '--client-key', at('protected.key')],
      () => ({ IIOT_CLIENT_KEY_PASSPHRASE: passphrase }),
    ],
    [
      'in PKCS#12 format with the passphrase in a file',
      () => ['--client-cert', at('client.p12')],
      () => ({ IIOT_CLIENT_KEY_PASSPHRASE_FILE: at('passphrase') }),
    ],
  ])('%s', async (_, words, env) => {
    const { stdout } = await run([...list, ...words(), '--debug'], { env: env() });
    expect(stdout).toBe(good.stdout);
  });

  it('named by a profile, and another platform does not get it', async () => {
    const keys = [`baseUrl=${gateway.origin}`, `clientCert=${at('client.pem')}`, `clientKey=${at('client.key')}`];
    expect((await run(['profiles', 'set', 'default', ...keys])).exit).toBe(0);
    expect(await run(list, { env: { IIOT_BASE_URL: '' } })).toEqual(good);
    const elsewhere = await run([...list, '--base-url', open.origin]);
    expect(elsewhere).toEqual({ ...good, stdout: 'nobody\n' });
    const { stdout } = await run(['doctor', '-o', 'json', '--base-url', open.origin]);
    expect(JSON.parse(stdout)).toContainEqual({
      check: 'client_certificate',
      status: 'ok',
      message: expect.stringMatching(`^not used: .* belongs to ${gateway.origin} .*${open.origin}$`),
      hint: null,
    });
  });

  it('through a proxy, and iiot doctor shows the certificate of the gateway', async () => {
    const tunnel: Behaviour = (socket) => {
      const there = connect(gateway.port, '127.0.0.1', () => {
        socket.removeAllListeners('data');
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        there.pipe(socket).pipe(there);
      });
      there.on('error', () => socket.destroy());
    };
    const proxy = await keep(rawServer(tunnel));
    const words = ['--client-cert', at('client.pem'), '--client-key', at('client.key')];
    const env = { IIOT_BASE_URL: 'https://platform.test', HTTPS_PROXY: proxy.origin };
    expect(await run([...list, ...words], { env })).toEqual(good);
    const { stdout } = await run(['doctor', '-o', 'json', ...words], { env });
    expect(JSON.parse(stdout)).toMatchObject([
      { check: 'node' },
      { check: 'files' },
      { check: 'settings' },
      { check: 'client_certificate', status: 'ok' },
      { check: 'proxy', message: `127.0.0.1:${proxy.port} is between this machine and the platform` },
      { check: 'connection', message: 'Connected to platform.test through the proxy with TLS' },
      {
        check: 'certificate',
        message: expect.stringMatching(/^issued by Factory Authority, (29|30) days left \(until /),
      },
      { check: 'platform', status: 'ok' },
      { check: 'login', status: 'ok' },
      { check: 'call', status: 'ok' },
    ]);
  });
});

describe('a passphrase', () => {
  it('is asked for once at a terminal, and is not shown', async () => {
    const rows = file('few.csv', 'deviceId,line\npress-1,3\n');
    const { streams, text } = answering(`${passphrase}\n`);
    const someone = person({ fetch: 'network', env: { ...nothing, ...home.env }, now: Date.now });
    const words = ['devices', 'custom-info', 'import', '--yes', rows, '--client-cert', at('client.p12')];
    const { exit } = await someone.iiot(words, { ...streams, stdout: streams.stderr, env: { TERM: 'dumb' } });
    someone.leave();
    expect([exit, text().split('Passphrase of').length]).toEqual([0, 2]);
    expect(text()).toContain(`Passphrase of --client-cert ${at('client.p12')}`);
    expect(leaks(secrets, [{ place: 'terminal', text: text() }])).toEqual([]);
  });

  it('is refused when two variables give it', async () => {
    const env = { IIOT_CLIENT_KEY_PASSPHRASE: passphrase, IIOT_CLIENT_KEY_PASSPHRASE_FILE: at('passphrase') };
    const { exit, stderr } = await run([...list, '--client-cert', at('client.p12')], { env });
    expect([exit, stderr.split('\n')[0]]).toEqual([
      2,
      'error: IIOT_CLIENT_KEY_PASSPHRASE and IIOT_CLIENT_KEY_PASSPHRASE_FILE are both set.',
    ]);
  });
});

describe('iiot doctor', () => {
  const day = 86_400_000;
  const findings = async (cert: string, env: Record<string, string> = {}) => {
    const { exit, stdout } = await run(['doctor', '-o', 'json', '--client-cert', cert], { env });
    const all = JSON.parse(stdout) as { check: string }[]; // the test's own expectation
    return { exit, found: all.filter(({ check }) => check === 'client_certificate') };
  };

  it('shows which client certificate is used, and when it expires', async () => {
    const until = new Date(Date.now() + 30 * day).getFullYear();
    const { exit, found } = await findings(at('client.p12'), { IIOT_CLIENT_KEY_PASSPHRASE: passphrase });
    const message = `^line-3 \\(${at('client.p12')}, --client-cert\\), issued by Factory Authority, (29|30) days left \\(until ${until}`;
    expect([exit, found]).toEqual([
      0,
      [{ check: 'client_certificate', status: 'ok', message: expect.stringMatching(message), hint: null }],
    ]);
  });

  it('warns of a client certificate that expires soon or has expired', async () => {
    const dated = (until: Date) => serverPair(ours, { from: new Date('2020-01-01'), until }, 'old');
    const soon = dated(new Date(Date.now() + 5.5 * day));
    const past = dated(new Date('2021-03-04T05:06:07Z'));
    for (const [pair, says] of [
      [soon, /issued by Factory Authority, 5 days left/],
      [past, /issued by Factory Authority, expired on 2021-03-04$/],
    ] as const) {
      const { found } = await findings(file('dated.pem', pair.cert + pair.key));
      expect(found).toMatchObject([{ status: 'warning', message: expect.stringMatching(says) }]);
    }
  });

  it('warns of a key file that others can read', async () => {
    const path = file('open.pem', client.cert + client.key);
    chmodSync(path, 0o644);
    const { exit, found } = await findings(path);
    expect([exit, found[1]]).toEqual([
      0,
      {
        check: 'client_certificate',
        status: 'warning',
        message: `Others on this machine can read its key: ${path} has mode 644.`,
        hint: `Run: chmod 600 ${path}`,
      },
    ]);
  });
});
