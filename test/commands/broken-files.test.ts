/** What becomes of files of the settings that are broken. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { ids } from '../../src/sandbox/world/ids.ts';
import { personForEach } from '../support/fixtures.ts';
import { wordsOf } from '../support/words.ts';

const someone = personForEach({
  env: { IIOT_BASE_URL: undefined, IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined },
});
const broken = '{"version":1,"logins":{"default":{"refreshToken":"CANARY';
const run = (line: string) => someone.iiot(wordsOf(line), { stdin: ids.clientSecret });
const base = '--base-url http://127.0.0.1:1';
const put = (name: string) => writeFileSync(`${someone.folder}/${name}`, broken, { mode: 0o600 });
const login = `login m2m ${base} --client-id ${ids.clientId} --client-secret-stdin`;

describe('a broken config.json', () => {
  const names = /config\.json: /;
  beforeEach(() => put('config.json'));

  it.each(['orgs users list', 'logout', 'profiles set default org=1', `templates update template_1 --name A ${base}`])(
    'stops iiot %s',
    async (line) => {
      expect(await run(line)).toEqual({ exit: 1, stdout: '', stderr: expect.stringMatching(names) });
      expect([readFileSync(`${someone.folder}/config.json`, 'utf8'), someone.requests]).toEqual([broken, []]);
    },
  );

  it('stops neither what needs no profile nor iiot logout --all', async () => {
    expect(await run('batches cron "0 0 12 * * ?"')).toMatchObject({ exit: 0 });
    expect(await run('logout --all')).toEqual({ stdout: '', stderr: 'Nobody was logged in\n', exit: 0 });
  });

  it('is set aside by a login together with a broken credentials.json, which a logout names', async () => {
    put('credentials.json');
    const { exit, stderr } = await run(login);
    const aside = ['credentials', 'config'].map((name) => expect.stringContaining(`${name}.json.broken-`));
    expect([exit, stderr.split('\n').slice(0, 2)]).toEqual([0, aside]);
    const kept = readdirSync(someone.folder).filter((name) => /broken-\d+$/.test(name));
    expect(kept.map((name) => readFileSync(`${someone.folder}/${name}`, 'utf8'))).toEqual([broken, broken]);
    expect(await run('logout')).toMatchObject({ exit: 0, stderr: expect.stringContaining('credentials.json.broken-') });
  });

  it('is reported by iiot doctor', async () => {
    const { stdout, exit } = await run('doctor --jq \'.[] | select(.check == "files") | .status, .message\'');
    expect([exit, stdout]).toEqual([1, expect.stringMatching(/^failure\n(?!.*CANARY).*config\.json/)]);
  });
});
