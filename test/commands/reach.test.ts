/** --org, --base-url and --profile say where a command acts: where they would say nothing, they are refused instead of ignored. */
import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/command/command.ts';
import { globalOptionsOf } from '../../src/command/reach.ts';
import { groups } from '../../src/commands/index.ts';
import { everyCommand } from '../../src/shell/tree.ts';
import { personForEach } from '../support/fixtures.ts';
import { refused } from '../support/world.ts';

const someone = personForEach();
const commands = await everyCommand(groups);
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

it('are taken where a command acts, and only there', () => {
  const acting = commands.filter(({ arguments: args, operation }) => operation?.params.orgId && !args.orgId);
  const others = ['login', 'login m2m', 'login status', 'profiles show', 'doctor', 'api', 'mcp'];
  expect(taking('org')).toEqual([...acting.map(({ name }) => name), ...others]);
  const local = commands.map(({ name }) => name).filter((name) => !taking('baseUrl').includes(name));
  expect(local.join(', ')).toBe(
    'batches cron, sandbox start, sandbox exec, sandbox tour, logout, profiles list, profiles set, profiles use, profiles rename, profiles delete, ' +
      'history, history show, completion, version',
  );
});

describe('an option that would have no effect', () => {
  const refusing = commands.filter(({ name }) => !taking('org').includes(name) && name !== 'orgs delete');

  it.each(refusing.map((command) => [command.name, command] as const))(
    'iiot %s refuses --org',
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
  ])('iiot %s', async (line, message) => {
    const { exit, stderr } = await someone.iiot(line);
    expect([exit, stderr.split('\n')[0]]).toEqual([2, `error: ${message}; leave it out.`]);
  });

  it('is reported with everything else that is wrong', async () => {
    const { stderr } = await someone.iiot(['credentials', 'list', '--limit', '0', '--org', 'x', '-o', 'json']);
    expect(JSON.parse(stderr).error.details).toMatchObject([{ option: '--limit' }, { option: '--org' }]);
  });

  it('is not used from a variable or a profile', async () => {
    await someone.iiot(['profiles', 'set', 'default', `org=${other}`]);
    const line = ['credentials', 'list', '-o', 'id'];
    expect((await someone.iiot(line, { env: { IIOT_ORG: other } })).exit).toBe(0);
    expect((await someone.iiot(line, { env: { IIOT_ORG: undefined } })).exit).toBe(0);
  });
});

describe('an option next to an argument that says the same', () => {
  const deletion = ['orgs', 'delete', storage, '--org-name', 'Storage', '--org'];

  it('deletes nothing where they differ', async () => {
    const sentence = `--org names ${other}, but <orgId> is ${storage}; give one of them.`;
    expect(await someone.iiot([...deletion, other])).toEqual(refused(sentence, 'See iiot orgs delete --help'));
    expect(someone.requests).toEqual([]);
  });

  it('says nothing wrong of the argument where the option is no UUID', async () => {
    const { stderr } = await someone.iiot([...deletion, 'x', '-o', 'json']);
    expect(JSON.parse(stderr).error.message).toBe(`--org names x, but <orgId> is ${storage}; give one of them.`);
  });

  it.each([storage, ` ${storage.toUpperCase()}\n`, storage.replaceAll('-', ''), `{${storage}}`])(
    'deletes where they are the same: %j',
    async (same) => {
      const { exit, stderr } = await someone.iiot([...deletion, same], { env: { IIOT_ORG: other } });
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: `Deleted organization ${storage}\n` });
    },
  );

  it.each([['set', 'org=a'], ['use'], ['delete'], ['show']])(
    'refuses two profiles: profiles %s',
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

  it('refuses a profile together with all profiles', async () => {
    expect((await someone.iiot(['logout', '--all', '--profile', 'one'])).stderr).toBe(
      'error: --all and --profile cannot be combined.\nhint: Give one of them\n',
    );
  });
});

describe('help and Tab', () => {
  it.each([
    ['credentials list', 'org'],
    ['orgs delete', 'org'],
    ['profiles use', 'profile'],
    ['version', 'base-url'],
  ])('iiot %s does not offer --%s', async (name, option) => {
    const path = name.split(' ');
    expect((await someone.iiot(['help', ...path])).stdout).not.toMatch(new RegExp(`--${option}[,;]`));
    const { options } = JSON.parse((await someone.iiot(['help', ...path, '-o', 'json'])).stdout);
    expect(options.map((each: { name: string }) => each.name)).not.toContain(option);
    const tab = async (...words: string[]) => (await someone.iiot(['__complete', 'fish', ...words, '--'])).stdout;
    expect(await tab(...path)).not.toContain(`--${option}\t`);
    expect(await tab('orgs', 'users', 'list')).toContain(`--${option}\t`);
  });
});
