/**
 * Addresses as people give them: which base URL is accepted, what plain http costs, and how far a path of `iiot api` may go.
 */
import { describe, expect, it } from 'vitest';
import { quoteForShell } from '../../src/text/shell-lines.ts';
import { leaks } from '../support/canary.ts';
import { closedAfterEach, madeForEach } from '../support/fixtures.ts';
import { folderForEach } from '../support/folder.ts';
import { guarded, org, secrets, users } from '../support/guarded.ts';
import { runOnNetwork } from '../support/here.ts';
import { always, answerText, rawServer } from '../support/raw-server.ts';
import { wordsOf } from '../support/words.ts';

const server = madeForEach(() => rawServer(always(200, users)));
const folder = folderForEach();
const keep = closedAfterEach();

const list = ['orgs', 'users', 'list', '-o', 'id', '--retries', '0'];
const path = `/api/v1/orgs/${org}/users?maxResultCount=1000`;
const asked = () => server.requests.map((request) => request.split(' ')[1]);

describe('a base URL', () => {
  it.each([
    ['with many slashes at its end', 'http://127.0.0.1:PORT///', path],
    ['with a path', 'http://127.0.0.1:PORT/iiot/', `/iiot${path}`],
    ['with dots in its path', 'http://127.0.0.1:PORT/a/../iiot', `/iiot${path}`],
    ['in capitals', 'HTTP://LOCALHOST:PORT/IIoT', `/IIoT${path}`],
    ['with blanks around it', ' http://127.0.0.1:PORT ', path],
    ['with a number as its host', 'http://2130706433:PORT', path],
  ])('%s is accepted', async (_, text, wanted) => {
    const { exit, stderr } = await guarded([...list, '--base-url', text.replace('PORT', String(server.port))]);
    expect({ exit, stderr, asked: asked() }).toEqual({ exit: 0, stderr: '', asked: [wanted] });
  });

  it.each([
    ['of an IPv6 host', 'https://[::1]:1', 'https://[::1]:1'],
    ['of an IPv6 host over plain http', 'http://[::1]:1', 'http://[::1]:1'],
    ['with letters of another alphabet', 'https://b\u00fccher.localhost:1', 'https://xn--bcher-kva.localhost:1'],
    ['with its own port', 'https://LOCALHOST:443/x', 'https://localhost'],
  ])('%s is shown as its origin when it cannot be reached', async (_, text, origin) => {
    const { exit, stderr } = await guarded([...list, '--base-url', text]);
    expect([exit, stderr]).toEqual([8, expect.stringContaining(`Cannot reach ${origin}`)]);
  });

  it.each([
    ['with a user and a password', `https://ada:${secrets.proxyPassword}@127.0.0.1:PORT`, 'a user or a password'],
    ['with a token in its query', `http://127.0.0.1:PORT/?token=${secrets.token}`, 'a query or a fragment'],
    ['with a token in its fragment', `http://127.0.0.1:PORT/#${secrets.token}`, 'a query or a fragment'],
    ['of a file', 'file:///etc/passwd', 'must start with https'],
    ['without a scheme', 'localhost:PORT', 'as in http://localhost:PORT.'],
    ['that is a token', secrets.token, 'must be a URL'],
    ['with a blank in its host', 'https://exa mple', 'must be a URL'],
  ])('%s is refused without showing a secret', async (_, text, why) => {
    const port = String(server.port);
    const { exit, stdout, stderr } = await guarded([...list, '--base-url', text.replace('PORT', port)]);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toContain(why.replace('PORT', port));
    expect(server.connections()).toBe(0);
  });
});

describe('plain http', () => {
  it.each([
    'http://10.0.0.1',
    'http://0.0.0.0:PORT',
    'http://[::ffff:127.0.0.1]:PORT',
    'http://127.0.0.1.evil.test',
    'http://localhost.evil.test',
  ])('to %s is refused', async (text) => {
    const base = text.replace('PORT', String(server.port));
    const { exit, stderr } = await guarded([...list, '--base-url', base]);
    expect([exit, ...stderr.split('\n')]).toEqual([
      2,
      expect.stringContaining(`${new URL(base).origin} is plain http, `),
      `hint: Use https or, if you must: iiot profiles set default baseUrl=${quoteForShell(new URL(base).origin)} allowHttp=true`,
      '',
    ]);
    expect(server.connections()).toBe(0);
  });

  it.each([
    ['a person', 'login --tenant acme --app console --account ada --password-stdin', secrets.password, 'password'],
    ['a machine', 'login m2m --client-id robot --client-secret-stdin', secrets.clientSecret, 'client secret'],
  ])('allowed by a profile prints a warning at each login of %s', async (_, line, input, secret) => {
    // It would leave this machine, so it goes through a proxy here, which gives no login.
    const proxy = await keep(rawServer((socket) => socket.end(answerText(404))));
    const env = { HTTP_PROXY: proxy.origin, IIOT_CONFIG_DIR: folder.at('iiot') };
    await runOnNetwork(wordsOf('profiles set default allowHttp=true baseUrl=http://platform.test'), { env });
    for (const count of [1, 2]) {
      const { exit, stderr } = await runOnNetwork(wordsOf(line), { env, input });
      expect([exit, stderr.split('\n')[0], proxy.requests.length]).toEqual([
        5,
        `The connection to http://platform.test is not encrypted: anyone on the network can read the ${secret}.`,
        count,
      ]);
      expect(leaks(secrets, [{ place: 'stderr', text: stderr }])).toEqual([]);
    }
  });
});

it('a list follows no link to a next page in its responses', async () => {
  const evil = await keep(rawServer());
  const { origin, requests } = await keep(
    rawServer((socket, _, count) => {
      const next = `${evil.origin}/next`;
      const links = {
        next,
        nextLink: next,
        '@odata.nextLink': next,
        nextPageUrl: next,
        _links: { next: { href: next } },
      };
      const items = Array.from({ length: 10 }, (_, at) => ({ userId: `u${count}-${at}` }));
      const body = JSON.stringify({ totalCount: 20, items, ...links, links: { next } });
      socket.write(answerText(200, body, [`link: <${next}>; rel="next"`]));
    }),
  );
  const words = wordsOf('orgs users list --all --page-size 10 -o id --debug');
  const { exit, stdout } = await guarded(words, { env: { IIOT_BASE_URL: origin } });
  expect([exit, stdout.trim().split('\n').length, requests.length, evil.connections()]).toEqual([0, 20, 2, 0]);
});

describe('a path of iiot api', () => {
  it.each([
    'http://evil.test/x',
    'https://127.0.0.1:PORT/x',
    'http://127.0.0.1:1/x',
    'http://localhost:PORT/x',
    '//evil.test/x',
    '///evil.test/x',
    '\\\\evil.test\\x',
    '/\\evil.test/x',
    'http:\\\\evil.test',
    'http:evil.test/x',
    ' //evil.test',
    'http://127.0.0.1:PORT@evil.test/x',
    `http://ada:${secrets.proxyPassword}@127.0.0.1:PORT/x`,
    `https://evil.test/x?token=${secrets.token}`,
    ' http://evil.test/x',
    '\thttp://evil.test/x',
    'javascript:alert(1)',
    'file:///etc/passwd',
    '/prefix/../../x',
    '/%2e%2e/x',
    '..',
    'http://127.0.0.1:PORT/other/x',
  ])('%j is refused when it leads out of the base URL', async (text) => {
    const word = text.replace('PORT', String(server.port));
    const { exit, stdout, stderr } = await guarded(['api', 'GET', word, '--base-url', `${server.origin}/prefix`]);
    expect({ exit, stdout, hint: stderr.split('\n')[1] }).toEqual({
      exit: 2,
      stdout: '',
      hint: 'hint: Give a path that starts with a single /',
    });
    expect(server.connections()).toBe(0);
  });
});
