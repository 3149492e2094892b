/** What docs/templates-as-code.md shows: its jobs are what GitHub and GitLab read, and their commands are run against the sandbox. */
import { readdirSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { startServer } from '../../src/sandbox/server.ts';
import { ids } from '../../src/sandbox/world/ids.ts';
import { madeForEach } from '../support/fixtures.ts';
import { homeForEach, machineOf } from '../support/home.ts';
import { lacks } from '../support/lacking.ts';

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
    push: parse(gitLab, { strict: true }).push.script.at(-1) as string,
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
  it('are valid for GitHub and GitLab', () => {
    expect(parse(gitHub, { strict: true })).toMatchObject({
      on: { pull_request: null, push: { branches: ['main'] } },
      env: { IIOT_BASE_URL: 'https://platform.example', IIOT_CLIENT_ID: '${{ vars.IIOT_CLIENT_ID }}' },
      jobs: { diff: { if: "github.event_name == 'pull_request'" }, push: { if: "github.event_name == 'push'" } },
    });
    expect(parse(gitLab, { strict: true })).toMatchObject({
      diff: { rules: [{ if: '$CI_PIPELINE_SOURCE == "merge_request_event"' }], allow_failure: { exit_codes: 10 } },
      push: { rules: [{ if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH' }], resource_group: 'templates' },
    });
  });

  it.each(Object.entries(lines))(
    'of %s show and push a difference, and fail when a file is wrong',
    async (name, { diff, push }) => {
      expect((await run('sh templates.sh pull')).exit).toBe(0);
      expect(readdirSync(home.at('templates'))).toEqual(['assembly', 'factory']);
      expect(await run(diff)).toMatchObject({ exit: 0, stdout: '' });
      edit('factory/template_001-pressure-low.txt', 'reports', 'says');
      edit('assembly/template_101-robot-stopped.txt', 'name: Robot stopped', 'name: Robot has stopped');
      const shown = await run(diff);
      expect([shown.exit, shown.stdout.match(/^[-+](?:name: .*|\{\{deviceName\}\} \w+)/gm)]).toEqual([
        name === 'gitHub' ? 0 : 10,
        ['-{{deviceName}} reports', '+{{deviceName}} says', '-name: Robot stopped', '+name: Robot has stopped'],
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
      edit('factory/template_001-pressure-low.txt', 'name: ', 'nome: ');
      expect([(await run(diff)).exit, (await run(push)).exit]).toEqual([name === 'gitHub' ? 1 : 2, 2]);
    },
  );
});

it('the documented rehearsal runs as written', async () => {
  const line = /^iiot sandbox exec .*/m.exec(text)?.[0] ?? '';
  expect((await run(line)).exit).toBe(0);
  expect(readdirSync(home.at('templates/assembly'))).toHaveLength(21);
});

it('the documented file is what pull writes', async () => {
  await run('iiot templates pull templates --org 11111111-1111-4111-8111-111111111111');
  expect(home.read('templates/template_001-pressure-low.txt')).toBe(file.trimEnd());
});

it('the documented lines push to another organization with values, a record and conflicts of its own', async () => {
  const [factory, assembly] = [ids.root, ids.withDevices];
  const { templates } = server.platform.world;
  const [diff = '', , push = ''] = [...text.matchAll(/^iiot templates (?:diff|push) .*--match .*/gm)].map(
    ([line]) => line,
  );
  for (const at of ['1', '2']) {
    const template = templates.get(`template_00${at}`);
    if (template) templates.set(`there_${at}`, { ...template, templateId: `there_${at}`, orgId: assembly });
  }
  const content = (id: string) => templates.get(id)?.content;
  await run(`iiot templates pull templates --org ${factory}`);
  edit('template_001-pressure-low.txt', 'reports', 'in ${HALL} is above ${THRESHOLD}, $${{value}} $$${HALL}:');
  home.file('prod.yaml', prodYaml);
  expect((await run(diff)).exit).toBe(10);
  expect((await run(`${push} --yes`)).exit).toBe(0);
  const there = '{{deviceName}} in Hall 3, north is above 1.10, ${{value}} ${HALL}: {{value}} {{unit}} at {{time}}.';
  expect([content('there_1'), content('template_001')]).toEqual([there, expect.stringContaining(' reports ')]);
  expect(await run(`${push} --yes`)).toMatchObject({ exit: 0, stderr: 'Up to date.\n' });
  Object.assign(templates.get('there_1') ?? {}, { subject: 'Theirs' });
  expect([(await run(`${push} --yes`)).exit, templates.get('there_1')?.subject]).toEqual([6, 'Theirs']);
});

describe.skipIf(lacks('git'))('in real clones,', () => {
  const who = { NAME: 'Ada', EMAIL: 'ada@factory.example' };
  const author = Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((role) => Object.entries(who).map(([key, value]) => [`GIT_${role}_${key}`, value])),
  );
  const git = { ...author, GIT_CONFIG_GLOBAL: '/dev/null', CI_COMMIT_BRANCH: 'main', IIOT_ORG: ids.root };
  const tried = (clone: string, line: string) => home.run(['sh', '-ec', line], { cwd: home.at(clone), env: git });
  const inClone = async (clone: string, line: string) => {
    const { exit, stderr, stdout } = await tried(clone, line);
    expect(`${line}: ${exit}${exit === 0 ? '' : stdout + stderr}`).toBe(`${line}: 0`);
    return stdout;
  };
  const change = (clone: string, name: string, to: string) => {
    const path = `${clone}/templates/${name}`;
    home.file(path, home.read(path).replace(/\n---\n[\s\S]*/, `\n---\n${to}`));
  };
  const stored = (id: string) => server.platform.world.templates.get(id);
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  const recipe = (line: string) => blocks.find((block) => block.includes(line)) ?? '';

  async function clones(pull: string, ...names: readonly string[]) {
    const [first = ''] = names;
    await home.run(['git', 'init', '--quiet', '--bare', '--initial-branch=main', home.at('origin')], { env: git });
    for (const name of names) await home.run(['git', 'clone', '--quiet', `file://${home.at('origin')}`, name]);
    home.file(`${first}/templates.sh`, readFileSync('docs/templates.sh'));
    await inClone(
      first,
      `git checkout -q -B main && ${pull} && git add . && git commit -qm Start && git push -q -u origin main`,
    );
    for (const name of names.slice(1)) await inClone(name, 'git pull -q origin main && git checkout -q main');
  }

  it('a conflict is resolved by both documented recipes', async () => {
    await clones('iiot templates pull templates', 'ada');
    for (const [at, committed, line] of [
      ['1', '', 'git stash pop'],
      ['2', 'git commit -qam Mine', 'git merge platform'],
    ] as const) {
      const [file, id] = [
        at === '1' ? 'template_001-pressure-low.txt' : 'template_002-door-open.txt',
        `template_00${at}`,
      ];
      const lines = `a\n\n\nb\n\n\n`;
      change('ada', file, lines);
      await inClone('ada', 'iiot templates push templates --yes && git add . && git commit -qm Both');
      change('ada', file, lines.replace('a', 'Mine'));
      if (committed) await inClone('ada', committed);
      await inClone('ada', `iiot templates update ${id} --content "$(printf 'a\n\n\nTheirs\n\n\n.')"`);
      expect((await tried('ada', 'iiot templates push templates --yes')).exit).toBe(6);
      await inClone('ada', recipe(line));
      expect((await tried('ada', 'iiot templates diff templates')).exit).toBe(10);
      await inClone('ada', 'iiot templates push templates --yes');
      expect(stored(id)?.content).toBe('Mine\n\n\nTheirs\n\n\n.');
      await inClone('ada', 'git add . && git commit -qm Merged');
    }
  });

  it('a rollback is pushed from another clone', async () => {
    await clones('iiot templates pull templates', 'ada', 'zoe');
    const before = stored('template_001')?.content;
    change('ada', 'template_001-pressure-low.txt', 'Changed');
    await inClone('ada', 'iiot templates push templates --yes && git commit -qam Change && git push -q');
    await inClone('zoe', 'git pull -q && git revert --no-edit HEAD');
    expect((await tried('zoe', 'iiot templates push templates --yes')).exit).toBe(6);
    const again = /`(git checkout HEAD~1 -- .*?)`/.exec(text)?.[1] ?? '';
    await inClone('zoe', `${again} && iiot templates push templates --yes`);
    expect(stored('template_001')?.content).toBe(before);
  });

  it.each(['GitHub', 'GitLab'])('the job of %s keeps the record, and never needs --force', async (kind) => {
    await clones('sh templates.sh pull', 'ada', 'zoe');
    for (const id of ['template_001', 'template_002']) {
      const template = stored(id);
      if (template)
        server.platform.world.templates.set(`there_${id}`, {
          ...template,
          templateId: `there_${id}`,
          orgId: ids.withSubOrganizations,
        });
    }
    const promote = /`(iiot templates push templates\/factory .*?)`/.exec(text)?.[1] ?? '';
    let count = 0;
    const jobs = parse(kind === 'GitHub' ? gitHub : gitLab, { strict: true });
    const scripts = (): { script: string[]; after: string[] } => {
      if (kind === 'GitLab') return { script: jobs.push.script, after: jobs.push.after_script };
      const runs = (jobs.jobs.push.steps as { run?: string; if?: string }[]).filter(({ run }) =>
        run?.startsWith('sh '),
      );
      const of = (when?: string) => runs.filter((each) => each.if === when).map(({ run = '' }) => run);
      return { script: of(), after: of('always()') };
    };
    /** As each does it: a shallow clone of the branch, or the commit of the pipeline. */
    const job = async (between = async () => {}) => {
      count += 1;
      const clone = `job-${count}`;
      const shallow = kind === 'GitHub' ? ['--depth', '1'] : [];
      await home.run(['git', 'clone', '--quiet', ...shallow, `file://${home.at('origin')}`, clone]);
      if (kind === 'GitLab') await inClone(clone, 'git checkout -q --detach');
      const { script, after } = scripts();
      const { exit } = await tried(clone, [...script, promote].join('\n'));
      await between();
      await inClone(clone, after.join('\n'));
      return exit;
    };
    const commit = async (clone: string, name: string, to: string) => {
      await inClone(clone, 'git pull -q --rebase');
      change(clone, name, to);
      await inClone(clone, 'git commit -qam Change && git push -q');
    };
    const [one, two, robot] = [
      'factory/template_001-pressure-low.txt',
      'factory/template_002-door-open.txt',
      'assembly/template_101-robot-stopped.txt',
    ];
    for (const [at, name] of [one, robot].entries()) {
      await commit('ada', name, `Text ${at}`);
      expect(await job()).toBe(0);
    }
    const contents = () =>
      ['template_001', 'there_template_001', 'there_template_002', 'template_101'].map((id) => stored(id)?.content);
    const before = stored('template_002')?.content;
    expect(contents()).toEqual(['Text 0', 'Text 0', before, 'Text 1']);
    // Somebody pushes while the job runs.
    await commit('ada', one, 'Text 2');
    expect(await job(() => commit('zoe', two, 'Text 3'))).toBe(0);
    expect(await job()).toBe(0);
    await inClone('zoe', 'git pull -q --rebase && sh templates.sh pull && git diff --exit-code');
    expect(contents()).toEqual(['Text 2', 'Text 2', 'Text 3', 'Text 1']);
    // A rollback is a change as every other.
    await inClone('zoe', 'git revert --no-edit "$(git log -1 --format=%H --grep=Change)" && git push -q');
    expect(await job()).toBe(0);
    expect(contents()).toEqual(['Text 2', 'Text 2', before, 'Text 1']);
    // What another changes on the platform is a conflict.
    await inClone('ada', 'iiot templates update template_001 --content Theirs');
    await commit('ada', one, 'Text 4');
    expect(await job()).toBe(6);
    expect(contents()[0]).toBe('Theirs');
  });
});
