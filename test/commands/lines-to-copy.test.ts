/** A shell takes no ID, path or organization in a line to copy for a command. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { authority, serverPair } from '../support/certificates.ts';
import { personsForEach } from '../support/fixtures.ts';
import { printedLine } from '../support/printed.ts';
import { respondingWith } from '../support/responses.ts';
import type { Person } from '../support/world.ts';

const newPerson = personsForEach();
/** Unquoted, the first and the last are commands; in single quotes, the second; in double quotes, the third and the last. */
const values = ['a b; echo pwned; c', "a'; echo pwned; 'b", 'a"; echo pwned; "b', 'a $(echo pwned) b'];
const policy = 'aaaaaaaa-0000-4000-8000-000000000001';
const batch = ['batches', 'create', '--name', 'n', '--cron', '0 0 2 * * ?', '--enabled', '--run-on-startup'];

/** The lines to copy in what was printed: from a command to the end of its line. */
function linesToCopy(printed: string): string[] {
  return printed
    .split('\n')
    .filter((line) => /^hint: |Run: | with: |^ {2}/.test(line))
    .flatMap((line) =>
      [...line.matchAll(/\b(?:iiot|chmod|chown|rm|mv|ls -ld|openssl) /g)].map(({ index }) => line.slice(index)),
    )
    .filter((line) => line.includes('pwned'));
}

const programs = ['iiot', 'chmod', 'rm', 'mv', 'ls', 'openssl'];

/** The words that a shell gives to the program of a line, and what its other commands print. */
function wordsIn(line: string): string {
  const script = [...programs.map((name) => `${name}() { printf '%s\\n' "$@"; }`), line].join('\n');
  const ended = spawnSync('/bin/bash', ['-c', script], { env: { PATH: '' }, encoding: 'utf8' });
  return ended.stdout;
}

/** At least so many lines hold the value, each as a part of one word. */
async function expectInert(value: string, someone: Person, words: readonly string[], least = 1, env = {}) {
  const { stdout, stderr } = await someone.iiot(words, { env });
  const shown = `${stdout.replaceAll('\t', '\nRun: ')}\n${stderr}`;
  const lines = linesToCopy(shown);
  expect(lines.length, shown).toBeGreaterThanOrEqual(least);
  for (const line of lines) expect(wordsIn(line), line).toContain(value);
}

it('a line that is quoted wrongly is found', () => {
  const [plain = '', single = '', double = '', substituted = ''] = values;
  const isWhole = (line: string, value: string) =>
    linesToCopy(`hint: Run: ${line}`).map((each) => wordsIn(each).includes(value));
  expect(isWhole(`chmod 600 /keys/${plain}/c.pem`, plain)).toEqual([false]);
  expect(isWhole(`rm '${single}'`, single)).toEqual([false]);
  expect(isWhole(`rm "${double}"`, double)).toEqual([false]);
  expect(isWhole(`rm "${substituted}"`, substituted)).toEqual([false]);
  expect(isWhole(`rm '${substituted}'`, substituted)).toEqual([true]);
});

describe.each(values)('a line to copy with %s', (hostile) => {
  it.each([
    [['templates', 'update', hostile, '--name', 'n', '--org', hostile], 404],
    [['templates', 'preview', hostile, '--org', hostile], 404],
    [['credentials', 'rotate', hostile, '--yes', '--save-profile', 'robot'], 404],
    [['templates', 'list', '--org', hostile], 404],
    [['channels', 'update', hostile, '--disabled', '--org', hostile], 404],
    [['policies', 'update', policy, '--delay', '1', '--org', hostile], 404],
    [[...batch, '--org', hostile], 404],
    [['devices', 'custom-info', 'set', hostile, 'a=b'], 404],
    [['devices', 'custom-info', 'set', hostile, 'a=b'], 403],
    [['credentials', 'delete', hostile, '--yes'], 404],
    [['credentials', 'create', '--name', hostile, '-o', 'json'], 403],
    [['login', 'status', '--check', '--org', hostile], 503],
  ] as const)('quotes IDs: %j answered with %i', async (words, status) => {
    const someone = newPerson({ fetch: respondingWith(status), env: { IIOT_TOKEN: 'a-token' } });
    await expectInert(hostile, someone, words, words[0] === 'templates' && words[1] === 'update' ? 1 : 0);
  });

  it('quotes the paths of an import', async () => {
    const someone = newPerson({ fetch: respondingWith(404), env: { IIOT_TOKEN: 'a-token' } });
    const [input, failed, journal] = ['i.csv', 'f.csv', 'j'].map((name) => join(someone.folder, `${hostile}.${name}`));
    writeFileSync(input ?? '', 'deviceId,line\na,1\nb,2\n');
    const words = ['devices', 'custom-info', 'import', '--yes', input ?? ''];
    writeFileSync(failed ?? '', 'mine');
    await expectInert(hostile, someone, [...words, '--failed-file', failed ?? '']);
    await expectInert(hostile, someone, [...words, '--journal', journal ?? '', '--null-as', hostile]);
    await expectInert(hostile, someone, [...words, '--journal', journal ?? '']);
    await expectInert(hostile, someone, [...words, '--journal', journal ?? '', '--base-url', 'http://127.0.0.2:9']);
  });

  it('quotes the folders of templates', async () => {
    const someone = newPerson();
    const dir = join(someone.folder, hostile);
    await expectInert(hostile, someone, ['templates', 'diff', dir]);
    await expectInert(hostile, someone, ['templates', 'push', dir, '--yes']);
    expect((await someone.iiot(['templates', 'pull', dir])).exit).toBe(0);
    writeFileSync(join(dir, 'template_001-pressure-low.txt'), '---\ntemplateId: template_001\nname: n\n---\nx');
    await expectInert(hostile, someone, ['templates', 'diff', dir]);
    await expectInert(hostile, someone, ['templates', 'push', dir, '--dry-run'], 0);
    await expectInert(hostile, someone, ['templates', 'preview', dir]);
  });

  it('quotes the settings folder and its files', async () => {
    const someone = newPerson({ env: { IIOT_TOKEN: 'a-token' } });
    const IIOT_CONFIG_DIR = join(someone.folder, hostile);
    mkdirSync(IIOT_CONFIG_DIR);
    chmodSync(IIOT_CONFIG_DIR, 0o755);
    await expectInert(hostile, someone, ['doctor', '-o', 'table'], 1, { IIOT_CONFIG_DIR });
    chmodSync(IIOT_CONFIG_DIR, 0o700);
    writeFileSync(join(IIOT_CONFIG_DIR, 'config.json'), '{"version":1,"profiles":{}}', { mode: 0o600 });
    chmodSync(join(IIOT_CONFIG_DIR, 'config.json'), 0o666);
    await expectInert(hostile, someone, ['profiles', 'list'], 1, { IIOT_CONFIG_DIR });
    await expectInert(hostile, someone, ['doctor', '-o', 'table'], 1, { IIOT_CONFIG_DIR });
  });

  it('quotes the files of a client certificate', async () => {
    const someone = newPerson({ env: { IIOT_TOKEN: 'a-token', IIOT_BASE_URL: 'https://127.0.0.1:1' } });
    const file = join(someone.folder, `${hostile}.pem`);
    const { key, cert } = serverPair(authority());
    writeFileSync(file, key + cert);
    chmodSync(file, 0o644);
    await expectInert(hostile, someone, ['doctor', '--client-cert', file]);
    writeFileSync(file, Buffer.from(cert.replace(/-----[^-]+-----/g, ''), 'base64'));
    await expectInert(hostile, someone, ['doctor', '--client-cert', file]);
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
