import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/failure.ts';
import { type Attempt, beginDoubtful, historyOf, old } from '../support/doubtful.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { errorOf } from '../support/seen.ts';

const keep = closedAfterEach();

async function begun(plan: readonly Attempt[]) {
  const begun = await beginDoubtful(plan);
  await keep(begun.platform);
  await keep(begun.someone);
  return begun;
}

describe('the creation of a credential whose response was lost', () => {
  const create = ['credentials', 'create', '--name', 'a', '--scope', 'read', '-o', 'json', '--retries', '2'];
  const lost: Attempt = { fault: 'lost', applies: true };
  const own = { ...old, clientCredentialId: 'credential_of_others', name: 'a', scopes: ['read'] };

  it('is repeated after its first result was deleted', async () => {
    const { state, someone } = await begun([lost]);
    const { exit, stdout, stderr } = await someone.iiot(create);
    expect([exit, stderr]).toEqual([
      0,
      'No secret came from an attempt: it had created client credential credential_1, which was deleted again.\n',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ clientCredentialId: 'credential_2', looked: true });
    expect(state.credentials.map((each) => each.clientCredentialId)).toEqual(['credential_old', 'credential_2']);
    const outcomes = (await historyOf(someone)).map(({ operation, outcome }) => `${operation} ${outcome}`);
    expect(outcomes).toEqual(['credentials.create done', 'credentials.delete done']);
  });

  it.each([
    ['has other scopes', { scopes: ['write'] }],
    ['is for other devices', { deviceIds: ['press-1'] }],
    ['expires', { expiredAt: '2099-01-01T00:00:00Z' }],
    ['does not say when it was created', { createdAt: undefined }],
    ['has no ID', { clientCredentialId: undefined }],
    ['has its name in another form', { name: 'A ' }],
    [
      'may be older, in a time without a zone',
      { createdAt: new Date(Date.now() - 5 * 3_600_000).toISOString().slice(0, 19) },
    ],
  ])('names and keeps one that %s', async (_, differs) => {
    const { state, someone } = await begun([{ ...lost, applies: false }]);
    const createdAt = new Date(Date.now() + 500).toISOString();
    state.credentials.push({ ...own, createdAt, ...differs });
    const { exit, stdout, looked, message, hint } = await errorOf(someone.iiot(create));
    const id = 'clientCredentialId' in differs ? 'ID' : 'credential_of_others';
    expect([exit, stdout, looked, state.credentials.length]).toEqual([8, '', true, 2]);
    expect(message).toContain(`${id} of the same name may come from an attempt whose response was lost`);
    expect(hint).toContain(`delete it: iiot credentials delete ${id} --base-url`);
    expect(state.requests.filter((each) => each.startsWith('POST')).length).toBe(1);
  });

  it.each([
    ['two credentials fit', 2, true],
    ['the platform does not tell its time', 1, false],
  ])('deletes nothing if %s', async (_, count, tellsTime) => {
    const { state, someone } = await begun([{ ...lost, applies: false }]);
    state.tellsTime = tellsTime;
    const createdAt = new Date(Date.now() + 500).toISOString();
    for (let at = 1; at <= count; at += 1)
      state.credentials.push({ ...own, createdAt, clientCredentialId: `other_${at}` });
    const { exit, message } = await errorOf(someone.iiot(create));
    expect([exit, state.credentials.length]).toEqual([8, 1 + count]);
    expect(message).toContain(count === 2 ? 'other_1, other_2 of the same name' : 'other_1 of');
  });

  it.each([-3_600_000, 3_600_000])('compares times by the clock of the platform, %i ms ahead', async (ahead) => {
    const { state, someone } = await begun([lost]);
    state.ahead = ahead;
    state.credentials.push({ ...own, createdAt: new Date(Date.now() + ahead - 5000).toISOString() });
    expect((await someone.iiot(create)).exit).toBe(0);
    const left = state.credentials.map((each) => each.clientCredentialId);
    expect(left).toEqual(['credential_old', 'credential_of_others', 'credential_2']);
  });

  it('is not repeated if the list cannot be read', async () => {
    const { state, someone } = await begun([lost]);
    state.reading = [403, { error: { message: 'Not for you.' } }];
    const { exit, looked, message, hint } = await errorOf(someone.iiot(create));
    expect([exit, looked, state.credentials.length]).toEqual([8, undefined, 2]);
    expect(message).toMatch(
      /Looked up in the list of client credentials at \S+Z: it could not be read \(Not for you\. \(403\)\)\. The change may have been applied\.$/,
    );
    expect(hint).toContain('Find it: iiot credentials list');
  });

  it.each(['429', '503 with Retry-After', 'the challenge of a firewall'] as const)(
    'deletes nothing after %s',
    async (fault) => {
      const { state, someone } = await begun([{ fault, applies: false }]);
      state.credentials.push({ ...own, createdAt: new Date(Date.now() + 500).toISOString() });
      const { exit, message } = await errorOf(someone.iiot(create));
      expect([exit, state.credentials.length]).toEqual([8, 2]);
      expect(message).toContain('credential_of_others of the same name');
    },
  );

  it('finds its result on a later page', async () => {
    const { state, someone } = await begun([lost]);
    state.pageSize = 1;
    expect((await someone.iiot(create)).exit).toBe(0);
    expect(state.credentials.map((each) => each.clientCredentialId)).toEqual(['credential_old', 'credential_2']);
  });

  it('waits for a result that appears late', async () => {
    const { state, someone } = await begun([{ ...lost, applies: false }]);
    setTimeout(() => state.credentials.push({ ...own, createdAt: new Date().toISOString() }), 700);
    expect((await someone.iiot(create)).exit).toBe(0);
    expect(state.credentials.map((each) => each.clientCredentialId)).toEqual(['credential_old', 'credential_1']);
  });

  it('is in doubt if the platform does not find its result to delete it', async () => {
    const { state, someone } = await begun([lost]);
    state.deletesNothing = true;
    const { exit, message } = await errorOf(someone.iiot(create));
    expect([exit, message]).toEqual([8, expect.stringContaining('credential_1 of the same name may come from')]);
  });

  it('is looked up if a success names no credential', async () => {
    const { state, someone } = await begun([{ fault: 'an empty 201', applies: true }]);
    const { exit, message } = await errorOf(someone.iiot(create));
    expect([exit, message, state.credentials.length]).toEqual([
      8,
      expect.stringMatching(
        /^The platform returned no client credential\. Looked up in .* credential_1, which was deleted again\.$/,
      ),
      1,
    ]);
  });

  it('names a late result of an earlier attempt after its success', async () => {
    const { state, someone } = await begun([{ ...lost, applies: false }]);
    state.onCreated = () => state.credentials.push({ ...own, createdAt: new Date().toISOString() });
    const { exit, stderr } = await someone.iiot(create);
    expect(exit).toBe(0);
    expect(stderr).toMatch(
      /^Beside the new client credential, credential_of_others of the same name may come from .* delete it: iiot credentials delete credential_of_others --base-url \S+\n$/,
    );
  });

  it('fails in a rotation if the old credential is still listed', async () => {
    const { state, someone } = await begun([]);
    state.deletesNothing = true;
    const rotate = ['credentials', 'rotate', 'credential_old', '--expires', 'never', '--yes'];
    const { exit, stderr } = await someone.iiot([...rotate, '--secret-file', `${someone.folder}/s`]);
    expect([exit, stderr]).toEqual([
      8,
      expect.stringContaining('the old client credential credential_old could not be deleted'),
    ]);
  });

  it('never deletes the old credential of a rotation', async () => {
    const { state, someone } = await begun([lost]);
    state.credentials.push({ ...own, createdAt: new Date(Date.now() + 500).toISOString() });
    const rotate = ['credentials', 'rotate', 'credential_of_others', '--keep-old', '--expires', 'never', '--yes'];
    await someone.iiot([...rotate, '--secret-file', `${someone.folder}/s`, '--retries', '2']);
    expect(state.credentials.map((each) => each.clientCredentialId)).toContain('credential_of_others');
    expect(state.requests).not.toContain('DELETE /api/v1/oauth2/client-credentials/credential_of_others');
  });

  it('is looked up after Ctrl-C, and not repeated', async () => {
    const { state, someone } = await begun([{ fault: 'hangs', applies: true }]);
    const stop = new AbortController();
    state.onHang = () => stop.abort(new Failure('interrupted', 'Interrupted.'));
    const { exit, looked, message } = await errorOf(someone.iiot(create, { interrupt: stop.signal }));
    expect([exit, looked, state.credentials.length]).toEqual([130, true, 1]);
    expect(message).toContain('credential_1, which was deleted again');
  });

  it('is looked up if Ctrl-C comes during the wait for a late result', async () => {
    const { state, someone } = await begun([lost]);
    const stop = new AbortController();
    state.onCreated = () => setTimeout(() => stop.abort(new Failure('interrupted', 'Interrupted.')), 500);
    const { exit, stderr } = await someone.iiot(create, { interrupt: stop.signal });
    expect([exit, state.credentials.length]).toEqual([130, 1]);
    expect(stderr).toContain('credential_1, which was deleted again');
  });

  it('keeps its secret if Ctrl-C comes during the search for a first result', async () => {
    const { state, someone } = await begun([{ ...lost, applies: false }]);
    const stop = new AbortController();
    state.onCreated = () => setTimeout(() => stop.abort(new Failure('interrupted', 'Interrupted.')), 500);
    const file = `${someone.folder}/a.secret`;
    await someone.iiot([...create, '--secret-file', file], { interrupt: stop.signal });
    expect(readFileSync(file, 'utf8')).toBe('secret-of-credential_1\n');
  });

  it.each([
    ['one by one', 1],
    ['many at a time', 16],
  ])('leaves one credential for each row, %s', async (_, concurrency) => {
    const faultsOfRows: Attempt[] = [lost, { fault: '503 bare', applies: true }, { fault: '500', applies: false }];
    const { state, someone } = await begun(faultsOfRows);
    const rows = someone.file('rows.csv', `name\n${['a', 'b', 'c', 'd'].join('\n')}\n`);
    const line = ['credentials', 'create', '--rows', rows, '--secret-dir', `${someone.folder}/secrets`, '--yes'];
    const ended = await someone.iiot([...line, '--retries', '3', '-o', 'ndjson', '--concurrency', `${concurrency}`]);
    expect(ended.exit, ended.stderr).toBe(0);
    const deletions = (await historyOf(someone)).filter(({ operation }) => operation === 'credentials.delete');
    expect(deletions.map(({ outcome }) => outcome)).toEqual(['done']);
    expect(state.credentials.map(({ name }) => name).sort()).toEqual(['a', 'b', 'c', 'd', 'old']);
    for (const { name, clientCredentialId } of state.credentials.slice(1))
      expect(readFileSync(`${someone.folder}/secrets/${name}.secret`, 'utf8')).toBe(
        `secret-of-${clientCredentialId}\n`,
      );
  });
});
