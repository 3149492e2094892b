/** A comma in a value of an option that can be repeated: gh and kubectl split the value there. */
import { describe, expect, it } from 'vitest';
import { ownOptions } from '../../src/command/command.ts';
import { groups } from '../../src/commands/index.ts';
import { loadCommands } from '../../src/shell/tree.ts';
import { personForEach } from '../support/fixtures.ts';
import { refused } from '../support/world.ts';

const policy = 'aaaaaaaa-0000-4000-8000-000000000001';
const create = ['credentials', 'create', '--name', 'a', '--dry-run'];
const someone = personForEach();
const commands = await loadCommands(groups);

describe('a comma between several values', () => {
  it.each([
    [['templates', 'update', 'template_001', '--tag', 'day,night'], '--tag day --tag night'],
    [
      ['channels', 'update', 'channel_email', '--recipient', 'ops@a.example, Night <night@a.example>'],
      "--recipient ops@a.example --recipient 'Night <night@a.example>'",
    ],
    [
      ['policies', 'update', policy, '--channel-id=channel_email,channel_teams'],
      '--channel-id channel_email --channel-id channel_teams',
    ],
    [[...create, '--device-id', 'press-0001,'], '--device-id press-0001'],
    [['templates', 'update', 'template_001', '--tag', '夜勤、日勤'], "--tag '夜勤' --tag '日勤'"],
    [['templates', 'update', 'template_001', '--tag=—day,night'], "'--tag=—day' --tag night"],
  ])('is refused, with a hint at what may be meant: %j', async (words, meant) => {
    const [option = ''] = /--[\w-]+/.exec(meant) ?? [];
    const name = words.slice(0, 2).join(' ');
    const sentence = `${option} takes one value each time: ${meant}, or --body-file if it is one value.`;
    expect(await someone.iiot(words)).toEqual(refused(sentence, `See iiot ${name} --help`));
    expect(someone.requests).toEqual([]);
  });

  it('is sent in a filter of a list', async () => {
    const { exit } = await someone.iiot(['templates', 'list', '--tag', 'day,night']);
    expect([exit, someone.requests.at(-1)]).toEqual([0, expect.stringContaining('tags=day%2Cnight')]);
  });
});

describe('a comma that may belong to its value', () => {
  it('is sent, with a note', async () => {
    const words = ['templates', 'update', 'template_001', '--tag', 'Hall 3, north', '--tag', 'day'];
    const { exit, stderr } = await someone.iiot(words);
    expect([exit, stderr.split('\n')[0]]).toEqual([0, 'Note: --tag "Hall 3, north" is sent as one value.']);
    expect(someone.sent.at(-1)?.body).toBe('{"tags":["Hall 3, north","day"]}');
  });

  it('is not noted with -q', async () => {
    expect((await someone.iiot([...create, '--scope', 'a b, c', '-q'])).stderr).toBe('');
  });
});

/** The options of all commands whose lists go into a body. */
const stored = commands.flatMap((command) =>
  ownOptions(command)
    .filter(({ schema, path }) => schema.type === 'array' && path !== undefined)
    .map(({ long }) => [command, long] as const),
);

it('a comma is refused in every option that sends a list', async () => {
  const told: string[] = [];
  for (const [command, long] of stored) {
    const words = Object.values(command.arguments).map(() => 'an-id');
    const { exit, stderr } = await someone.iiot([...command.name.split(' '), ...words, `--${long}`, 'a,b']);
    expect([exit, stderr]).toEqual([2, expect.stringContaining(`--${long} a --${long} b`)]);
    told.push(`${command.name} --${long}`);
  }
  expect(told).toContain('templates update --tag');
});
