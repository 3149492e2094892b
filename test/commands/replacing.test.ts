import { beforeEach, describe, expect, it } from 'vitest';
import { personsForEach } from '../support/fixtures.ts';
import { respondingWith } from '../support/responses.ts';
import type { Person } from '../support/world.ts';

const templates = '/api/v1/orgs/11111111-1111-4111-8111-111111111111/notifications/templates';
const policy = 'aaaaaaaa-0000-4000-8000-000000000001';
const newPerson = personsForEach();
let someone: Person;

beforeEach(() => {
  someone = newPerson();
});

const update = (...words: string[]) => someone.iiot(['templates', 'update', 'template_001', ...words]);

describe('what replacing takes away', () => {
  it('is read and said for the lists of a template', async () => {
    await update('--tag', 'day', '--tag', 'night', '--channel-type', 'email');
    const { exit, stderr } = await update('--tag', 'night', '--channel-type', 'teams');
    expect([exit, stderr]).toEqual([0, 'Removes from channelTypes: email.\nRemoves from tags: day.\n']);
    expect(someone.requests.slice(-2)).toEqual([
      `GET ${templates}?maxResultCount=100`,
      `PATCH ${templates}/template_001`,
    ]);
  });

  it('is nothing where all of a list stays, and then nothing is said', async () => {
    await update('--tag', 'day');
    expect(await update('--tag', 'night', '--tag', 'day')).toMatchObject({ exit: 0, stderr: '' });
  });

  it('is not looked for where no list is given, with -q, and where a program reads', async () => {
    await update('--subject', 'Line 3 is hot');
    await update('--clear-tags', '-q');
    await update('--clear-tags', '-o', 'json');
    expect(someone.requests.filter((request) => request.startsWith('GET'))).toEqual([]);
  });

  it('is not read in a rehearsal, which says that the lists are replaced', async () => {
    const { stderr } = await update('--clear-tags', '--dry-run');
    expect(stderr).toBe('This replaces the whole tags; anything not given here is removed.\n');
    const { stdout } = await update('--clear-tags', '--dry-run', '-o', 'json');
    expect(JSON.parse(stdout).notes).toEqual(['This replaces the whole tags; anything not given here is removed.']);
    expect(someone.requests).toEqual([]);
  });

  it('is said in general where it cannot be read', async () => {
    someone = newPerson({
      fetch: async (url, init) => (init.method === 'GET' ? respondingWith(403) : respondingWith(200))(url, init),
    });
    const { exit, stderr } = await update('--clear-tags');
    expect([exit, stderr.split('\n')[0]]).toEqual([
      0,
      'This replaces the whole tags; anything not given here is removed.',
    ]);
  });

  it('is said for the notification of a policy and the lists of a channel', async () => {
    const words = ['--channel-id', 'channel_email', '--subject', 'a', '--content', 'b'];
    const ofPolicy = await someone.iiot(['policies', 'update', policy, ...words]);
    expect([ofPolicy.exit, ofPolicy.stderr]).toEqual([
      0,
      'This replaces the whole notification; anything not given here is removed.\n',
    ]);
    const ofChannel = await someone.iiot(['channels', 'update', 'channel_email', '--tag', 'a', '--clear-recipients']);
    expect(ofChannel.stderr).toBe(
      'This replaces the whole recipients; anything not given here is removed.\nThis replaces the whole tags; anything not given here is removed.\n',
    );
  });
});
