/** Which host gets what: redirects, links and forms that lead elsewhere get nothing, from any command. */
import { afterEach, describe, expect, it } from 'vitest';
import { closedAfterEach, madeForEach } from '../support/fixtures.ts';
import { answerText, type Behaviour, type RawServer, rawServer } from '../support/raw-server.ts';
import { wordsOf } from '../support/words.ts';
import { guardedHere, org, secrets } from './guarded.ts';

const evil = madeForEach(() => rawServer());
const keep = closedAfterEach();
let server: RawServer;
afterEach(() => expect(evil.connections()).toBe(0));

async function serve(behaviour: Behaviour): Promise<void> {
  server = await keep(rawServer(behaviour));
}

const run = (words: readonly string[], env = {}, input = '') =>
  guardedHere([...words, '--retries', '0', '--debug'], { env: { IIOT_BASE_URL: server.origin, ...env }, input });
const lineOf = (request: string) => request.split(' HTTP/')[0];

it('a list follows no link to a next page in its responses', async () => {
  await serve((socket) => {
    const next = `${evil.origin}/next`;
    const names = ['next', 'nextLink', '@odata.nextLink', 'nextPageUrl'];
    const links = Object.fromEntries(names.map((name) => [name, next]));
    const items = Array.from({ length: 10 }, (_, at) => ({ userId: `u${server.requests.length}-${at}` }));
    const body = { totalCount: 20, items, ...links, links: { next }, _links: { next: { href: next } } };
    socket.write(answerText(200, JSON.stringify(body), [`link: <${next}>; rel="next"`]));
  });
  const { exit, stdout } = await run(['orgs', 'users', 'list', '--all', '--page-size', '10', '-o', 'id']);
  expect([exit, stdout.trim().split('\n').length]).toEqual([0, 20]);
  expect(server.requests.map(lineOf)).toEqual(
    [0, 10].map((skip) => expect.stringContaining(`GET /api/v1/orgs/${org}/users?${skip ? `skipCount=${skip}` : ''}`)),
  );
});

describe('a login', () => {
  const login = wordsOf('login --tenant acme --app console --account ada@factory.example --password-stdin');
  const logIn = () => run(login, {}, secrets.password);
  const cookie = 'set-cookie: Identity.Permission=permission-CANARY; Path=/';
  const location = (place: string) => `location: ${place}/identity/login?tenantId=tenant-1`;

  /** The answers of the steps, of which the last is said again. */
  function steps(...answers: readonly string[]): Promise<void> {
    return serve((socket, _, count) => socket.write(answers[Math.min(count, answers.length) - 1] ?? ''));
  }
  const page = (action: string) =>
    `<form method="post" action="${action}"><input type="hidden" name="code" value="code-CANARY"><input type="hidden" name="state" value="state-CANARY"></form>`;
  const html = ['content-type: text/html'];

  it('does not contact the host of its first redirect', async () => {
    await steps(
      answerText(302, '', [location(evil.origin)]),
      answerText(200, '{}', [cookie]),
      answerText(200, page('/x'), html),
      answerText(500),
    );
    const { exit, stderr } = await logIn();
    expect([exit, server.requests.length]).toEqual([8, 4]);
    expect(stderr).toContain('Step 4 of the login failed: the platform answered 500');
  });

  it.each([307, 308])('does not send the password to where a %i leads', async (status) => {
    const elsewhere = answerText(status, '', [cookie, `location: ${evil.origin}/login`]);
    await steps(answerText(302, '', [location('')]), elsewhere);
    const { exit, stderr } = await logIn();
    expect([exit, server.requests.length]).toEqual([8, 2]);
    expect(stderr).toContain(
      `error: Step 2 of the login failed: the platform redirects the request with the password, which is never sent elsewhere.`,
    );
  });

  it.each(['EVIL/collect', 'http://localhost:OWN/collect', 'error: http://127.0.0.1:OWN@HOST/collect'])(
    'does not send its code to %s',
    async (text) => {
      const action = () =>
        text
          .replace('EVIL', evil.origin)
          .replace('HOST', new URL(evil.origin).host)
          .replace('OWN', String(server.port));
      await serve((socket, _, count) =>
        socket.write(
          [answerText(302, '', [location('')]), answerText(200, '{}', [cookie]), answerText(200, page(action()), html)][
            count - 1
          ] ?? answerText(500),
        ),
      );
      const { exit, stderr } = await logIn();
      expect([exit, server.requests.length]).toEqual([8, 3]);
      expect(stderr).toContain('Step 3 of the login failed: ');
      expect(stderr).not.toMatch(/(code|state|permission)-CANARY/);
    },
  );
});
