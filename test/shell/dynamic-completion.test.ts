import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ids } from '../../src/sandbox/world/ids.ts';
import { patience } from '../../src/shell/live.ts';
import { personForEach, personsForEach } from '../support/fixtures.ts';

const someone = personForEach();
const newPerson = personsForEach();

/** A busy machine may take longer than somebody waits for the Tab key; one test looks at that alone. */
const { setTimeout } = globalThis;
const { timeout } = AbortSignal;
const bePatient = () => {
  AbortSignal.timeout = () => new AbortController().signal;
  globalThis.setTimeout = ((act: () => void, milliseconds?: number) =>
    setTimeout(act, milliseconds === patience ? minute : milliseconds)) as typeof setTimeout;
};
const beHasty = () => Object.assign(AbortSignal, { timeout }) && Object.assign(globalThis, { setTimeout });
beforeEach(bePatient);
afterEach(beHasty);

/** What fish is told when Tab is pressed behind a line that ends with a blank: a line for each value. */
async function complete(line: string, given = {}) {
  const { stdout, ...run } = await someone.iiot(['__complete', 'fish', ...line.split(' ')], given);
  return { ...run, stdout: stdout.replace(/^words\0/, '').replaceAll('\0', '\n') };
}
const nothing = { exit: 0, stdout: '', stderr: '' };
/** Lines whose next word is of a kind that the platform or this machine knows. */
const templates = 'templates update ';
const names = 'templates list --name ';
const credentials = 'credentials delete ';
const minute = 60_000;
const loggedIn = () => someone.iiot(['orgs', 'users', 'list', '--limit', '1']);
const asked = () => someone.requests.filter((request) => request.includes('/templates'));

describe('completions from a folder of templates', () => {
  it.each(['pull', 'diff', 'push'])('for %s are its files and IDs that are not yet typed', async (verb) => {
    const dir = join(someone.folder, 'tpl');
    mkdirSync(join(dir, '.iiot'), { recursive: true });
    const pulled = { version: 1, orgId: ids.root, templates: { template_7: { file: 'hot.md', hashes: {} } } };
    writeFileSync(join(dir, '.iiot/templates.json'), JSON.stringify(pulled));
    for (const name of ['hot.md', 'new one.txt', 'list.csv']) writeFileSync(join(dir, name), '');
    const all = 'hot.md\ttemplate_7\nnew one.txt\t\ntemplate_7\thot.md\n';
    expect(await complete(`templates ${verb} ${dir} `)).toEqual({ ...nothing, stdout: all });
    expect(await complete(`templates ${verb} --org x ${dir} hot.md `)).toEqual({
      ...nothing,
      stdout: 'new one.txt\t\ntemplate_7\thot.md\n',
    });
    expect(await complete(`templates ${verb} ${dir}/nothing `)).toEqual(nothing);
    expect(someone.requests).toEqual([]);
  });
});

describe('completions from the platform', () => {
  it('are not requested without a valid token', async () => {
    expect(await complete(templates)).toEqual(nothing);
    expect(someone.requests).toEqual([]);
  });

  it('are requested with the token of an earlier command, once a minute', async () => {
    await loggedIn();
    const { stdout } = await complete(templates);
    expect(stdout.split('\n').slice(0, 2)).toEqual(['template_001\tPressure low', 'template_002\tDoor open']);
    expect(asked()).toEqual([`GET /api/v1/orgs/${ids.root}/notifications/templates?maxResultCount=100`]);
    await complete(templates);
    await complete(names);
    expect(asked()).toHaveLength(1);
    someone.advance(minute + 1000);
    await complete(templates);
    expect(asked()).toHaveLength(2);
  });

  it('come from the cache after the token has expired', async () => {
    const nobody = { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined };
    const ada = (...words: string[]) => someone.iiot(words, { env: nobody, stdin: ids.adminPassword });
    expect((await ada('login', '--account', ids.admin, '--password-stdin')).exit).toBe(0);
    const { stdout } = await ada('__complete', 'fish', ...credentials.split(' '));
    expect(stdout).toBe('words\0credential_001\tSandbox machine\0');
    someone.advance(3 * 60 * minute);
    const before = someone.requests.length;
    expect(await ada('__complete', 'fish', ...credentials.split(' '))).toEqual({ exit: 0, stdout, stderr: '' });
    expect(someone.requests).toHaveLength(before);
  });

  it('belong to the platform and the organization that the line names', async () => {
    await loggedIn();
    await complete(`templates update --org ${ids.empty} `);
    await complete(`templates update --org=${ids.withDevices} `);
    expect(asked().map((request) => request.split('/')[4])).toEqual([ids.empty, ids.withDevices]);
    const before = someone.requests.length;
    expect(await complete('templates update --base-url https://elsewhere.example ')).toEqual(nothing);
    expect(someone.requests).toHaveLength(before);
  });

  it('are cached in a private file without a secret', async () => {
    await loggedIn();
    await complete(templates);
    const path = join(someone.folder, 'seen.json');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const text = readFileSync(path, 'utf8');
    expect(text).not.toContain(ids.clientSecret);
    expect(text).not.toMatch(/ey[\w-]+\.ey/);
  });
});

describe('completions from this machine', () => {
  it('are profiles with their base URLs, and organizations of the same platform', async () => {
    await someone.iiot(['profiles', 'set', 'plant', 'baseUrl=https://plant.example', `org=${ids.empty}`]);
    expect((await complete('profiles use ')).stdout).toBe('plant\thttps://plant.example\n');
    // Those of another platform are not there.
    expect((await complete('--org ')).stdout).toBe('');
    expect((await complete('--base-url https://plant.example --org ')).stdout).toBe(`${ids.empty}\tprofile plant\n`);
  });

  it('are the methods and the API paths with the organization', async () => {
    const users = `/api/v1/orgs/${ids.root}/users\tGET: List the users of an organization`;
    expect((await complete('api GET ')).stdout).toContain(`${users}\n`);
    const { stdout } = await complete('api ');
    expect(stdout.split('\n').slice(0, 6)).toEqual(['GET\t', 'POST\t', 'PUT\t', 'PATCH\t', 'DELETE\t', users]);
  });

  it('are time zones', async () => {
    expect((await complete('batches cron x --tz ')).stdout).toMatch(/^UTC\t\n[\s\S]*\nEurope\/Berlin\t\n/);
  });
});

describe('completions', () => {
  it.each([
    ['an unknown shell', ['nonsense', 'templates', '']],
    ['no shell', []],
    ['an invalid base URL', ['fish', 'templates', 'update', '--base-url', 'no address', '']],
    ['an invalid profile name', ['zsh', 'templates', 'update', '--profile', '../x', '']],
    ['an invalid request of PowerShell', ['powershell', 'bm9uc2Vuc2U=']],
  ])('are empty without an error for %s', async (_, words) => {
    const { stdout, ...run } = await someone.iiot(['__complete', ...words]);
    expect({ ...run, stdout: stdout.replace(/^words\0*/, '') }).toEqual(nothing);
  });

  it('are empty without an error if the settings cannot be read', async () => {
    writeFileSync(join(someone.folder, 'config.json'), '{ broken');
    expect(await complete('profiles use ')).toEqual(nothing);
  });

  it.each(['{ broken', '[]', '{"version":1,"seen":{"x":{"at":0,"values":[1]}}}', '{"version":2,"seen":{}}'])(
    'are empty without an error for a cache of %s',
    async (text) => {
      writeFileSync(join(someone.folder, 'seen.json'), text, { mode: 0o600 });
      expect(await complete('channels update ')).toEqual(nothing);
    },
  );

  it('work if the cache cannot be written', async () => {
    await loggedIn();
    mkdirSync(join(someone.folder, 'seen.json'));
    expect(await complete(credentials)).toEqual({ ...nothing, stdout: 'credential_001\tSandbox machine\n' });
  });

  it('are empty within half a second if the platform does not respond', async () => {
    beHasty();
    const hanging = newPerson({ env: { IIOT_TOKEN: 'a-token' }, fetch: (_url, { signal }) => refusedBy(signal) });
    expect(await hanging.iiot(['__complete', 'fish', ...templates.split(' ')])).toMatchObject({
      exit: 0,
      stdout: 'words\0',
    });
    expect(patience).toBeLessThan(500);
  });
});

/** Ends when it is told to, as the network does. */
function refusedBy(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }));
}
