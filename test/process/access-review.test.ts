/** What docs/access-review.md shows: its jobs are what GitHub and GitLab read, and their lines are run against the sandbox. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { startServer } from '../../src/sandbox/server.ts';
import { madeForEach } from '../support/fixtures.ts';
import { homeForEach, machineOf } from '../support/home.ts';

const text = readFileSync('docs/access-review.md', 'utf8');
const blocks = (language: string) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, block = '']) => block);
const [gitHub, gitLab] = blocks('yaml').map((block) => parse(block, { strict: true }));
const [checks = '', saving = ''] = blocks('sh');
const [users = '', credentials = ''] = checks.trim().split('\n');

const server = madeForEach(() => startServer());
const home = homeForEach(() => machineOf(server));
const run = (line: string) => home.run(['sh', '-ec', line]);

it('both jobs of docs/access-review.md check users and credentials every week, in separate steps', () => {
  const steps = gitHub.jobs.review.steps.slice(2);
  expect(gitHub.on).toEqual({ schedule: [{ cron: '0 6 * * 1' }], workflow_dispatch: null });
  expect(steps.map(({ run }: { run: string }) => run)).toEqual([users, credentials]);
  expect(steps[1].if).toBe('always()');
  expect([gitLab.users.script, gitLab.credentials.script]).toEqual([[users], [credentials]]);
});

it('the check of users reports who was added or removed and whose role changed', async () => {
  expect((await run(saving)).exit).toBe(0);
  expect(await run(users)).toEqual({
    exit: 0,
    stdout: '',
    stderr: expect.stringMatching(/^Nothing has changed since \S+: .* 2,000 users are the same\.\n$/),
  });
  const saved = JSON.parse(home.read('access/users.json'));
  const then = (saved.users as { userId: string; orgRole: string }[])
    .filter(({ userId }) => userId !== 'user-0001')
    .map((each) => (each.userId === 'ada' ? { ...each, orgRole: 'viewer' } : each));
  const gone = { userId: 'gone', name: 'Gus Gone', orgRole: 'operator' };
  home.file('access/users.json', JSON.stringify({ ...saved, users: [...then, gone] }));
  expect(await run(users)).toEqual({
    exit: 10,
    stdout:
      'role_changed\tada\tAda Okonkwo\tadmin\tviewer\n' +
      "added\tuser-0001\tMiles O'Shea\tviewer\t\n" +
      'removed\tgone\tGus Gone\t\toperator\n',
    stderr: expect.stringMatching(/^3 differences from access\/users\.json, saved \S+\.\n$/),
  });
  const { stdout } = await run(`${users} -o json --jq '.[:1]'`);
  expect(JSON.parse(stdout)).toEqual(JSON.parse(blocks('json')[0] ?? ''));
});

it('the check of credentials reports those that expire soon', async () => {
  expect(await run(credentials)).toMatchObject({ exit: 0, stdout: '' });
  await run('iiot credentials create --name gateway --expires 7d --secret-file gateway.secret');
  expect(await run(credentials)).toMatchObject({ exit: 10, stdout: expect.stringContaining('\tgateway\t') });
});
