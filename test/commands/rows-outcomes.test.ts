import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/failure.ts';
import { closedAfterEach, personsForEach } from '../support/fixtures.ts';
import { folderForEach } from '../support/folder.ts';
import { answerText, type Behaviour, rawServer } from '../support/raw-server.ts';
import { tokenOnly } from './device-requests.ts';
import { stepsIn } from './journal-steps.ts';

const { at, write, read, names } = folderForEach();
const keep = closedAfterEach();
const newPerson = personsForEach();
const policy = (last: number) => `aaaaaaaa-0000-4000-8000-00000000000${last}`;

/** The second of three rows has the number 2 in what is sent. */
const kinds = {
  PATCH: {
    words: ['policies', 'update'],
    text: `alertPolicyId,delay\n${[1, 2, 3].map((row) => `${policy(row)},${row}\n`).join('')}`,
    second: '"delay":2',
  },
  POST: {
    words: ['batches', 'create'],
    text: `Name,cron,enabled,run-on-startup\n${[1, 2, 3].map((row) => `n${row},0 0 2 * * ?,yes,no\n`).join('')}`,
    second: '"n2"',
  },
} as const;

const journal = () => stepsIn(read('a.csv.iiot-journal'));

/** A run of rows against a server of the test, and the same again: what is sent of the second row, and the end. */
async function open(method: keyof typeof kinds, behaviour: Behaviour) {
  const { words, text, second } = kinds[method];
  let tries = 0;
  const server = await keep(
    rawServer((socket, request, count) =>
      request.includes(second) ? behaviour(socket, request, ++tries) : socket.write(answerText(200, '{}')) && count,
    ),
  );
  const someone = newPerson({ fetch: 'network', env: { ...tokenOnly.env, IIOT_BASE_URL: server.origin } });
  const file = write('a.csv', text);
  const where = `--base-url ${server.origin} --org 11111111-1111-4111-8111-111111111111`;
  const run = async (...more: readonly string[]) => {
    const own = ['--yes', '-o', 'ndjson', '--concurrency', '1', '--request-timeout', '10m'];
    const { exit, stdout, stderr } = await someone.iiot([...words, '--rows', file, ...own, ...more]);
    const rows = stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
    const hint = exit === 0 ? undefined : JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error.hint;
    return {
      exit,
      statuses: rows.map(({ status }) => status),
      error: rows.find(({ line }) => line === 3)?.error?.message,
      hint,
      tries,
      requests: server.requests.length,
    };
  };
  return Object.assign(run, { where });
}

describe.each(['PATCH', 'POST'] as const)('a row that is sent by %s', (method) => {
  it.each([
    ['503 without a body', answerText(503)],
    ['429', answerText(429, '', ['retry-after: 0'])],
  ])('is sent again after %s', async (_, answer) => {
    const run = await open(method, (socket, _, count) => socket.write(count < 3 ? answer : answerText(200, '{}')));
    expect(await run()).toMatchObject({ exit: 0, tries: 3, requests: 5 });
  });

  it('fails if it is refused, and is sent again by --resume', async () => {
    const run = await open(method, (socket, _, count) => socket.write(answerText(count === 1 ? 409 : 200, '{}')));
    expect(await run()).toMatchObject({ exit: 9, error: expect.any(String), tries: 1 });
    expect(journal().filter((line) => line.endsWith('2'))).toEqual(['sent 2', 'open 2']);
    expect(await run('--resume')).toMatchObject({ exit: 0, tries: 2 });
  });

  it('is sent when a platform that was down is back', async () => {
    const got: string[] = [];
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const bytes of request) body += bytes;
      got.push(body);
      response.setHeader('connection', 'close').end('{}');
      if (got.length > 1) return;
      const { port } = server.address() as AddressInfo; // it listens
      server.close(() => setTimeout(() => server.listen(port, '127.0.0.1'), 10));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // it listens
    const someone = newPerson({
      fetch: 'network',
      env: { ...tokenOnly.env, IIOT_BASE_URL: `http://127.0.0.1:${port}` },
    });
    const { words, text } = kinds[method];
    const own = ['--yes', '--concurrency', '1', '--retries', '100'];
    const { exit, stderr } = await someone.iiot([...words, '--rows', write('a.csv', text), ...own]);
    server.close();
    expect({ exit, stderr, sent: got.length, different: new Set(got).size }).toEqual({
      exit: 0,
      stderr: expect.stringMatching(/^3 rows: 3 done .*\n$/),
      sent: 3,
      different: 3,
    });
  });
});

describe('a row of unknown outcome that was sent by PATCH', () => {
  const method = 'PATCH';

  it.each<[string, number | undefined, Behaviour, RegExp]>([
    [
      'a failure',
      500,
      (socket) => socket.write(answerText(500, '{"error":{"message":"An internal error occurred"}}')),
      /^An internal error occurred.* The change may have been applied\.$/,
    ],
    [
      'a connection that is cut',
      undefined,
      (socket) => socket.resetAndDestroy(),
      / The change may have been applied\.$/,
    ],
    [
      'a success without valid JSON',
      200,
      (socket) => socket.write(answerText(200, '{"a": yes}')),
      / cannot be read as JSON\. The change may have been applied\.$/,
    ],
  ])('is sent again after %s only with --repeat-unknown', async (_, status, behaviour, error) => {
    const once: Behaviour = (socket, request, count) =>
      count === 1 ? behaviour(socket, request, count) : socket.write(answerText(200, '{}'));
    const run = await open(method, once);
    const line = `--rows ${at('a.csv')} --concurrency 1 --resume ${run.where} --request-timeout 10m`;
    const look = expect.stringMatching(`--repeat-unknown .*: iiot policies update ${line}$`);
    expect(await run()).toEqual({
      exit: 9,
      statuses: expect.arrayContaining(['done', 'unknown', 'done']),
      error: expect.stringMatching(error),
      hint: look,
      tries: 1,
      requests: 3,
    });
    expect(journal().filter((line) => line.split(' ')[1] === '2')).toEqual(
      status === undefined ? ['sent 2'] : ['sent 2', `unknown 2 ${status}`],
    );
    const sentBefore =
      status === undefined
        ? 'sent by an earlier run, which ended before a readable response came'
        : `sent by an earlier run, and answered with ${status}: it may have been applied`;
    for (const _again of [1, 2])
      expect(await run('--resume')).toEqual({
        exit: 9,
        statuses: ['skipped', 'unknown', 'skipped'],
        error: sentBefore,
        hint: look,
        tries: 1,
        requests: 3,
      });
    expect(await run()).toMatchObject({ exit: 2, tries: 1, requests: 3 });
    expect(await run('--resume', '--repeat-unknown')).toMatchObject({ exit: 0, tries: 2, requests: 4 });
    expect(await run('--resume')).toMatchObject({ exit: 0, statuses: ['skipped', 'skipped', 'skipped'], tries: 2 });
  });

  it('is in a file beside --failed-file until it succeeds', async () => {
    let status = 500;
    const run = await open(method, (socket) => socket.write(answerText(status, '{}')));
    const failed = ['--failed-file', at('failed.csv')];
    const left = () => names().filter((name) => name.startsWith('failed'));
    const [head, , second] = kinds[method].text.split('\n');
    for (const again of [[], ['--resume'], ['--resume', '--repeat-unknown']]) {
      const hint = expect.stringContaining(`The rows of unknown outcome are in ${at('failed.unknown.csv')}. Check`);
      expect(await run(...failed, ...again)).toMatchObject({ exit: 9, hint });
      expect([left(), read('failed.unknown.csv')]).toEqual([['failed.unknown.csv'], `\ufeff${head}\n${second}\n`]);
    }
    status = 200;
    expect([(await run(...failed, '--resume', '--repeat-unknown')).exit, left()]).toEqual([0, []]);
  });

  it('stays unknown if its repeat is answered with 429 for too long', async () => {
    const run = await open(method, (socket, _, count) =>
      socket.write(count === 1 ? answerText(500) : answerText(429, '', ['retry-after: 100'])),
    );
    expect(await run()).toMatchObject({ exit: 9, tries: 1 });
    expect(await run('--resume', '--repeat-unknown')).toMatchObject({
      exit: 8,
      statuses: expect.arrayContaining(['unknown']),
    });
    expect(await run('--resume')).toMatchObject({ exit: 9, tries: 2 });
  });
});

describe('a row with a unique name that is sent by POST', () => {
  it('is done if its repeat finds what the try without a response created', async () => {
    const run = await open('POST', (socket, _, count) =>
      count === 1 ? socket.resetAndDestroy() : socket.write(answerText(409)),
    );
    expect(await run()).toMatchObject({ exit: 0, statuses: ['done', 'done', 'done'], tries: 2 });
    expect(await run('--resume')).toMatchObject({ exit: 0, tries: 2 });
  });

  it('is unknown if its repeat finds the name after a 503 without a body', async () => {
    const run = await open('POST', (socket, _, count) => socket.write(answerText(count === 1 ? 503 : 409)));
    expect(await run()).toMatchObject({ exit: 9, statuses: expect.arrayContaining(['unknown']), tries: 2 });
  });

  it('is sent again by --resume if its outcome stays unknown', async () => {
    const run = await open('POST', (socket, _, count) => socket.write(answerText(count < 7 ? 500 : 409)));
    expect(await run()).toMatchObject({ exit: 9, statuses: expect.arrayContaining(['unknown']), tries: 6 });
    expect(await run('--resume')).toMatchObject({ exit: 0, statuses: expect.arrayContaining(['done']), tries: 7 });
  });
});

it('a run of rows says that it waits, even without a terminal', async () => {
  const server = await keep(rawServer((socket) => socket.write(answerText(429, '', ['retry-after: 50']))));
  const someone = newPerson({ fetch: 'network', env: { ...tokenOnly.env, IIOT_BASE_URL: server.origin } });
  const stop = new AbortController();
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      if (/^Waiting \d+ s: the platform asks for fewer requests; --rate limits them from the start\.$/m.test(chunk))
        stop.abort(new Failure('interrupted', 'Stopped by SIGINT.'));
      done();
    },
  });
  const words = ['policies', 'update', '--yes', '--rows', write('a.csv', kinds.PATCH.text)];
  expect((await someone.iiot(words, { stderr, interrupt: stop.signal })).exit).toBe(130);
});

it('a DELETE without a response is done if the list of credentials shows it', async () => {
  const tries = new Map<string, number>();
  const server = await keep(
    rawServer((socket, request) => {
      const listed = [{ clientCredentialId: 'own', clientId: 'credential_3' }];
      if (request.startsWith('GET')) return socket.write(answerText(200, JSON.stringify(listed)));
      const id = /credential_\d/.exec(request)?.[0] ?? '';
      tries.set(id, (tries.get(id) ?? 0) + 1);
      if (id === 'credential_1') return socket.write(answerText(404));
      if (tries.get(id) === 1) return socket.resetAndDestroy();
      return socket.write(answerText(404));
    }),
  );
  const someone = newPerson({ fetch: 'network', env: { ...tokenOnly.env, IIOT_BASE_URL: server.origin } });
  const file = write('a.csv', 'clientCredentialId\ncredential_1\ncredential_2\ncredential_3\n');
  const words = ['credentials', 'delete', '--rows', file, '--yes', '-o', 'json', '--concurrency', '1'];
  const { exit, stdout, stderr } = await someone.iiot(words);
  const { done, failures } = JSON.parse(stdout);
  expect([exit, done, failures.map((each: { clientCredentialId: string }) => each.clientCredentialId)]).toEqual([
    9,
    1,
    ['credential_1', 'credential_3'],
  ]);
  expect(failures[1].error.message).toMatch(/^credential_3 is the clientId .* own\. Nothing was deleted\.$/);
  const found = / Looked up in .* at \S+Z: the change was applied \(client credential credential_2\)\.$/;
  expect(JSON.parse(stderr).error.notices).toEqual([expect.stringMatching(found)]);
  // One list tells whether an ID that was not found is a clientId.
  expect(Object.fromEntries(tries)).toMatchObject({ credential_1: 1, credential_2: 1, credential_3: 2 });
});

describe('a run of rows', () => {
  const rows = (count: number) =>
    `alertPolicyId,delay\n${Array.from({ length: count }, (_, at) => `aaaaaaaa-0000-4000-8000-${String(at).padStart(12, '0')},${at}\n`).join('')}`;
  const update = ['policies', 'update', '--yes', '-o', 'json'];
  const countsOf = (stdout: string) => {
    const { done, failed, unknown, notSent } = JSON.parse(stdout);
    return { done, failed, unknown, notSent };
  };

  it.each([
    ['503', 8],
    ['400', 3],
  ])('sends no row without a token (HTTP %s), and all of them with --resume', async (status, exit) => {
    let [renewals, isWell] = [0, false];
    const token = () => new Response('{"access_token":"a-token-of-a-machine","expires_in":3600}');
    const someone = newPerson({
      fetch: async (url) => {
        if (!url.endsWith('/connect/token')) return new Response('', { status: isWell ? 200 : 401 });
        renewals += 1;
        return isWell || renewals === 1 ? token() : new Response('', { status: Number(status) });
      },
    });
    const line = [...update, '--rows', write('a.csv', rows(20)), '--concurrency', '1'];
    const ran = await someone.iiot(line);
    expect([ran.exit, countsOf(ran.stdout)]).toEqual([exit, { done: 0, failed: 0, unknown: 0, notSent: 20 }]);
    isWell = true;
    const next = await someone.iiot([...line, '--resume']);
    expect([next.exit, countsOf(next.stdout)]).toEqual([0, { done: 20, failed: 0, unknown: 0, notSent: 0 }]);
  });

  it('counts with --resume --dry-run the rows that it does not show', async () => {
    let answers = 0;
    const fetch = async () => new Response('{}', { status: [200, 500, 400][answers++] ?? 200 });
    const someone = newPerson({ ...tokenOnly, fetch });
    const line = [...update, '--concurrency', '1', '--rows', write('a.csv', rows(3))];
    const dry = [...line, '--resume', '--dry-run'];
    const none = await someone.iiot(dry);
    expect([none.exit, none.stderr]).toEqual([2, expect.stringContaining('No journal at ')]);
    expect((await someone.iiot(line)).exit).toBe(9);
    const journal = read('a.csv.iiot-journal');
    for (const [more, note, left] of [
      [[], 'Note: 1 row done and 1 row of unknown outcome, not shown.', [4]],
      [['--repeat-unknown'], 'Note: 1 row done, not shown.', [3, 4]],
    ] as const) {
      const { exit, stdout, stderr } = await someone.iiot([...dry, ...more]);
      const shown = JSON.parse(stdout).map((row: { line: number }) => row.line);
      expect([exit, shown, stderr]).toEqual([0, left, expect.stringContaining(note)]);
    }
    expect([read('a.csv.iiot-journal'), answers]).toEqual([journal, 3]);
  });

  it.each([
    ['a change', update],
    ['an import', ['devices', 'custom-info', 'import', '--yes', '-o', 'json']],
  ])('has nothing to continue if it is interrupted after the last response to %s', async (_, command) => {
    const stop = new AbortController();
    const fetch = async () => {
      if (someone.sent.length === 3) stop.abort(new Failure('interrupted', 'Stopped by SIGINT.'));
      return Response.json({});
    };
    const someone = newPerson({ ...tokenOnly, fetch });
    const isImport = command !== update;
    const file = write('a.csv', isImport ? 'deviceId,a\nd-1,1\nd-2,2\nd-3,3\n' : rows(3));
    const line = [...command, ...(isImport ? [file] : ['--rows', file])];
    const { exit, stdout, stderr } = await someone.iiot(line, { interrupt: stop.signal });
    expect([exit, countsOf(stdout)]).toEqual([130, { done: 3, failed: 0, unknown: 0, notSent: 0 }]);
    const { message, hint } = JSON.parse(stderr).error;
    expect([message, hint]).toEqual([expect.stringMatching(/^Interrupted after .*: 3 of 3 rows done\.$/), null]);
    expect(await someone.iiot(line)).toMatchObject({ exit: 0 });
  });

  it('stops after three rows of unknown outcome', async () => {
    const someone = newPerson({ ...tokenOnly, fetch: async () => new Response('', { status: 502 }) });
    const { exit, stdout, stderr } = await someone.iiot([...update, '--rows', write('a.csv', rows(60))]);
    expect(countsOf(stdout)).toEqual({ done: 0, failed: 0, unknown: 3, notSent: 57 });
    expect([exit, someone.requests.length]).toEqual([8, 3]);
    expect(stderr).toContain('Stopped to avoid more of them.');
  });

  it.each([
    ['a right that was taken away', 403, 'You may not', 4],
    ['an organization that was deleted', 404, 'Organization 1 not found', 5],
  ])('stops at the tenth failure in a row for %s', async (_, status, message, exit) => {
    let answers = 0;
    const fetch = async () => (++answers > 5 ? Response.json({ message }, { status }) : Response.json({}));
    const someone = newPerson({ ...tokenOnly, fetch });
    const words = [...update, '--concurrency', '1', '--rows', write('a.csv', rows(60))];
    const ended = await someone.iiot(words);
    expect([ended.exit, countsOf(ended.stdout)]).toEqual([exit, { done: 5, failed: 10, unknown: 0, notSent: 45 }]);
    answers = -100;
    expect(await someone.iiot([...words, '--resume'])).toMatchObject({ exit: 0 });
  });
});
