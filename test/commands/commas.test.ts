/** A comma inside one value of an option that can be given again: gh and kubectl split there, and the platform would store it. */
import { describe, expect, it } from 'vitest';
import { ownOptions } from '../../src/command/command.ts';
import { groups } from '../../src/commands/index.ts';
import { everyCommand } from '../../src/shell/tree.ts';
import { personForEach } from '../support/fixtures.ts';
import { refused } from '../support/world.ts';

const policy = 'aaaaaaaa-0000-4000-8000-000000000001';
const create = ['credentials', 'create', '--name', 'a', '--dry-run'];
const someone = personForEach();
const commands = await everyCommand(groups);

describe('a comma between what looks like several values', () => {
  it.each([
    [['templates', 'update', 'template_001', '--tag', 'day,night'], '--tag day --tag night'],
    [
      ['templates', 'update', 'template_001', '--channel-type', 'email,teams'],
      '--channel-type email --channel-type teams',
    ],
    [
      ['channels', 'update', 'channel_email', '--recipient', 'ops@a.example, Night <night@a.example>'],
      "--recipient ops@a.example --recipient 'Night <night@a.example>'",
    ],
    [
      ['policies', 'update', policy, '--channel-id=channel_email,channel_teams'],
      '--channel-id channel_email --channel-id channel_teams',
    ],
    [[...create, '--scope', 'read,write'], '--scope read --scope write'],
    [[...create, '--device-id', 'press-0001,'], '--device-id press-0001'],
    [['templates', 'update', 'template_001', '--tag', '夜勤、日勤'], "--tag '夜勤' --tag '日勤'"],
    [[...create, '--scope', 'read;write'], '--scope read --scope write'],
    [['templates', 'update', 'template_001', '--tag=—day,night'], "'--tag=—day' --tag night"],
  ])('is refused, and the line is shown as it may be meant: %j', async (words, meant) => {
    const [option = ''] = /--[\w-]+/.exec(meant) ?? [];
    const name = words.slice(0, 2).join(' ');
    const sentence = `${option} takes one value each time: ${meant}, or --body-file if it is one value.`;
    expect(await someone.iiot(words)).toEqual(refused(sentence, `See iiot ${name} --help`));
    expect(someone.requests).toEqual([]);
  });

  it('is reported together with everything else that is wrong', async () => {
    const words = ['templates', 'update', 'template_001', '--tag', 'a,b', '--name', 'n'.repeat(201), '-o', 'json'];
    const { stderr } = await someone.iiot(words);
    expect(JSON.parse(stderr).error.details).toEqual([
      {
        option: '--tag',
        message: 'takes one value each time: --tag a --tag b, or --body-file if it is one value',
      },
      { option: '--name', field: 'name', message: 'takes at most 200 characters, but has 201' },
    ]);
  });

  it('is stored from a file: who writes one means it', async () => {
    const words = ['templates', 'update', 'template_001', '--body-file', '-', '-q'];
    expect((await someone.iiot(words, { stdin: '{"tags":["day,night"]}' })).exit).toBe(0);
    expect(someone.sent.at(-1)?.body).toBe('{"tags":["day,night"]}');
  });

  it('is free in a filter', async () => {
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

  it('is not noted with -q, nor where there is none', async () => {
    expect((await someone.iiot([...create, '--scope', 'a b, c', '-q'])).stderr).toBe('');
    expect((await someone.iiot([...create, '--scope', 'a b'])).stderr).toBe('');
  });
});

/** What comes from a list in a body, over all commands: a new one is held to it as well. */
const stored = commands.flatMap((command) =>
  ownOptions(command)
    .filter(({ schema, path }) => schema.type === 'array' && path !== undefined)
    .map(({ long }) => [command, long] as const),
);

it('is looked at in every option whose words are stored', async () => {
  const told: string[] = [];
  for (const [command, long] of stored) {
    const words = Object.values(command.arguments).map(() => 'an-id');
    const { exit, stderr } = await someone.iiot([...command.name.split(' '), ...words, `--${long}`, 'a,b']);
    expect([exit, stderr]).toEqual([2, expect.stringContaining(`--${long} a --${long} b`)]);
    told.push(`${command.name} --${long}`);
  }
  expect(told).toContain('templates update --tag');
});
