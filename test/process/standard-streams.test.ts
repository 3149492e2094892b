/** Streams that are closed, full or slow: what could not be written is said, and the exit code tells what happened all the same. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ids } from '../../src/sandbox/world/ids.ts';
import { leaks } from '../support/canary.ts';
import { madeForAll } from '../support/fixtures.ts';
import { users } from '../support/guarded.ts';
import { homeForAll } from '../support/home.ts';
import { programFile, programWords } from '../support/program.ts';
import { answerText, rawServer } from '../support/raw-server.ts';

const token = 'c4nary-t0ken."a1\\b2"/c3';
const long = Array.from({ length: 400_000 }, (_, index) => `line ${index} of a long text\n`).join('');

/** More than a pipe holds, of every byte. */
const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 7919) >> 4));
const bytesHead = `HTTP/1.1 200 OK\r\ncontent-type: application/zip\r\ncontent-length: ${bytes.length}\r\n\r\n`;

const server = madeForAll(() =>
  rawServer((socket, request) => {
    const [, method = '', path = ''] = /^(\w+) (\S+)/.exec(request) ?? [];
    if (path === '/bytes') socket.write(Buffer.concat([Buffer.from(bytesHead, 'latin1'), bytes]));
    else if (path === '/long') socket.write(answerText(200, long, ['content-type: text/plain']));
    else if (path.includes('missing')) socket.write(answerText(404));
    else socket.write(method === 'GET' ? answerText(200, users) : answerText(204));
  }),
);
const home = homeForAll(() => ({ IIOT_BASE_URL: server.origin, IIOT_ORG: ids.root, IIOT_TOKEN: token }));

/** Runs a line of the shell that has the program with its words as "$@". */
async function shell(line: string, words: readonly string[]) {
  const command = ['/bin/bash', '-c', line, 'bash', programFile, ...programWords, ...words];
  const { exit, stdout, stderr } = await home.run(command);
  expect(leaks({ token }, [{ place: 'output', text: stdout + stderr }])).toEqual([]);
  return { exit, stdout, stderr };
}

const list = ['orgs', 'users', 'list'];
const change = ['devices', 'custom-info', 'set', 'press-1', 'line=3', '-o', 'json'];

describe.concurrent('a response that is not text', () => {
  it.each([
    ['a file', '"$@" > 1.zip', '1.zip'],
    ['a slow reader', '"$@" | { sleep 0.3; cat > 2.zip; }', '2.zip'],
    ['--output-file', '"$@" --output-file 3.zip', '3.zip'],
  ])('is passed on whole to %s', async (_, line, file) => {
    await shell(line, ['api', '/bytes']);
    expect(readFileSync(home.at(file)).equals(bytes)).toBe(true);
  });

  it('ends quietly when its reader goes away', async () => {
    const { exit, stderr } = await shell('"$@" | head -c 10 > /dev/null; exit ${PIPESTATUS[0]}', ['api', '/bytes']);
    expect([exit, stderr]).toEqual([0, '']);
  });
});

describe.skipIf(!existsSync('/dev/full')).concurrent('with a full disk,', () => {
  it.each([
    ['a list', list],
    ['a result of --jq', [...list, '--jq', '.']],
    ['a response of bytes', ['api', '/bytes']],
    ['a token', ['login', 'token']],
    ['the version', ['--version']],
    ['a help text', ['help', 'exit-codes']],
  ])('%s ends with 1, and the reason is shown', async (_, words) => {
    const { exit, stderr } = await shell('"$@" > /dev/full', words);
    expect([exit, stderr.split('\n')[0]]).toEqual([1, expect.stringMatching(/^error: .*could not be written/)]);
  });

  it('a change is reported as made', async () => {
    const { exit, stderr } = await shell('"$@" > /dev/full', change.with(3, 'press-full'));
    const message = expect.stringContaining('change itself was made (device press-full)');
    expect([exit, JSON.parse(stderr).error]).toMatchObject([1, { code: 'io', message }]);
    expect(server.requests.filter((request) => request.includes('press-full'))).toHaveLength(1);
  });
});

/** Ends of each kind. */
const ends: readonly (readonly [readonly string[], number])[] = [
  [list, 0],
  [change, 0],
  [['--version'], 0],
  [[...list, '--frobnicate'], 2],
  [['devices', 'custom-info', 'set', 'missing', 'a=b', '-o', 'json', '--debug'], 5],
];

describe.each(['2>&-', '2> /dev/full', '2>&1 | true; exit $PIPESTATUS', '>&- 2>&- <&-'])('with "%s"', (redirection) => {
  it('the exit code is the same as at a terminal', async () => {
    const runs = await Promise.all(ends.map(([words]) => shell(`"$@" ${redirection}`, words)));
    expect(runs.map(({ exit }) => exit)).toEqual(ends.map(([, exit]) => exit));
  });
});

it('a change is finished, and its exit code tells so, when its reader has gone', async () => {
  const runs = [change, ['devices', 'custom-info', 'set', 'missing', 'a=b', '-o', 'json']];
  const seen = await Promise.all(runs.map((words) => shell('"$@" | true; exit $PIPESTATUS', words)));
  expect(seen.map(({ exit }) => exit)).toEqual([0, 5]);
  expect(server.requests.filter((request) => request.startsWith('PUT')).length).toBeGreaterThan(1);
});

it('a large result reaches a slow reader whole', async () => {
  const { exit, stdout } = await shell('"$@" | (sleep 1; sha256sum)', ['api', 'GET', '/long', '--jq', '.']);
  expect([exit, stdout]).toEqual([0, `${createHash('sha256').update(`${long}\n`).digest('hex')}  -\n`]);
});
