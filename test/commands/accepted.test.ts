import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Attempt, doubtfulPlatform } from '../support/doubtful.ts';
import { closedAfterEach, personsForEach } from '../support/fixtures.ts';

const keep = closedAfterEach();
const newPerson = personsForEach();
const org = '11111111-1111-4111-8111-111111111111';

/** A platform that answers each change so, and carries out none of them. */
async function begun(fault: Attempt['fault'], applies = false) {
  const platform = await keep(doubtfulPlatform());
  Object.assign(platform.state, { plan: [{ fault, applies }], isLasting: true });
  const env = { IIOT_BASE_URL: platform.base, IIOT_TOKEN: 'a-token', IIOT_ORG: org };
  return { platform, state: platform.state, someone: newPerson({ fetch: 'network', env, now: Date.now }) };
}

type Someone = ReturnType<typeof newPerson>;

const json = (text: string) => JSON.parse(text.trim().split('\n').at(-1) ?? '');

async function outcomesIn(someone: Someone): Promise<unknown> {
  const entries = JSON.parse((await someone.iiot(['history', '-o', 'json'])).stdout);
  return entries.map(({ outcome }: { outcome: string }) => outcome);
}

describe.each(['202', 'the challenge of a firewall'] as const)('a change that is answered with %s', (fault) => {
  it('is unknown for a person, and nothing is said to be set', async () => {
    const { someone } = await begun(fault);
    const { exit, stdout, stderr } = await someone.iiot(['devices', 'custom-info', 'set', 'press-1', 'line=3']);
    const sentence = {
      '202': 'The platform accepted the request, and may carry it out later.',
      'the challenge of a firewall': 'A gateway answered in place of the platform (x-amzn-waf-action: challenge).',
    }[fault];
    expect([exit, stdout]).toEqual([8, '']);
    expect(stderr).toMatch(new RegExp(`^error: ${sentence.replace(/[().]/g, '.')} The change may have been applied`));
    expect(stderr).not.toMatch(/\bSet\b/);
    expect(await outcomesIn(someone)).toEqual(['unknown']);
  });

  it('is unknown in its row, and once in the counts', async () => {
    const { someone } = await begun(fault);
    const rows = someone.file('rows.csv', 'deviceId,line\na,1\n');
    const { exit, stdout } = await someone.iiot(['devices', 'custom-info', 'import', rows, '--yes', '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ total: 1, done: 0, failed: 0, unknown: 1 });
    expect(exit).toBe(fault === '202' ? 9 : 8);
  });

  it('is unknown for a template that is pushed', async () => {
    const { someone, state } = await begun(fault);
    const folder = join(someone.folder, 'templates');
    await someone.iiot(['templates', 'pull', folder]);
    const [file = ''] = readdirSync(folder).filter((name) => !name.startsWith('.'));
    const text = readFileSync(join(folder, file), 'utf8').replace('subject: old', 'subject: new');
    writeFileSync(join(folder, file), text);
    const { exit, stdout } = await someone.iiot(['templates', 'push', folder, '--yes', '-o', 'json']);
    expect(exit, stdout).toBe(9);
    const status = fault === '202' ? 'unknown' : 'failed';
    expect(JSON.parse(stdout)).toMatchObject([{ status, error: { status: 202, looked: true } }]);
    expect(state.template.subject).toBe('old');
  });
});

it('goes on with the rows where each is only accepted, and ends with 9', async () => {
  const { someone, state } = await begun('202');
  const rows = someone.file(
    'rows.csv',
    `deviceId,line\n${Array.from({ length: 30 }, (_, at) => `d${at},1`).join('\n')}\n`,
  );
  const { exit, stdout } = await someone.iiot(['devices', 'custom-info', 'import', rows, '--yes', '-o', 'json']);
  expect([exit, JSON.parse(stdout).unknown, state.requests.length]).toEqual([9, 30, 30]);
});

it('is unknown in each of several organizations', async () => {
  const { someone } = await begun('202');
  const orgs = `${org},33333333-3333-4333-8333-333333333333`;
  const line = ['policies', 'update', '22222222-2222-4222-8222-222222222222', '--delay', '5'];
  const { exit, stderr } = await someone.iiot(['each', '--orgs', orgs, '--yes', '-o', 'json', '--', ...line]);
  expect(exit).toBe(9);
  expect(json(stderr).error.details).toMatchObject([{ outcome: 'unknown' }, { outcome: 'unknown' }]);
});

it('shows what came where somebody sent the request as it is, and ends with 8', async () => {
  const { someone } = await begun('202');
  const { exit, stdout, stderr } = await someone.iiot(['api', 'PUT', '/api/v1/jobs/1', '-F', 'n=1', '-o', 'json']);
  expect([exit, JSON.parse(stdout)]).toEqual([8, { method: 'PUT', path: '/api/v1/jobs/1', status: 202 }]);
  expect(json(stderr).error.message).toContain('may carry it out later');
  expect(await outcomesIn(someone)).toEqual(['unknown']);
});

it('is done where the list shows that it was applied, and that is said', async () => {
  const { someone } = await begun('202', true);
  const { exit, stdout, stderr } = await someone.iiot([
    'templates',
    'update',
    'template_1',
    '--subject',
    'new',
    '-o',
    'json',
  ]);
  expect([exit, JSON.parse(stdout)]).toEqual([
    0,
    { templateId: 'template_1', updated: ['subject'], replaces: [], looked: true },
  ]);
  expect(stderr).toMatch(
    /^The platform accepted .* Looked up in the list of templates at \S+Z: the change was applied \(template template_1\)\.\n$/,
  );
});

describe('a batch whose response was lost', () => {
  const line = ['batches', 'create', '--name', 'n', '--cron', '0 0 2 * * ?', '--enabled', '--no-run-on-startup'];

  it('is done where its repeat finds the name, and that is said', async () => {
    const { someone, state } = await begun('lost', true);
    state.isLasting = false;
    const { exit, stdout, stderr } = await someone.iiot([...line, '-o', 'json']);
    expect([exit, JSON.parse(stdout)]).toEqual([0, { orgId: org, name: 'n', created: true }]);
    expect(stderr).toBe(
      'Most probably an earlier attempt, whose response was lost, has created batch n, which exists: check it.\n',
    );
  });

  it('is a conflict of unknown outcome where only a 503 without a body came before', async () => {
    const { someone, state } = await begun('503 bare', true);
    state.isLasting = false;
    const { exit, stderr } = await someone.iiot([...line, '-o', 'json']);
    expect([exit, json(stderr).error.message]).toEqual([6, 'The name is taken. The change may have been applied.']);
    expect(await outcomesIn(someone)).toEqual(['unknown']);
  });
});

it('warns of an update whose response shows other values than were sent, and counts it as done', async () => {
  const { someone, state } = await begun('shows old values');
  const words = ['policies', 'update', '22222222-2222-4222-8222-222222222222', '--delay', '5', '--description', 'x'];
  const { exit, stderr } = await someone.iiot([...words, '-q']);
  expect([exit, stderr, state.requests.length]).toEqual([
    0,
    "The platform's response shows other values than were sent: description, delay. The change counts as done; check it.\n",
    1,
  ]);
});

it('says of each row that was looked up that it was', async () => {
  const { someone, state } = await begun('lost', true);
  const rows = someone.file('rows.csv', 'templateId,subject\ntemplate_1,new\n');
  const { exit, stdout } = await someone.iiot(['templates', 'update', '--rows', rows, '--yes', '-o', 'ndjson']);
  expect([exit, JSON.parse(stdout), state.template.subject]).toEqual([
    0,
    { line: 2, templateId: 'template_1', status: 'done', error: null, looked: true },
    'new',
  ]);
});

it('does not take a 404 for the deletion of an organization that is still there', async () => {
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

it('does not take a client credential for gone whose ID is listed in another case', async () => {
  const { someone, state } = await begun('lost');
  state.credentials.push({ clientCredentialId: 'abcdef00-0000-4000-8000-000000000001', name: 'a', clientId: 'c' });
  const { exit } = await someone.iiot(['credentials', 'delete', 'ABCDEF00-0000-4000-8000-000000000001', '--yes']);
  expect([exit, await outcomesIn(someone)]).toEqual([8, ['failed']]);
});
