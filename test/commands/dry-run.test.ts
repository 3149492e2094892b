/** Every change can be rehearsed: the request is shown, and nothing is sent, not even a login. */
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ownOptions } from '../../src/command/command.ts';
import { groups } from '../../src/commands/index.ts';
import { wordsOf } from '../support/words.ts';
import { type Person, person } from '../support/world.ts';

const base = 'http://127.0.0.1:1';
const org = `${base}/api/v1/orgs/11111111-1111-4111-8111-111111111111`;
const policy = 'aaaaaaaa-0000-4000-8000-000000000001';

const request = (method: string, url: string, body?: object) =>
  body ? { method, url, contentType: 'application/json', body } : { method, url };
const platform = `${base}/api/v1`;
const nightly = { Name: 'n', CronExpression: '0 0 2 * * ?', IsEnabled: true, RunOnStartup: false };

/** Each command that can be rehearsed, with its words and what it would send. */
const rehearsals: Readonly<Record<string, readonly [line: string, request: object]>> = {
  'orgs delete': [
    "22222222-2222-4222-8222-222222222222 --org-name 'Line 7'",
    request('DELETE', `${platform}/orgs/22222222-2222-4222-8222-222222222222?orgName=Line%207`),
  ],
  'devices custom-info set': [
    "'Hall 3/Press 7' a=1",
    request('PUT', `${base}/platform/solutions/api/v1/devices/Hall%203%2FPress%207/custom-info`, { a: '1' }),
  ],
  'policies update': [
    `${policy} --recipient a@b.example`,
    request('PATCH', `${org}/alert-policies/${policy}`, { notification: { recipients: ['a@b.example'] } }),
  ],
  'templates update': [
    'template_001 --clear-tags',
    request('PATCH', `${org}/notifications/templates/template_001`, { tags: [] }),
  ],
  'channels update': [
    'channel_email --disabled',
    request('PATCH', `${org}/notifications/channels/channel_email`, { isEnabled: false }),
  ],
  'batches create': [
    "--name n --cron '0 0 2 * * ?' --enabled --no-run-on-startup",
    request('POST', `${org}/batches`, { orgId: '11111111-1111-4111-8111-111111111111', ...nightly }),
  ],
  'credentials create': [
    '--name n --secret-file secret.txt',
    request('POST', `${platform}/oauth2/client-credentials`, { name: 'n' }),
  ],
  'credentials delete': ['credential_001', request('DELETE', `${platform}/oauth2/client-credentials/credential_001`)],
  api: ['PATCH /x?y=z --field a=[1]', request('PATCH', `${base}/x?y=z`, { a: [1] })],
};

/** These rehearse more than one request, and have tests of their own. */
const several = ['devices custom-info import', 'credentials rotate', 'templates push'];

const commands = (await Promise.all(groups.map(({ load }) => load()))).flat();
const rehearsable = commands.filter((command) => ownOptions(command).some(({ name }) => name === 'dryRun'));

it('has a row for every command that can be rehearsed, and every change of the platform can be', () => {
  expect(rehearsable.map(({ name }) => name).sort()).toEqual([...Object.keys(rehearsals), ...several].sort());
  const changes = commands.filter(
    ({ operation, changes: kind }) => operation !== undefined && operation.method !== 'GET' && kind !== undefined,
  );
  const others = changes.filter((command) => !rehearsable.includes(command)).map(({ name }) => name);
  expect(others).toEqual(['templates edit']);
});

describe.each(Object.entries(rehearsals))('iiot %s --dry-run', (name, [line, sent]) => {
  const rehearse = (someone: Person, format: string) =>
    someone.iiot([...wordsOf(`${name} ${line}`), '--dry-run', '-o', format]);

  it('shows the request and a line for curl, and sends nothing', async () => {
    const someone = person({ env: { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined } });
    const { exit, stdout, stderr } = await rehearse(someone, 'json');
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    const { dryRun, curl, request: shown } = JSON.parse(stdout);
    expect([dryRun, shown]).toEqual([true, { headers: null, contentType: null, body: null, ...sent }]);
    expect(curl).toMatch(/^curl .*-H "Authorization: Bearer \$IIOT_TOKEN".* '\S+'$/);
    expect(someone.requests).toEqual([]);
    expect(readdirSync(someone.folder)).toEqual([]);
    expect(existsSync('secret.txt')).toBe(false);
    someone.leave();
  });

  it.each(['table', 'ndjson', 'yaml', 'csv', 'id'])('does so as %s too', async (format) => {
    const someone = person();
    const { exit, stdout } = await rehearse(someone, format);
    expect([exit, stdout.includes('curl')]).toEqual([0, true]);
    expect(someone.requests).toEqual([]);
    someone.leave();
  });
});
