/** What docs/templates-as-code.md shows: its jobs are what GitHub and GitLab read, and their commands are run against the sandbox. */
import { readdirSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { startServer } from '../../src/sandbox/server.ts';
import { madeForEach } from '../support/fixtures.ts';
import { homeForEach, machineOf } from '../support/home.ts';

const text = readFileSync('docs/templates-as-code.md', 'utf8');
const [file = '', prodYaml = '', gitHub = '', gitLab = ''] = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map(
  ([, block = '']) => block,
);

type Step = { readonly run?: string };
const steps = (name: 'diff' | 'push') =>
  (parse(gitHub, { strict: true }).jobs[name].steps as Step[])
    .map(({ run }) => run)
    .filter((run) => run?.startsWith('sh '));

/** The line of each job that is its own. */
const lines = {
  gitHub: { diff: steps('diff')[0] ?? '', push: steps('push')[0] ?? '' },
  gitLab: {
    diff: parse(gitLab, { strict: true }).diff.script[0] as string,
    push: parse(gitLab, { strict: true }).push.script[0] as string,
  },
};

const server = madeForEach(() => startServer());
const home = homeForEach(() => {
  const { IIOT_ORG: _, ...machine } = machineOf(server);
  return machine;
});
beforeEach(() => {
  home.file('templates.sh', readFileSync('docs/templates.sh'));
  const { templates } = server.platform.world;
  for (const id of templates.keys()) if (!/_00[12]$|_101$/.test(id)) templates.delete(id);
});

/** As both run their steps: a command that fails ends the script. */
const run = (line: string) => home.run(['sh', '-ec', line]);
const edit = (name: string, from: string, to: string) =>
  home.file(`templates/${name}`, home.read(`templates/${name}`).replace(from, to));

describe('the jobs', () => {
  it('are what GitHub and GitLab read', () => {
    expect(parse(gitHub, { strict: true })).toMatchObject({
      on: { pull_request: null, push: { branches: ['main'] } },
      env: { IIOT_BASE_URL: 'https://platform.example', IIOT_CLIENT_ID: '${{ vars.IIOT_CLIENT_ID }}' },
      jobs: { diff: { if: "github.event_name == 'pull_request'" }, push: { if: "github.event_name == 'push'" } },
    });
    expect(parse(gitLab, { strict: true })).toMatchObject({
      diff: { rules: [{ if: '$CI_PIPELINE_SOURCE == "merge_request_event"' }], allow_failure: { exit_codes: 9 } },
      push: { rules: [{ if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH' }], resource_group: 'templates' },
    });
  });

  it.each(Object.entries(lines))(
    'of %s show the difference, push it, have nothing more to do, and fail where a file is wrong',
    { timeout: 60_000 },
    async (name, { diff, push }) => {
      expect((await run('sh templates.sh pull')).exit).toBe(0);
      expect(readdirSync(home.at('templates'))).toEqual(['assembly', 'factory']);
      expect(await run(diff)).toMatchObject({ exit: 0, stdout: '' });
      edit('factory/template_001-pressure-low.txt', 'reports', 'says');
      edit('assembly/template_101-robot-stopped.txt', 'name: Robot stopped', 'name: Robot has stopped');
      const shown = await run(diff);
      expect([shown.exit, shown.stdout.match(/^[-+][\w{].*/gm)]).toEqual([
        name === 'gitHub' ? 0 : 9,
        [
          '-{{deviceName}} reports {{value}} {{unit}} at {{time}}.',
          '+{{deviceName}} says {{value}} {{unit}} at {{time}}.',
          '-name: Robot stopped',
          '+name: Robot has stopped',
        ],
      ]);
      expect((await run(push)).exit).toBe(0);
      const { templates } = server.platform.world;
      expect([templates.get('template_001')?.content, templates.get('template_101')?.name]).toEqual([
        '{{deviceName}} says {{value}} {{unit}} at {{time}}.',
        'Robot has stopped',
      ]);
      expect(await run(diff)).toMatchObject({ exit: 0, stdout: '' });
      // A wrong file counts more than a difference, whichever comes first.
      edit('assembly/template_101-robot-stopped.txt', 'reports', 'says');
      edit('factory/template_001-pressure-low.txt', 'says', '{{says');
      expect([(await run(diff)).exit, (await run(push)).exit]).toEqual([name === 'gitHub' ? 1 : 2, 2]);
    },
  );
});

it('is rehearsed as it is written', { timeout: 60_000 }, async () => {
  const line = /^iiot sandbox exec .*/m.exec(text)?.[0] ?? '';
  expect((await run(line)).exit).toBe(0);
  expect(readdirSync(home.at('templates/assembly'))).toEqual(['.iiot', 'template_101-robot-stopped.txt']);
});

it('shows a file as it is pulled', async () => {
  await run('iiot templates pull templates --org 11111111-1111-4111-8111-111111111111');
  expect(home.read('templates/template_001-pressure-low.txt')).toBe(file.trimEnd());
});

describe('from one organization to another', { timeout: 60_000 }, () => {
  const [factory, assembly] = ['11111111-1111-4111-8111-111111111111', '33333333-3333-4333-8333-333333333333'];
  const world = () => server.platform.world.templates;
  const lines = [...text.matchAll(/^iiot templates (?:diff|push) .*--match .*/gm)].map(([line]) => line);
  const content = (id: string) => world().get(id)?.content;

  beforeEach(async () => {
    for (const [id, own] of [
      ['there_1', 'template_001'],
      ['there_2', 'template_002'],
    ] as const) {
      const template = world().get(own);
      if (template) world().set(id, { ...template, templateId: id, orgId: assembly });
    }
    await run(`iiot templates pull templates --org ${factory}`);
    const name = 'templates/template_001-pressure-low.txt';
    home.file(
      name,
      home.read(name).replace('reports', () => 'in ${HALL} is above ${THRESHOLD}, ${{value}} $${HALL}:'),
    );
    home.file('prod.yaml', prodYaml);
  });

  it('templates go as the commands say, with values, a record and conflicts of their own', async () => {
    const [diff = '', , push = ''] = lines;
    expect((await run(diff)).exit).toBe(9);
    expect(await run(`${push.replace('--match name', '')} --yes`)).toMatchObject({ exit: 2 });
    expect((await run(`${push} --yes`)).exit).toBe(0);
    const there = '{{deviceName}} in Hall 3, north is above 1.10, ${{value}} ${HALL}: {{value}} {{unit}} at {{time}}.';
    expect([content('there_1'), content('template_001')]).toEqual([there, expect.stringContaining(' reports ')]);
    expect(readdirSync(home.at('templates/.iiot'))).toEqual([`${assembly}.json`, 'templates.json']);
    expect(await run(`${push} --yes`)).toMatchObject({ exit: 0, stderr: 'Up to date.\n' });
    const theirs = world().get('there_1');
    if (theirs) world().set('there_1', { ...theirs, subject: 'Theirs' });
    expect([(await run(`${push} --yes`)).exit, world().get('there_1')?.subject]).toEqual([6, 'Theirs']);
    expect((await run(`iiot templates diff templates --org ${factory}`)).stdout).toContain(
      '+{{deviceName}} in ${HALL}',
    );
  });

  it('the first push shows at a terminal what it replaces, and asks', async () => {
    const session = home.terminal((lines[2] ?? '').split(' ').slice(1), { columns: 120 });
    await session.waitFor('(y/N)');
    const screen = await session.screen();
    expect(screen).toContain('\n-{{deviceName}} reports {{value}} {{unit}} at {{time}}.\n');
    expect(screen).toContain('\n+{{deviceName}} in Hall 3, north is above 1.10, ${{value}} ${HALL}: ');
    expect(screen).toContain(`? Update 1 template of organization ${assembly}? (y/N)`);
    session.type('n\r');
    const { code } = await session.exit;
    expect([code, content('there_1'), readdirSync(home.at('templates/.iiot'))]).toEqual([
      130,
      content('template_001'),
      ['templates.json'],
    ]);
  });
});
