/** A shell takes no ID, path or organization in a line to copy for a command. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { personsForEach } from '../support/fixtures.ts';
import { printedLine } from '../support/printed.ts';
import { respondingWith } from '../support/responses.ts';
import type { Person } from '../support/world.ts';

const newPerson = personsForEach();
/** A command without quotes and in quotes of either kind. */
const hostile = `a; echo pwned; 'b'; echo pwned; "c"; echo pwned; $(echo pwned) d`;
const policy = 'aaaaaaaa-0000-4000-8000-000000000001';

/** The lines to copy in what was printed: from a command to the end of its line. */
function linesToCopy(printed: string): string[] {
  return printed
    .split('\n')
    .filter((line) => /^hint: |Run: | with: |^ {2}/.test(line))
    .flatMap((line) => [...line.matchAll(/\b(?:iiot|rm) /g)].map(({ index }) => line.slice(index)))
    .filter((line) => line.includes('pwned'));
}

/** The words that a shell gives to the program of a line, and what its other commands print. */
function wordsIn(line: string): string {
  const script = [...['iiot', 'rm'].map((name) => `${name}() { printf '%s\\n' "$@"; }`), line].join('\n');
  return spawnSync('/bin/bash', ['-c', script], { env: { PATH: '' }, encoding: 'utf8' }).stdout;
}

/** Each line to copy holds the value as a part of one word. */
async function expectInert(someone: Person, words: readonly string[]) {
  const { stdout, stderr } = await someone.iiot(words);
  const shown = `${stdout.replaceAll('\t', '\nRun: ')}\n${stderr}`;
  const lines = linesToCopy(shown);
  expect(lines.length, shown).toBeGreaterThanOrEqual(1);
  for (const line of lines) expect(wordsIn(line), line).toContain(hostile);
}

describe('a line to copy with commands in a name', () => {
  it('quotes the paths of an import', async () => {
    const someone = newPerson({ fetch: respondingWith(404), env: { IIOT_TOKEN: 'a-token' } });
    const input = someone.file(`${hostile}.i.csv`, 'deviceId,line\na,1\nb,2\n');
    const failed = someone.file(`${hostile}.f.csv`, 'mine');
    const words = ['devices', 'custom-info', 'import', '--yes', input];
    await expectInert(someone, [...words, '--failed-file', failed]);
    const journal = [...words, '--journal', join(someone.folder, `${hostile}.j`)];
    for (const more of [['--null-as', hostile], [], ['--base-url', 'http://127.0.0.2:9']])
      await expectInert(someone, [...journal, ...more]);
  });

  it('quotes the folders of templates', async () => {
    const someone = newPerson();
    const dir = join(someone.folder, hostile);
    await expectInert(someone, ['templates', 'diff', dir]);
    await expectInert(someone, ['templates', 'push', dir, '--yes']);
    expect((await someone.iiot(['templates', 'pull', dir])).exit).toBe(0);
    writeFileSync(join(dir, 'template_001-pressure-low.txt'), '---\ntemplateId: template_001\nname: n\n---\nx');
    await expectInert(someone, ['templates', 'diff', dir]);
    await expectInert(someone, ['templates', 'preview', dir]);
  });
});

describe('a printed line to continue goes to the same platform', () => {
  const org = '33333333-3333-4333-8333-333333333333';
  const elsewhere = '44444444-4444-4444-8444-444444444444';
  const plant = ['--profile', 'plant-7', '--org', org];
  const policyOf = (last: number) => policy.replace(/1$/, `${last}`);
  const header = 'Name,cron,enabled,run-on-startup\n';
  const row = (name: string) => `${name},0 0 2 * * ?,yes,no\n`;
  const wrong = new Response(null, { status: 400 });

  /** Somebody whose profile in use is another platform; what is sent is refused at first where `refuses` says so. */
  async function atPlant(
    refuses: (request: string, body: string) => boolean,
    answer: (method: string, url: string, body: string) => object = () => ({}),
  ) {
    const sent: string[] = [];
    const state = { broken: true };
    const someone = newPerson({
      env: {
        IIOT_BASE_URL: undefined,
        IIOT_ORG: undefined,
        IIOT_TOKEN: 'a-token',
        IIOT_CLIENT_ID: undefined,
        IIOT_CLIENT_SECRET: undefined,
      },
      fetch: async (url, { method, body }) => {
        const place = `${new URL(url).host} ${new URL(url).pathname.split('/')[4] ?? ''}`;
        sent.push(place);
        if (state.broken && refuses(`${method} ${url}`, body ?? '')) return wrong.clone();
        return Response.json(answer(method, url, body ?? ''));
      },
    });
    for (const [name, port] of [
      ['default', 1],
      ['plant-7', 2],
    ])
      await someone.iiot(['profiles', 'set', `${name}`, `baseUrl=http://127.0.0.1:${port}`, `org=${elsewhere}`]);
    const copied = async (stderr: string, ...agrees: readonly string[]) => {
      state.broken = false;
      sent.length = 0;
      return {
        ...(await someone.iiot([...printedLine(stderr), ...agrees])),
        sent: [...new Set(sent)],
        count: sent.length,
      };
    };
    return { someone, copied };
  }

  it('with --resume of changes', async () => {
    const { someone, copied } = await atPlant((_, body) => body.includes('"delay":2'));
    const file = someone.file('p.csv', `alertPolicyId,delay\n${policyOf(1)},1\n${policyOf(2)},2\n`);
    const words = ['policies', 'update', '--rows', file, ...plant, '--rate', '50/s', '--yes'];
    const { exit, stderr } = await someone.iiot(words);
    expect([exit, printedLine(stderr)]).toEqual([9, expect.arrayContaining(['--resume', 'plant-7', org, '50/s'])]);
    expect(await copied(stderr, '--yes')).toMatchObject({ exit: 0, sent: [`127.0.0.1:2 ${org}`], count: 1 });
  });

  it('with a file of failed rows', async () => {
    const { someone, copied } = await atPlant((_, body) => body.includes('two'));
    const [file, failed] = [someone.file('b.csv', header + row('one') + row('two')), join(someone.folder, 'f 1.csv')];
    const words = ['batches', 'create', '--rows', file, '--failed-file', failed, ...plant];
    const { exit, stderr } = await someone.iiot([...words, '--yes']);
    expect([exit, printedLine(stderr)]).toEqual([9, expect.arrayContaining([failed])]);
    expect(await copied(stderr, '--yes')).toMatchObject({ exit: 0, sent: [`127.0.0.1:2 ${org}`], count: 1 });
  });

  it.each(['--resume', '--failed-file'])('with %s of an import', async (way) => {
    const { someone, copied } = await atPlant((request) => request.includes('/b/'));
    const [file, failed] = [someone.file('d.csv', 'deviceId,line\na,1\nb,2\n'), join(someone.folder, 'f.csv')];
    const words = ['devices', 'custom-info', 'import', '--yes', file, '--profile', 'plant-7'];
    const { stderr } = await someone.iiot(way === '--resume' ? words : [...words, way, failed]);
    expect(printedLine(stderr)).toContain(way === '--resume' ? way : failed);
    expect(await copied(stderr, '--yes')).toMatchObject({ exit: 0, sent: ['127.0.0.1:2 v1'], count: 1 });
  });

  it('with a folder of templates of which one was refused', async () => {
    const template = (templateId: string) => [templateId, { templateId, name: templateId, content: 'Old' }] as const;
    const stored = new Map<string, object>(['t_1', 't_2', 't_3'].map(template));
    const { someone, copied } = await atPlant(
      (request) => /^PATCH .*t_2$/.test(request),
      (method, url, body) => {
        const id = url.split('/').at(-1) ?? '';
        if (method === 'PATCH') stored.set(id, { ...stored.get(id), ...JSON.parse(body) });
        return { items: [...stored.values()], totalCount: stored.size };
      },
    );
    const dir = join(someone.folder, 'our templates');
    expect((await someone.iiot(['templates', 'pull', dir, ...plant])).exit).toBe(0);
    const files = readdirSync(dir).filter((name) => name.startsWith('t_'));
    for (const each of files)
      writeFileSync(join(dir, each), readFileSync(join(dir, each), 'utf8').replace('Old', 'New'));
    const named = ['t_1', files[1] ?? ''];
    const first = await someone.iiot(['templates', 'push', dir, ...named, ...plant, '--yes']);
    expect([first.exit, printedLine(first.stderr).slice(0, 3)]).toEqual([9, ['templates', 'diff', dir]]);
    const second = await copied(first.stderr);
    expect(second).toMatchObject({ exit: 10, sent: [`127.0.0.1:2 ${org}`] });
    expect(printedLine(second.stderr)).toEqual(['templates', 'push', dir, ...named, ...plant]);
    expect(await copied(second.stderr, '--yes')).toMatchObject({ exit: 0, sent: [`127.0.0.1:2 ${org}`], count: 2 });
    expect(JSON.stringify([...stored.values()]).match(/Old|New/g)).toEqual(['New', 'New', 'Old']);
    const theirs = { ...template('t_1')[1], content: 'Theirs' };
    stored.set('t_1', theirs);
    const behind = await someone.iiot(['templates', 'diff', dir, 't_1', ...plant]);
    expect(printedLine(behind.stderr)).toEqual(['templates', 'pull', dir, 't_1', ...plant]);
    expect(await copied(behind.stderr)).toMatchObject({
      exit: 0,
      sent: [`127.0.0.1:2 ${org}`],
      stdout: `${files[0]}\tupdated\n`,
    });
  });

  it('with --orgs of iiot each', async () => {
    const { someone, copied } = await atPlant((request) => request.includes(elsewhere));
    const update = ['channels', 'update', 'c 1', '--disabled'];
    const words = ['--orgs', `${org},${elsewhere}`, '--profile', 'plant-7', '--', ...update];
    const { exit, stderr } = await someone.iiot(['each', ...words, '--yes', '--request-timeout', '9s']);
    expect([exit, printedLine(stderr).slice(0, 3)]).toEqual([9, ['each', '--orgs', elsewhere]]);
    expect(await copied(stderr, '--yes')).toMatchObject({ exit: 0, sent: [`127.0.0.1:2 ${elsewhere}`], count: 1 });
  });
});
