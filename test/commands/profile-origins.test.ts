/** The token of a profile goes only to the platform that its login belongs to. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { crowdHome, put } from '../process/crowd.ts';
import { call, rotatingPlatform } from '../process/rotating.ts';
import { madeForEach } from '../support/fixtures.ts';
import { runHere } from '../support/here.ts';
import { failed } from '../support/seen.ts';

const home = madeForEach(crowdHome);
const platform = madeForEach(() => rotatingPlatform());

const run = (args: readonly string[], env = {}) => runHere(args, { env: { ...env, IIOT_CONFIG_DIR: home.folder } });
const read = (name: string) => JSON.parse(readFileSync(join(home.folder, name), 'utf8'));

const keep = (profiles: object, logins: Readonly<Record<string, object>>) => home.keep(platform.base, profiles, logins);

const person = { flow: 'user', tenant: 'acme', app: 'console', account: 'ada@example.com', accessToken: 'access-0' };
const renewable = { ...person, refreshToken: 'refresh-0' };

describe('the token of a profile', () => {
  let other: Server;
  let asked: string[];
  let there: string;

  beforeEach(async () => {
    asked = [];
    other = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.writeHead(401).end();
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    there = `http://127.0.0.1:${(other.address() as AddressInfo).port}`; // a TCP server that listens has one
    keep({ here: { baseUrl: platform.base }, there: { baseUrl: there } }, { here: { ...renewable, expiresAt: 1 } });
  });
  afterEach(() => void other.close());

  const refusedAsAddress = 'the right address as the user of the wrong one';
  const asHere = ['--profile', 'here'];
  const movedByHand = () => ({ version: 1, profiles: { here: { baseUrl: there } } });
  const localhost = () => there.replace('127.0.0.1', 'localhost');
  const withUser = () => there.replace('//', `//${platform.base.slice(7).replace(':', '%3A')}@`);
  const ways: Readonly<Record<string, () => { args?: readonly string[]; env?: object; change?: () => unknown }>> = {
    'both profiles named': () => ({ args: ['--profile', 'there'], env: { IIOT_PROFILE: 'here' } }),

    'the address changed by hand': () => ({
      args: asHere,
      change: () => put(home.folder, 'config.json', movedByHand()),
    }),
    'the login copied by hand': () => ({
      args: ['--profile', 'there'],
      change() {
        const { logins } = read('credentials.json');
        put(home.folder, 'credentials.json', { version: 1, logins: { there: logins.here } });
      },
    }),
    'another port in front of the same path': () => ({ args: [...asHere, '--base-url', `${there}/iiot`] }),
    'another name of the same machine': () => ({ args: [...asHere, '--base-url', localhost()] }),
    [refusedAsAddress]: () => ({ args: [...asHere, '--base-url', withUser()] }),
  };

  const commands = [
    call,
    ['login', 'token'],
    ['login', 'refresh'],
    ['login', 'status', '--check'],
    ['api', 'GET', '/api/v1/oauth2/client-credentials'],
  ];

  it.each(Object.keys(ways))('never goes to the platform of another profile: %s', async (name) => {
    for (const words of commands) {
      const { args = [], env = {}, change } = ways[name]?.() ?? {};
      await change?.();
      const { stdout, stderr, exit } = await run([...words, ...args], env);
      expect(exit).toBe(name === refusedAsAddress ? 2 : 3);
      expect(`${stdout}${stderr}`).not.toMatch(/access-0|refresh-0/);
    }
    expect({ asked, renewals: platform.renewals }).toEqual({ asked: [], renewals: [] });
  });

  it('is refused elsewhere with a hint to log in with a separate profile', async () => {
    const hint = `hint: Log in there with a separate profile: iiot login --profile NAME --base-url ${there}\n`;
    expect((await run([...call, ...asHere, '--base-url', there])).stderr).toContain(hint);
  });
});

it.each([
  [[], 'error: iiot profiles set needs KEY=VALUE.'],
  [['protected=false', 'protected=true'], 'error: protected was given twice.'],
])('profiles set plant with %j is a usage error', async (pairs, sentence) => {
  const refusal = failed(2, sentence, 'hint: See iiot profiles set --help');
  expect(await run(['profiles', 'set', 'plant', ...pairs])).toEqual(refusal);
});
