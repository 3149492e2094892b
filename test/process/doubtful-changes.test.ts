/** Changes whose response is a fault, late or lost: test/commands/doubt.test.ts has every command and every fault. */
import { describe, expect, it } from 'vitest';
import { leaks } from '../support/canary.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { runHere } from '../support/here.ts';
import { runProgram } from '../support/program.ts';
import { answerText, type Behaviour, rawServer } from '../support/raw-server.ts';

const org = '0b0f2a1c-1111-4222-8333-444455556666';
const token = 'c4nary-t0ken."a1\\b2"/c3';
const keep = closedAfterEach();

/** One run against a platform of its own, whose requests are its changes alone; nothing that it writes holds the token. */
async function told(words: readonly string[], behaviour: Behaviour, run = runHere) {
  let changes = 0;
  const server = await keep(
    rawServer((socket, request) => {
      // The organization is gone, as is what is not listed.
      if (request.startsWith('GET '))
        socket.write(request.includes('/users') ? answerText(404) : answerText(200, '[]'));
      else behaviour(socket, request, ++changes);
    }),
  );
  const { exit, stdout, stderr } = await run([...words, '-o', 'json'], {
    env: { IIOT_BASE_URL: server.origin, IIOT_ORG: org, IIOT_TOKEN: token },
  });
  expect(leaks({ token }, [{ place: 'output', text: stdout + stderr }])).toEqual([]);
  const last = stderr.trimEnd().split('\n').at(-1) ?? '';
  return { exit, stdout, changes, stderr, error: exit === 0 ? undefined : JSON.parse(last).error };
}

const channel = ['channels', 'update', 'channel_7', '--disabled'];
const changes: Readonly<Record<string, readonly string[]>> = {
  policy: ['policies', 'update', 'aaaaaaaa-0000-4000-8000-000000000001', '--delay', '5'],
  channel,
  template: ['templates', 'update', 'template_42', '--name', 'Hot'],
  batch: ['batches', 'create', '--name', 'Nightly', '--cron', '0 0 2 * * ?', '--enabled', '--no-run-on-startup'],
};

it.each(Object.entries(changes))('a change of a %s is sent again after 429', async (_, words) => {
  const run = await told(words, (socket, _request, count) =>
    socket.write(count === 1 ? answerText(429) : answerText(200, '{}')),
  );
  expect([run.exit, run.changes]).toEqual([0, 2]);
});

it('a change waits as long as the platform asks for', async () => {
  const began = performance.now();
  const { exit, changes } = await told(
    channel,
    (socket, _, count) => socket.write(count === 1 ? answerText(429, '', ['Retry-After: 2']) : answerText(204)),
    runProgram,
  );
  expect([exit, changes, performance.now() - began > 2000]).toEqual([0, 2, true]);
});

describe.each([
  ['an organization', ['orgs', 'delete', org, '--org-name', 'Line 7']],
  ['a credential', ['credentials', 'delete', 'credential_9', '--yes']],
])('the deletion of %s', (_, words) => {
  it('succeeds when its repeat finds nothing', async () => {
    const run = await told(words, (socket, _request, count) =>
      count === 1 ? socket.resetAndDestroy() : socket.write(answerText(404)),
    );
    expect([run.exit, run.changes, JSON.parse(run.stdout)]).toEqual([0, 2, expect.objectContaining({ deleted: true })]);
    expect(run.stderr).toMatch(/already gone/);
  });

  it.each([
    ['at the first try', 404],
    ['after a 429', 429],
    ['after a 503 without a body', 503],
  ])('fails when nothing is found %s', async (_how, first) => {
    const { exit, stdout, error } = await told(words, (socket, _request, count) =>
      socket.write(answerText(count === 1 ? first : 404)),
    );
    expect([exit, stdout, error.code]).toEqual([5, '', 'not_found']);
  });
});
