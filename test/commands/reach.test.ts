/** --org, --base-url and --profile say where a command acts: where they would say nothing, they are refused instead of ignored. */
import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/command/command.ts';
import { globalOptionsOf } from '../../src/command/reach.ts';
import { groups } from '../../src/commands/index.ts';
import { loadCommands } from '../../src/shell/tree.ts';
import { personForEach } from '../support/fixtures.ts';
import { refused } from '../support/world.ts';

const someone = personForEach();
const commands = await loadCommands(groups);
const other = '99999999-9999-4999-8999-999999999999';
const storage = '77777777-7777-4777-8777-777777777777';

const taking = (option: string) =>
  commands.filter((each) => globalOptionsOf(each).some(({ name }) => name === option)).map(({ name }) => name);

/** A line that is complete, so that only the option can be wrong. */
function lineOf({ name, arguments: args }: Command, ...options: string[]): string[] {
  const all = Object.values(args);
  const words = all.filter(({ behindDashes }) => !behindDashes).map(() => 'some');
  const inner = all.length > words.length ? ['--', 'version'] : [];
  return [...name.split(' '), ...words, ...options, ...inner];
}

it('--org, --base-url and --profile are taken only by commands that use them', () => {
  const acting = commands.filter(({ arguments: args, operation }) => operation?.params.orgId && !args.orgId);
  const others = ['login', 'login m2m', 'login status', 'profiles show', 'doctor', 'api', 'mcp'];
  expect(taking('org')).toEqual([...acting.map(({ name }) => name), ...others]);
  const local = commands.map(({ name }) => name).filter((name) => !taking('baseUrl').includes(name));
  expect(local.join(', ')).toBe(
    'batches cron, sandbox start, sandbox exec, sandbox tour, logout, profiles list, profiles set, profiles use, profiles rename, profiles delete, ' +
      'history, history show, completion, version',
  );
});

describe('an option without effect', () => {
  const refusing = commands.filter(({ name }) => !taking('org').includes(name) && name !== 'orgs delete');

  it.each(refusing.map((command) => [command.name, command] as const))(
    'is refused by iiot %s: --org',
    async (name, command) => {
      const instead = name === 'each' ? 'did you mean --orgs' : 'leave it out';
      const sentence = `--org has no effect: iiot ${name} does not act in an organization; ${instead}.`;
      const seen = await someone.iiot(lineOf(command, '--org', other));
      expect(seen).toEqual(refused(sentence, `See iiot ${name} --help`));
      expect(someone.requests).toEqual([]);
    },
  );

  it.each([
    [
      ['logout', '--base-url', 'https://other.example'],
      '--base-url has no effect: iiot logout does not talk to a platform',
    ],
    [['sandbox', 'start', '--profile', 'mine'], '--profile has no effect: iiot sandbox start does not use a profile'],
  ])('is refused by iiot %j', async (line, message) => {
    const { exit, stderr } = await someone.iiot(line);
    expect([exit, stderr.split('\n')[0]]).toEqual([2, `error: ${message}; leave it out.`]);
  });

  it('is reported together with other mistakes', async () => {
    const { stderr } = await someone.iiot(['credentials', 'list', '--limit', '0', '--org', 'x', '-o', 'json']);
    expect(JSON.parse(stderr).error.details).toMatchObject([{ option: '--limit' }, { option: '--org' }]);
  });

  it('is ignored in a variable and in a profile', async () => {
    await someone.iiot(['profiles', 'set', 'default', `org=${other}`]);
    const line = ['credentials', 'list', '-o', 'id'];
    expect((await someone.iiot(line, { env: { IIOT_ORG: other } })).exit).toBe(0);
    expect((await someone.iiot(line, { env: { IIOT_ORG: undefined } })).exit).toBe(0);
  });
});

describe('an option beside an argument with the same meaning', () => {
  const deletion = ['orgs', 'delete', storage, '--org-name', 'Storage', '--org'];

  it('is refused before orgs delete deletes an organization of another ID', async () => {
    const sentence = `--org names ${other}, but <orgId> is ${storage}; give one of them.`;
    expect(await someone.iiot([...deletion, other])).toEqual(refused(sentence, 'See iiot orgs delete --help'));
    expect(someone.requests).toEqual([]);
  });

  it('is named alone in the error if it is not a UUID', async () => {
    const { stderr } = await someone.iiot([...deletion, 'x', '-o', 'json']);
    expect(JSON.parse(stderr).error.message).toMatch(/^--org names x, [^.]*\.$/);
  });

  it.each([storage, ` ${storage.toUpperCase()}\n`, storage.replaceAll('-', ''), `{${storage}}`])(
    'is accepted by orgs delete in another spelling: %j',
    async (same) => {
      const { exit, stderr } = await someone.iiot([...deletion, same], { env: { IIOT_ORG: other } });
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: `Deleted organization ${storage}\n` });
    },
  );

  it.each([['set', 'org=a'], ['use'], ['delete'], ['show']])(
    'is refused if it names another profile: profiles %s',
    async (verb, ...more) => {
      await someone.iiot(['profiles', 'set', 'one', 'org=1']);
      const line = ['profiles', verb, 'one', ...more];
      const { exit, stderr } = await someone.iiot([...line, '--profile', 'two']);
      expect([exit, stderr.split('\n')[0]]).toEqual([
        2,
        'error: --profile names two, but <NAME> is one; give one of them.',
      ]);
      expect((await someone.iiot([...line, '--profile', 'one'])).exit).toBe(0);
    },
  );

  it('is refused by iiot logout --all: --profile', async () => {
    expect((await someone.iiot(['logout', '--all', '--profile', 'one'])).stderr).toBe(
      'error: --all and --profile cannot be combined.\nhint: Give one of them\n',
    );
  });
});

describe('help and Tab completion', () => {
  it.each([
    ['credentials list', 'org'],
    ['orgs delete', 'org'],
    ['profiles use', 'profile'],
    ['version', 'base-url'],
  ])('of iiot %s do not offer --%s', async (name, option) => {
    const path = name.split(' ');
    expect((await someone.iiot(['help', ...path])).stdout).not.toMatch(new RegExp(`--${option}[,;]`));
    const { options } = JSON.parse((await someone.iiot(['help', ...path, '-o', 'json'])).stdout);
    expect(options.map((each: { name: string }) => each.name)).not.toContain(option);
    const tab = async (...words: string[]) => (await someone.iiot(['__complete', 'fish', ...words, '--'])).stdout;
    expect(await tab(...path)).not.toContain(`--${option}\t`);
    expect(await tab('orgs', 'users', 'list')).toContain(`--${option}\t`);
  });
});
