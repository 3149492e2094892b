/** What docs/templates-as-code.md shows: its jobs are what GitHub and GitLab read, and their commands are run against the sandbox. */
import { readdirSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { startServer } from '../../src/sandbox/server.ts';
import { madeForEach } from '../support/fixtures.ts';
import { homeForEach, machineOf } from '../support/home.ts';

const text = readFileSync('docs/templates-as-code.md', 'utf8');
const [file = '', gitHub = '', gitLab = ''] = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map(
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
