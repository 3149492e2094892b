/** A pull and a push that are killed in the middle: nothing is half-written, and the next one ends what was begun. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startServer } from '../../src/sandbox/server.ts';
import { ids } from '../../src/sandbox/world/ids.ts';
import { madeForAll } from '../support/fixtures.ts';
import { homeForEach, machineOf } from '../support/home.ts';
import { until } from '../support/waiting.ts';

/** IIOT_TEST_LONG=1 is the full proof, of more templates and more moments. */
const long = process.env.IIOT_TEST_LONG === '1';
const count = long ? 120 : 40;
/** One for all: what was pulled belongs to its address. */
const server = madeForAll(() => startServer({ latency: 5 }));
const home = homeForEach(() => machineOf(server));
let dir: string;
/** What every test begins with: all templates, pulled. */
let pulled = '';

beforeEach(async () => {
  dir = home.at('templates');
  store('one');
  if (pulled === '') {
    expect((await iiot('pull')).exit).toBe(0);
    pulled = mkdtempSync(join(tmpdir(), 'iiot-test-'));
    cpSync(dir, pulled, { recursive: true });
  } else cpSync(pulled, dir, { recursive: true });
});
afterAll(() => rmSync(pulled, { recursive: true, force: true }));

/** Content of a version: long, so that writing it takes its time. */
const textOf = (version: string) => `${version}\n${'x'.repeat(long ? 20_000 : 5000)}\n${version}`;
const files = () => readdirSync(dir).filter((name) => name.endsWith('.txt'));
const contentOf = (name: string) => readFileSync(join(dir, name), 'utf8').split('\n---\n')[1];
const stored = () => [...server.platform.world.templates.values()];

function store(version: string): void {
  const { templates } = server.platform.world;
  templates.clear();
  for (let at = 0; at < count; at += 1) {
    const templateId = `template_${at}`;
    const facts = { orgId: ids.root, name: templateId, subject: '', channelTypes: [], tags: [] };
    templates.set(templateId, { templateId, ...facts, content: textOf(version) });
  }
}

const iiot = (verb: string, ...words: string[]) => home.iiot(['templates', verb, dir, ...words]);

/** Kills a command once so much of it is done, and waits until it is gone. */
async function killed(words: readonly string[], isFarEnough: () => boolean): Promise<void> {
  const { child, ended } = home.begin(['templates', ...words]);
  await until(`${words[0]} is far enough`, isFarEnough);
  child.kill('SIGKILL');
  await ended;
}

const whole = [textOf('one'), textOf('two')];
function editAll(): void {
  for (const name of files())
    writeFileSync(join(dir, name), readFileSync(join(dir, name), 'utf8').replaceAll('one', 'two'));
}
const newFiles = () => files().filter((name) => contentOf(name) === textOf('two')).length;
const newTemplates = () => stored().filter(({ content }) => content === textOf('two')).length;

describe('killed in the middle,', () => {
  it.each(long ? [1, 20, 60, 100] : [1, 20])(
    'a pull leaves whole files, and the next one has no conflict, after %i files',
    async (enough) => {
      store('two');
      await killed(['pull', dir], () => newFiles() >= enough);
      for (const name of files()) expect(whole.includes(contentOf(name) ?? ''), name).toBe(true);
      JSON.parse(readFileSync(join(dir, '.iiot/templates.json'), 'utf8'));
      const { exit, stderr } = await iiot('pull', '-q');
      expect([exit, stderr, newFiles()]).toEqual([0, '', count]);
      expect(readdirSync(dir).filter((name) => name.startsWith('.'))).toEqual(['.iiot']);
    },
  );

  it('a first pull is resumed', async () => {
    rmSync(dir, { recursive: true });
    await killed(['pull', dir], () => {
      try {
        return files().length > 10;
      } catch {
        return false; // not there yet
      }
    });
    expect((await iiot('pull')).exit).toBe(0);
    expect([files().length, (await iiot('diff')).exit]).toEqual([count, 0]);
  });

  it('a push leaves whole templates and a whole record, and the next one sends the rest', async () => {
    editAll();
    await killed(['push', dir, '--yes'], () => newTemplates() >= count / 3);
    const done = newTemplates();
    expect(done).toBeLessThan(count);
    for (const { templateId, content } of stored()) expect(whole.includes(content), templateId).toBe(true);
    JSON.parse(readFileSync(join(dir, '.iiot/templates.json'), 'utf8'));
    const { exit, stdout } = await iiot('push', '--yes');
    expect([exit, newTemplates()]).toEqual([0, count]);
    // One more may have been on its way when it was killed.
    expect([count - done, count - done - 1]).toContain(stdout.trimEnd().split('\n').length);
    expect((await iiot('pull')).stderr).toBe('Up to date.\n');
  });

  it('a push stopped by Ctrl-C shows how to see what is left', async () => {
    editAll();
    const { child, ended, stdout, stderr } = home.begin(['templates', 'push', dir, '--yes', '-o', 'json']);
    await until('some are pushed', () => newTemplates() >= 10);
    child.kill('SIGINT');
    const { exit } = await ended;
    const states = (JSON.parse(stdout()) as { status: string }[]).map(({ status }) => status);
    expect([exit, states.length]).toEqual([130, count]);
    expect(states).toEqual(expect.arrayContaining(['done', 'not_sent']));
    expect(JSON.parse(stderr().trimEnd().split('\n').at(-1) ?? '').error).toMatchObject({
      code: 'interrupted',
      hint: expect.stringContaining(`See what is left: iiot templates diff ${dir}`),
    });
    expect((await iiot('push', '--yes')).exit).toBe(0);
    expect(newTemplates()).toBe(count);
  });
});
