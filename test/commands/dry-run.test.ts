/** Every change can be rehearsed: the request is shown, and nothing is sent, not even a login. */
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ownOptions } from '../../src/command/command.ts';
import { groups } from '../../src/commands/index.ts';
import { type Given, person } from '../support/world.ts';

const base = 'http://127.0.0.1:1';
const org = `${base}/api/v1/orgs/11111111-1111-4111-8111-111111111111`;
const policy = 'aaaaaaaa-0000-4000-8000-000000000001';

type Rehearsal = { readonly words: readonly string[]; readonly request: unknown; readonly given?: Given };
const json = 'application/json';

/** Each command that can be rehearsed, with what it would send. */
const rehearsals: Readonly<Record<string, Rehearsal>> = {
  'orgs delete': {
    words: ['22222222-2222-4222-8222-222222222222', '--org-name', 'Line 7'],
    request: { method: 'DELETE', url: `${base}/api/v1/orgs/22222222-2222-4222-8222-222222222222?orgName=Line%207` },
  },
  'devices custom-info set': {
    words: ['Hall 3/Press 7', 'a=1'],
    request: {
      method: 'PUT',
      url: `${base}/platform/solutions/api/v1/devices/Hall%203%2FPress%207/custom-info`,
      contentType: json,
      body: { a: '1' },
    },
  },
  'policies update': {
    words: [policy, '--recipient', 'a@b.example'],
    request: {
      method: 'PATCH',
      url: `${org}/alert-policies/${policy}`,
      contentType: json,
      body: { notification: { recipients: ['a@b.example'] } },
    },
  },
  'templates update': {
    words: ['template_001', '--clear-tags'],
    request: {
      method: 'PATCH',
      url: `${org}/notifications/templates/template_001`,
      contentType: json,
      body: { tags: [] },
    },
  },
  'channels update': {
    words: ['channel_email', '--disable'],
    request: {
      method: 'PATCH',
      url: `${org}/notifications/channels/channel_email`,
      contentType: json,
      body: { isEnabled: false },
    },
  },
  'batches create': {
    words: ['--name', 'n', '--cron', '0 0 2 * * ?', '--enabled', '--no-run-on-startup'],
    request: {
      method: 'POST',
      url: `${org}/batches`,
      contentType: json,
      body: {
        orgId: '11111111-1111-4111-8111-111111111111',
        Name: 'n',
        CronExpression: '0 0 2 * * ?',
        IsEnabled: true,
        RunOnStartup: false,
      },
    },
  },
  'credentials create': {
    words: ['--name', 'n', '--secret-file', 'secret.txt'],
    request: {
      method: 'POST',
      url: `${base}/api/v1/oauth2/client-credentials`,
      contentType: json,
      body: { name: 'n' },
    },
  },
  'credentials delete': {
    words: ['credential_001'],
    request: { method: 'DELETE', url: `${base}/api/v1/oauth2/client-credentials/credential_001` },
  },
  api: {
    words: ['PATCH', '/x?y=z', '--raw-field', 'a=[1]'],
    request: { method: 'PATCH', url: `${base}/x?y=z`, contentType: json, body: { a: [1] } },
  },
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
  expect(changes.filter((command) => !rehearsable.includes(command))).toEqual([]);
});

describe.each(Object.entries(rehearsals))('iiot %s --dry-run', (name, { words, request }) => {
  it('shows the request and a line for curl, and sends nothing', async () => {
    const someone = person({ env: { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined } });
    const { exit, stdout, stderr } = await someone.iiot([...name.split(' '), ...words, '--dry-run', '-o', 'json']);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    const { dryRun, curl, request: shown } = JSON.parse(stdout);
    expect([dryRun, shown]).toEqual([true, request]);
    expect(curl).toMatch(/^curl .*-H "Authorization: Bearer \$IIOT_TOKEN".* '\S+'$/);
    expect(someone.requests).toEqual([]);
    expect(readdirSync(someone.folder)).toEqual([]);
    expect(existsSync('secret.txt')).toBe(false);
    someone.leave();
  });

  it.each(['table', 'ndjson', 'yaml', 'csv', 'id'])('does so as %s too', async (format) => {
    const someone = person();
    const { exit, stdout } = await someone.iiot([...name.split(' '), ...words, '--dry-run', '-o', format]);
    expect([exit, stdout.includes('curl')]).toEqual([0, true]);
    expect(someone.requests).toEqual([]);
    someone.leave();
  });
});
