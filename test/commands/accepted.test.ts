import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Attempt, beginDoubtful, historyOf } from '../support/doubtful.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { wordsOf } from '../support/words.ts';
import type { Person } from '../support/world.ts';

const keep = closedAfterEach();
const org = '11111111-1111-4111-8111-111111111111';

/** A platform with this fault at each change, and a person who uses it. */
async function begun(fault: Attempt['fault'], applies = false) {
  const { platform, state, someone } = await beginDoubtful([{ fault, applies }], true);
  await keep(platform);
  return { state, someone: await keep(someone) };
}

const json = (text: string) => JSON.parse(text.trim().split('\n').at(-1) ?? '');

const outcomesIn = async (someone: Person) => (await historyOf(someone)).map(({ outcome }) => outcome);

describe.each([
  ['202', 'The platform accepted the request, and may carry it out later.', 'unknown'],
  [
    'the challenge of a firewall',
    'A gateway answered in place of the platform (x-amzn-waf-action: challenge).',
    'failed',
  ],
] as const)('a change answered with %s', (fault, sentence, status) => {
  it('has an unknown outcome for a person and in the history', async () => {
    const { someone } = await begun(fault);
    const { exit, stdout, stderr } = await someone.iiot(['devices', 'custom-info', 'set', 'press-1', 'line=3']);
    const error = `error: ${sentence} The change may have been applied.`;
    expect([exit, stdout, stderr.slice(0, error.length)]).toEqual([8, '', error]);
    expect(stderr).not.toMatch(/\bSet\b/);
    expect(await outcomesIn(someone)).toEqual(['unknown']);
  });

  it('does not count a pushed template as done', async () => {
    const { someone, state } = await begun(fault);
    const folder = join(someone.folder, 'templates');
    await someone.iiot(['templates', 'pull', folder]);
    const [file = ''] = readdirSync(folder).filter((name) => !name.startsWith('.'));
    const text = readFileSync(join(folder, file), 'utf8').replace('subject: old', 'subject: new');
    writeFileSync(join(folder, file), text);
    const { exit, stdout } = await someone.iiot(['templates', 'push', folder, '--yes', '-o', 'json']);
    expect(exit, stdout).toBe(9);
    expect(JSON.parse(stdout)).toMatchObject([{ status, error: { status: 202, looked: true } }]);
    expect(state.template.subject).toBe('old');
  });
});

it('an import sends every row although each is only accepted, and ends with 9', async () => {
  const { someone, state } = await begun('202');
  const rows = someone.file(
    'rows.csv',
    `deviceId,line\n${Array.from({ length: 30 }, (_, at) => `d${at},1`).join('\n')}\n`,
  );
  const { exit, stdout } = await someone.iiot(['devices', 'custom-info', 'import', rows, '--yes', '-o', 'json']);
  expect([exit, JSON.parse(stdout).unknown, state.requests.length]).toEqual([9, 30, 30]);
});

it('iiot api shows a 202 as it came, and ends with 8', async () => {
  const { someone } = await begun('202');
  const { exit, stdout, stderr } = await someone.iiot(['api', 'PUT', '/api/v1/jobs/1', '-F', 'n=1', '-o', 'json']);
  expect([exit, JSON.parse(stdout)]).toEqual([8, { method: 'PUT', path: '/api/v1/jobs/1', status: 202 }]);
  expect(json(stderr).error.message).toContain('may carry it out later');
  expect(await outcomesIn(someone)).toEqual(['unknown']);
});

it('a template update that was only accepted is done once the list shows it', async () => {
  const { someone } = await begun('202', true);
  const { exit, stdout, stderr } = await someone.iiot(wordsOf('templates update template_1 --subject new -o json'));
  const updated = { templateId: 'template_1', updated: ['subject'], replaces: [], looked: true };
  expect([exit, JSON.parse(stdout)]).toEqual([0, updated]);
  expect(stderr).toMatch(
    /^The platform accepted .* Looked up in the list of templates at \S+Z: the change was applied \(template template_1\)\.\n$/,
  );
});

it('a batch whose response was lost counts as created if the second attempt finds its name, with a note', async () => {
  const { someone, state } = await begun('lost', true);
  state.isLasting = false;
  const line = 'batches create --name n --cron "0 0 2 * * ?" --enabled --no-run-on-startup -o json';
  const { exit, stdout, stderr } = await someone.iiot(wordsOf(line));
  expect([exit, JSON.parse(stdout)]).toEqual([0, { orgId: org, name: 'n', created: true }]);
  expect(stderr).toBe(
    'Most probably an earlier attempt, whose response was lost, has created batch n, which exists: check it.\n',
  );
});

it('iiot policies update warns if the response shows other values than were sent', async () => {
  const { someone, state } = await begun('shows old values');
  const words = ['policies', 'update', '22222222-2222-4222-8222-222222222222', '--delay', '5', '--description', 'x'];
  const { exit, stderr } = await someone.iiot([...words, '-q']);
  expect([exit, stderr, state.requests.length]).toEqual([
    0,
    "The platform's response shows other values than were sent: description, delay. The change counts as done; check it.\n",
    1,
  ]);
});

it('the result of a row tells that its template was looked up', async () => {
  const { someone, state } = await begun('lost', true);
  const rows = someone.file('rows.csv', 'templateId,subject\ntemplate_1,new\n');
  const { exit, stdout } = await someone.iiot(['templates', 'update', '--rows', rows, '--yes', '-o', 'ndjson']);
  expect([exit, JSON.parse(stdout), state.template.subject]).toEqual([
    0,
    { line: 2, templateId: 'template_1', status: 'done', error: null, looked: true },
    'new',
  ]);
});

it('iiot orgs delete fails if a 404 comes and the organization is still there', async () => {
  const { someone, state } = await begun('lost');
  state.isLasting = false;
  state.plan.push({ fault: 'an empty 404', applies: false });
  const { exit, stderr } = await someone.iiot(['orgs', 'delete', org, '--org-name', 'Line 3', '-o', 'json']);
  expect([exit, json(stderr).error.message]).toEqual([
    8,
    `Organization ${org} is still there, but the platform did not find it to delete.`,
  ]);
  expect(await outcomesIn(someone)).toEqual(['failed']);
});

it('iiot credentials delete fails if its ID is still listed in other letter case', async () => {
  const { someone, state } = await begun('lost');
  state.credentials.push({ clientCredentialId: 'abcdef00-0000-4000-8000-000000000001', name: 'a', clientId: 'c' });
  const { exit } = await someone.iiot(['credentials', 'delete', 'ABCDEF00-0000-4000-8000-000000000001', '--yes']);
  expect([exit, await outcomesIn(someone)]).toEqual([8, ['failed']]);
});
