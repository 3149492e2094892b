import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Attempt, doubtfulPlatform } from '../support/doubtful.ts';
import { closedAfterEach, personsForEach } from '../support/fixtures.ts';
import { wordsOf } from '../support/words.ts';

const keep = closedAfterEach();
const newPerson = personsForEach();
const org = '11111111-1111-4111-8111-111111111111';

/** A platform with this fault at each change, and a person who uses it. */
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

describe.each(['202', 'the challenge of a firewall'] as const)('a change answered with %s', (fault) => {
  it('has an unknown outcome for a person and in the history', async () => {
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

  it('has an unknown outcome in its row, and counts once', async () => {
    const { someone } = await begun(fault);
    const rows = someone.file('rows.csv', 'deviceId,line\na,1\n');
    const { exit, stdout } = await someone.iiot(['devices', 'custom-info', 'import', rows, '--yes', '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ total: 1, done: 0, failed: 0, unknown: 1 });
    expect(exit).toBe(fault === '202' ? 9 : 8);
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
    const status = fault === '202' ? 'unknown' : 'failed';
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

it('iiot each reports an accepted change as unknown in every organization', async () => {
  const { someone } = await begun('202');
  const orgs = `${org},33333333-3333-4333-8333-333333333333`;
  const line = ['policies', 'update', '22222222-2222-4222-8222-222222222222', '--delay', '5'];
  const { exit, stderr } = await someone.iiot(['each', '--orgs', orgs, '--yes', '-o', 'json', '--', ...line]);
  expect(exit).toBe(9);
  expect(json(stderr).error.details).toMatchObject([{ outcome: 'unknown' }, { outcome: 'unknown' }]);
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

describe('a batch whose response was lost', () => {
  const line = wordsOf('batches create --name n --cron "0 0 2 * * ?" --enabled --no-run-on-startup');

  it('counts as created if the second attempt finds its name, with a note', async () => {
    const { someone, state } = await begun('lost', true);
    state.isLasting = false;
    const { exit, stdout, stderr } = await someone.iiot([...line, '-o', 'json']);
    expect([exit, JSON.parse(stdout)]).toEqual([0, { orgId: org, name: 'n', created: true }]);
    expect(stderr).toBe(
      'Most probably an earlier attempt, whose response was lost, has created batch n, which exists: check it.\n',
    );
  });

  it('has an unknown outcome if its name is taken after a 503 without a body', async () => {
    const { someone, state } = await begun('503 bare', true);
    state.isLasting = false;
    const { exit, stderr } = await someone.iiot([...line, '-o', 'json']);
    expect([exit, json(stderr).error.message]).toEqual([6, 'The name is taken. The change may have been applied.']);
    expect(await outcomesIn(someone)).toEqual(['unknown']);
  });
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
