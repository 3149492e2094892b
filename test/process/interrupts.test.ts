/** Two Ctrl-C end every command, whatever a file or a platform has given it to work on. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ids } from '../../src/sandbox/world/ids.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { homeForEach } from '../support/home.ts';
import { answerText, type Behaviour, rawServer } from '../support/raw-server.ts';
import { until } from '../support/waiting.ts';

const home = homeForEach(() => ({ IIOT_TOKEN: 'token-0123456789', IIOT_ORG: ids.root }));
const keep = closedAfterEach();

/** A platform on loopback: its address, and what waits for so many requests. */
async function platform(behaviour: Behaviour, count = 1) {
  const server = await keep(rawServer(behaviour));
  return { url: server.origin, asked: () => until('it is asked', () => server.requests.length >= count) };
}

type Running = ReturnType<typeof home.begin>;

/** Sends two signals once a command is at work; it would go on for ten minutes. */
async function endsByTwo(words: readonly string[], isAtWork: () => Promise<unknown>): Promise<void> {
  const running = home.begin([...words, '--request-timeout', '10m']);
  await isAtWork();
  await sleep(300);
  await interrupted(running);
}

async function interrupted(running: Running): Promise<void> {
  running.child.kill('SIGINT');
  await sleep(200);
  running.child.kill('SIGINT');
  const { exit, signal } = await running.ended;
  expect([130, 'SIGINT']).toContain(signal ?? exit);
}

describe('two SIGINTs end', () => {
  it('a pull of an endless list with contents full of brackets', async () => {
    let page = 0;
    const { url, asked } = await platform((socket) => {
      page += 1;
      const content = '['.repeat(5000);
      const items = [...Array(100).keys()].map((index) => ({ templateId: `t${page}-${index}`, content }));
      setTimeout(() => socket.write(answerText(200, JSON.stringify({ items, totalCount: 1e9 }))), 50);
    });
    await endsByTwo(['templates', 'pull', 'x', '--base-url', url], asked);
  });

  it('a comparison with a thousand files of hostile front matter', async () => {
    for (let file = 0; file < 1000; file += 1)
      home.file(`templates/${file}.md`, `---\ntemplateId: t${file}\na: ${'!x '.repeat(2000)}\n---\n`);
    const { url } = await platform(() => {});
    await endsByTwo(['templates', 'diff', 'templates', '--base-url', url], () => sleep(500));
  });

  it('an import that is never answered', async () => {
    home.file('fleet.csv', `deviceId,line\n${'press-1,2\npress-2,3\n'.repeat(100)}`);
    const { url, asked } = await platform(() => {});
    await endsByTwo(['devices', 'custom-info', 'import', '--yes', 'fleet.csv', '--base-url', url], asked);
  });

  it('a preview of a template with three million brackets', async () => {
    home.file('templates/a.md', `---\ntemplateId: a\n---\n${'['.repeat(3_000_000)}`);
    const running = home.begin(['templates', 'preview', 'templates', '--serve']);
    while (!running.stdout().includes('\n')) await sleep(20);
    const body = JSON.stringify({ file: 'a.md', values: {} });
    const headers = { 'content-type': 'application/json' };
    const url = new URL('render', running.stdout().trim());
    const asked = [1, 2, 3].map(() => fetch(url, { method: 'POST', headers, body }).catch(() => undefined));
    await asked[0];
    await interrupted(running);
    await Promise.all(asked);
  });
});

it('one SIGINT ends a --jq expression that never ends', async () => {
  const { url, asked } = await platform((socket) => socket.write(answerText(200, '{"items":[],"totalCount":0}')));
  const running = home.begin(['orgs', 'users', 'list', '--base-url', url, '--jq', 'def f: f; f']);
  await asked();
  await sleep(700);
  running.child.kill('SIGINT');
  const { exit, signal } = await running.ended;
  expect([130, 'SIGINT']).toContain(signal ?? exit);
});

it('one SIGINT ends a list as csv after the rows that have come', async () => {
  const { url, asked } = await platform((socket, request) => {
    if (request.includes('skipCount=')) return;
    const items = Array.from({ length: 1000 }, (_, at) => ({ userId: `u${at + 1}`, name: 'Ada', orgRole: 'viewer' }));
    socket.write(answerText(200, JSON.stringify({ items, totalCount: 1500 })));
  }, 2);
  const running = home.begin(['orgs', 'users', 'list', '-o', 'csv', '--base-url', url]);
  await asked();
  running.child.kill('SIGINT');
  expect(await running.ended).toEqual({ exit: 130, signal: null });
  expect(running.stderr()).toContain('1,000 of 1,500 users');
  expect(running.stdout().split('\r\n').length).toBe(1002);
  expect(running.stdout()).toMatch(/^userId,name,orgRole\r\nu1,Ada,viewer\r\n/);
});
