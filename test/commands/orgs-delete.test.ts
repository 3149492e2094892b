import { beforeEach, describe, expect, it } from 'vitest';
import { answering } from '../support/administrator.ts';
import { personsForEach } from '../support/fixtures.ts';
import { platformFetch } from '../support/platform-fetch.ts';
import { respondingWith } from '../support/responses.ts';
import { errorOf, failed, inBrief, worked } from '../support/seen.ts';
import type { Person } from '../support/world.ts';

const storage = '77777777-7777-4777-8777-777777777777';
const root = '11111111-1111-4111-8111-111111111111';
const oddlyNamed = '88888888-8888-4888-8888-888888888888';
const path = (orgId: string) => `/api/v1/orgs/${orgId}`;
const asPerson = { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined };
const newPerson = personsForEach();
let someone: Person;

beforeEach(() => {
  someone = newPerson();
});

const remove = (...words: string[]) => someone.iiot(['orgs', 'delete', storage, ...words]);

describe('iiot orgs delete', () => {
  it('deletes the organization with the name of --org-name', async () => {
    expect(await remove('--org-name', 'Storage')).toEqual(worked('', `Deleted organization ${storage}`));
    expect(someone.requests).toEqual(['POST /identity/connect/token', `DELETE ${path(storage)}?orgName=Storage`]);
  });

  it.each([[[]], [['--yes']], [['--no-input', '-y']]])(
    'needs --org-name without a terminal, even with %j',
    async (more) => {
      const sentence = 'To delete an organization, you must type its name; cannot prompt: not a terminal.';
      const hint = 'Give it with --org-name NAME; --yes does not replace it';
      expect(await remove(...more)).toEqual(failed(2, `error: ${sentence}`, `hint: ${hint}`));
      expect(someone.requests).toEqual([]);
    },
  );

  it.each(['', ' ', '\t \u3000'])('refuses the blank name %j before anything is sent', async (name) => {
    expect(await inBrief(remove(`--org-name=${name}`))).toEqual(failed(2, 'error: --org-name is blank.'));
    expect(someone.requests).toEqual([]);
  });

  it('hints at how a refused name is compared', async () => {
    expect(await errorOf(remove('--org-name', 'storage', '-o', 'json'))).toMatchObject({
      ...{ exit: 7, code: 'rejected', status: 400 },
      message: expect.stringContaining("orgName is not the organization's name."),
      hint: 'The name is compared exactly: case, spaces and accents count',
    });
  });

  it('names --org-name for a refused name only if the option was given', async () => {
    const validationErrors = [{ message: 'Does not match.', members: ['orgName'] }];
    const { iiot } = newPerson({ fetch: respondingWith(400, { error: { message: 'Not valid.', validationErrors } }) });
    const words = ['orgs', 'delete', storage];
    const given = await iiot([...words, '--org-name', 'storage']);
    expect([given.exit, given.stderr]).toEqual([7, expect.stringContaining('Not valid. --org-name: Does not match.')]);
    const { streams, text } = answering('storage\n');
    const env = { TERM: 'dumb', NO_COLOR: '1' };
    expect((await iiot(words, { ...streams, stdout: streams.stderr, columns: 400, env })).exit).toBe(7);
    expect(text()).toContain('Not valid. orgName: Does not match.');
    expect(text()).not.toContain('--org-name');
  });

  it('sends a name exactly as it is typed', async () => {
    const login = ['login', '--account', 'ada@factory.example', '--password-stdin'];
    expect((await someone.iiot(login, { stdin: 'correct horse', env: asPerson })).exit).toBe(0);
    const name = "Café Su\u0308d & O'Brien \u200e東京";
    const { exit } = await someone.iiot(['orgs', 'delete', oddlyNamed, '--org-name', name], { env: asPerson });
    expect(exit).toBe(0);
    expect(someone.requests.at(-1)).toBe(
      `DELETE ${path(oddlyNamed)}?orgName=Caf%C3%A9%20Su%CC%88d%20%26%20O'Brien%20%E2%80%8E%E6%9D%B1%E4%BA%AC`,
    );
  });

  it('hints at the platform if the organization is not found', async () => {
    const { exit, stderr } = await someone.iiot(['orgs', 'delete', storage.replace('7', 'a'), '--org-name', 'Storage']);
    expect([exit, stderr.split('\n')[1]]).toEqual([
      5,
      'hint: It may already be deleted, or be on a platform other than http://127.0.0.1:1',
    ]);
  });
});

describe('iiot orgs delete with a 403', () => {
  it('shows the reason of the platform, and hints at the help', async () => {
    const line = ['orgs', 'delete', root, '--org-name', 'Factory', '-o', 'json'];
    expect(await errorOf(someone.iiot(line))).toMatchObject({
      ...{ exit: 4, code: 'forbidden' },
      message: 'A root organization cannot be deleted.',
      details: [],
      hint: 'See when an organization can be deleted: iiot orgs delete --help',
    });
    expect(someone.requests.filter((each) => !each.includes('/connect/token'))).toEqual([
      `DELETE ${path(root)}?orgName=Factory`,
    ]);
  });
});

describe('iiot orgs delete after a lost response', () => {
  it('counts a 404 to its second request as success, with a note', async () => {
    const { platform } = newPerson();
    let deletions = 0;
    someone = newPerson({
      async fetch(url, { method, headers, body = null, signal }) {
        const answer = await platformFetch(platform, new Request(url, { method, headers, body, signal }));
        // The platform has done it, and a gateway does not return.
        return method === 'DELETE' && ++deletions === 1 ? new Response(null, { status: 502 }) : answer;
      },
    });
    const again = `It was already gone when the request was repeated (organization ${storage}).`;
    expect(await remove('--org-name', 'Storage')).toEqual(worked('', again, `Deleted organization ${storage}`));
  });
});
