/** One of each file that iiot keeps, as 1.0 wrote it: every later 1.x reads them, and leaves alone what a later format has. */
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { startServer } from '../../src/sandbox/server.ts';
import { madeForEach } from '../support/fixtures.ts';
import { homeForEach } from '../support/home.ts';

const server = madeForEach(() => startServer());
const home = homeForEach();
const kept = 'test/fixtures/kept';
const places: Readonly<Record<string, string>> = {
  ...{ 'config.json': 'iiot', 'credentials.json': 'iiot', 'history.ndjson': 'iiot', 'recovery-0123abcd.json': 'iiot' },
  ...{ 'templates.json': 'templates/.iiot', 'template_001-pressure-low.txt': 'templates' },
};

beforeEach(() => {
  const { tenantId } = server.platform.world.tenant;
  for (const name of readdirSync(kept)) {
    const text = readFileSync(join(kept, name), 'utf8').replaceAll('BASE', server.url).replaceAll('TENANT', tenantId);
    home.file(join(places[name] ?? '.', name), text);
  }
  utimesSync(home.at('iiot/recovery-0123abcd.json'), 1, 1); // nobody knows whose it is, and it is old
});

const resume = ['batches', 'create', '--rows', 'batches.csv', '--resume', '--yes'];
const sandbox = ['sandbox', 'exec', '--state', 'sandbox.state', '--', 'iiot', 'orgs', 'users', 'list', '-o', 'id'];

describe('a command', () => {
  it.each([
    ['profiles and a login', ['credentials', 'list', '-o', 'id'], /^credential_001\n$/],
    ['the history', ['history', '-o', 'id'], /^e032f7b\n$/],
    ['a journal', resume, /^total\t2\ndone\t1\nfailed\t0\nskipped\t1\n/],
    [
      'results as rows',
      ['batches', 'create', '--rows', 'results.ndjson', '--dry-run', '-o', 'json'],
      /"Name":\s*"night"/,
    ],
    ['pulled templates', ['templates', 'push', 'templates', '--dry-run'], /^$/],
    ['the state of a sandbox', sandbox, /^ada\n/],
  ])('reads %s that iiot 1.0 wrote', async (_, words, shown) => {
    const { exit, stdout, stderr } = await home.iiot(words);
    expect({ exit, stdout }, stderr).toEqual({ exit: 0, stdout: expect.stringMatching(shown) });
  });

  it('reads a snapshot of users that iiot 1.0 wrote', async () => {
    const { exit, stdout } = await home.iiot(['orgs', 'users', 'diff', 'users.json', '-o', 'json']);
    expect([exit, JSON.parse(stdout).length > 100]).toEqual([10, true]);
  });

  it('reads a recovery file that iiot 1.0 wrote', async () => {
    const { stderr } = await home.iiot(['credentials', 'list']);
    expect(stderr).toMatch(/robot2.* may exist, but its secret is lost/);
  });
});

describe('a file of a later version', () => {
  const ofLater = (name: string) => {
    const text = readFileSync(home.at(name), 'utf8').replace(/"version": ?\d/, '"version":99');
    writeFileSync(home.at(name), text);
    return text;
  };
  const login = ['profiles', 'rename', 'robot', 'plant'];

  it.each([
    ['iiot/config.json', ['profiles', 'set', 'robot', 'app=x'], 1, /a newer iiot wrote it \(version 99/],
    ['iiot/credentials.json', login, 1, /a newer iiot wrote it \(version 99/],
    [
      'templates/.iiot/templates.json',
      ['templates', 'push', 'templates', '--yes'],
      2,
      /written by a newer version of iiot/,
    ],
    ['users.json', ['orgs', 'users', 'list', '--snapshot', 'users.json'], 2, /written by another version of iiot/],
    ['users.json', ['orgs', 'users', 'diff', 'users.json'], 2, /written by another version of iiot/],
    ['sandbox.state', sandbox, 2, /the state of another version of the sandbox/],
    ['batches.csv.iiot-journal', resume, 2, /format 99, not 6/],
  ])('is refused, and not changed: %s', async (name, words, exit, says) => {
    const text = ofLater(name);
    expect(await home.iiot(words)).toMatchObject({ exit, stderr: expect.stringMatching(says) });
    expect(readFileSync(home.at(name), 'utf8')).toBe(text);
  });

  it('is ignored when it is only a cache', async () => {
    for (const name of ['seen.json', 'tokens.json']) home.file(`iiot/${name}`, '{"version":99}');
    expect(await home.iiot(['credentials', 'list', '-o', 'id', '-q'])).toMatchObject({ exit: 0 });
  });
});
