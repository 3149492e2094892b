/** The services of docs/rehearsing.md: what each of them starts answers at the address that the document gives. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Begun, homeForEach } from '../support/home.ts';
import { lacks } from '../support/lacking.ts';
import { until } from '../support/waiting.ts';

const text = readFileSync('docs/rehearsing.md', 'utf8');
const [github, gitlab] = [...text.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, block = '']) => parse(block));
const [, testcontainers = ''] = /\.withCommand\((\[.*\])\)/.exec(text) ?? [];
const [, variables = ''] = /The other variables are ([\s\S]*?);/.exec(text) ?? [];

const services: Readonly<Record<string, readonly string[]>> = {
  GitHub: github.services.sandbox.command.split(' '),
  GitLab: gitlab.services[0].command,
  testcontainers: JSON.parse(testcontainers.replaceAll("'", '"')),
};
const org = '11111111-1111-4111-8111-111111111111';
const home = homeForEach();

describe('a service of docs/rehearsing.md', () => {
  it.skipIf(lacks('curl')).each(Object.entries(services))(
    'for %s starts, and answers by the name that its jobs use',
    async (name, words) => {
      const own = words.map((word, at) => (words[at - 1] === '--port' ? '0' : word));
      expect(words.slice(words.indexOf('--port')).slice(0, 2)).toEqual(['--port', '8080']);
      const begun: Begun = home.begin([...own, '--users', '5', '--devices', '3', '-o', 'json']);
      await until('it has said where it is', () => begun.stdout().endsWith('}\n'));
      const { url } = JSON.parse(begun.stdout());
      const host = name === 'GitLab' ? gitlab.services[0].alias : 'localhost';
      const called = await home.run(['curl', '-s', '-o', 'out', '-w', '%{http_code}', '-H', `Host: ${host}:8080`, url]);
      expect(called.stdout).toBe('200');
      const env = Object.fromEntries([...variables.matchAll(/`(\w+)=([^`]*)`/g)].map(([, key, value]) => [key, value]));
      const list = await home.iiot(['orgs', 'users', 'list', '--limit', '1', '-o', 'id'], {
        env: { ...env, IIOT_BASE_URL: url },
      });
      expect(list).toEqual({ exit: 0, stdout: 'ada\n', stderr: '1 of 5 users\n' });
      begun.child.kill('SIGTERM');
      await begun.ended;
    },
  );

  it('is reached over plain http with the profile of the line for GitLab', async () => {
    const [program, ...words] = gitlab.before_script[0].split(' ');
    expect([program, await home.iiot(words)]).toMatchObject(['iiot', { exit: 0 }]);
    const list = () =>
      home.iiot(['orgs', 'users', 'list', '--retries', '0'], { env: { IIOT_TOKEN: 'a', IIOT_ORG: org } });
    // There is no such host here: 8, where plain http would be refused with 2.
    expect((await list()).exit).toBe(8);
    await home.iiot(['profiles', 'set', 'default', 'allowHttp=']);
    expect((await list()).exit).toBe(2);
  });
});
