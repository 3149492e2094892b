import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../src/command/context.ts';
import { groups } from '../../src/commands/index.ts';
import { lineForTool } from '../../src/mcp/line.ts';
import { commandWords } from '../../src/mcp/run-line.ts';
import { everyTool } from '../../src/mcp/tools.ts';
import { loadCommands } from '../../src/shell/tree.ts';

const tools = await everyTool(groups);
const named = (name: string) => {
  const tool = tools.find((each) => each.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return tool;
};

describe('the tools', () => {
  it('are all commands except those for a person only', async () => {
    const commands = (await loadCommands(groups)).map(({ name }) => name);
    const kept = commands.filter((name) => !tools.some(({ command }) => command.name === name));
    const forPersons =
      'orgs users diff, devices custom-info import, templates edit, templates pull, templates push, each, sandbox start, sandbox exec, sandbox tour, ' +
      'sandbox clock, sandbox export, login, login m2m, login token, login refresh, logout, profiles set, profiles use, profiles rename, profiles delete, ' +
      'api, mcp, completion';
    expect(kept.join(', ')).toBe(forPersons);
  });

  it('have no inputs for the login, the platform or a confirmation', () => {
    const inputs = new Set(tools.flatMap(({ input }) => Object.keys(input.properties as object)));
    const never =
      'profile baseUrl caFile clientCert clientKey yes confirmProfile debug orgName clientSecret force contentFile';
    expect(never.split(' ').filter((input) => inputs.has(input))).toEqual([]);
  });

  it.each(tools.map((tool) => [tool.name, tool] as const))(
    'include %s with a valid name and input schema',
    (name, { input }) => {
      expect(name).toMatch(/^[a-z0-9_]{1,64}$/);
      expect(tools.filter((tool) => tool.name === name)).toHaveLength(1);
      new Ajv2020({ strict: false }).compile(input);
      const undescribed = Object.entries(input.properties as Record<string, { description?: string }>).filter(
        ([, field]) => !field.description,
      );
      expect(undescribed).toEqual([]);
    },
  );

  it('have inputs with types and limits', () => {
    expect(named('orgs_users_list').input).toMatchObject({
      type: 'object',
      properties: {
        role: { type: 'string', enum: ['admin', 'operator', 'viewer'] },
        pageSize: { type: 'integer', minimum: 1, maximum: 1000 },
        all: { type: 'boolean' },
        org: { type: 'string' },
      },
      additionalProperties: false,
    });
    expect(named('templates_update').input).toMatchObject({
      required: ['templateId'],
      properties: { tag: { type: 'array', items: { type: 'string' } } },
    });
  });
});

it('only tools that act inside an organization have the input org', () => {
  const taking = tools.filter(({ input }) => Object.hasOwn(input.properties as object, 'org')).map(({ name }) => name);
  expect(taking).toEqual(
    expect.arrayContaining(['orgs_users_list', 'templates_list', 'policies_update', 'batches_create']),
  );
  for (const name of ['orgs_delete', 'batches_cron', 'doctor', 'history', 'login_status', 'credentials_list']) {
    expect(taking).not.toContain(name);
  }
});

describe('an input', () => {
  it('becomes the words of a command line, whatever its strings contain', () => {
    const { global: _global, ...line } = lineForTool(named('templates_update'), {
      templateId: '--yes',
      subject: '-x "y"',
      tag: ['a', '--b'],
      clearChannelTypes: true,
    });
    expect(line).toEqual({
      words: ['templates', 'update'],
      options: ['--subject=-x "y"', '--tag=a', '--tag=--b', '--clear-channel-types'],
      positional: ['--yes'],
    });
  });

  it('becomes the opposite option if it is false', () => {
    expect(lineForTool(named('channels_update'), { channelId: 'c', enabled: false }).options).toEqual(['--disabled']);
  });

  it('goes to standard input as JSON if it is a list of objects', () => {
    const { global: _global, ...line } = lineForTool(named('batches_create'), { name: 'n', actions: [{ a: 1 }] });
    expect(line).toEqual({
      words: ['batches', 'create'],
      options: ['--name=n', '--actions-file=-'],
      positional: [],
      stdin: '[{"a":1}]',
    });
  });

  it.each([
    [{ name: 7, nonsense: 1 }, 'The tool templates_list has no input "nonsense".'],
    [{ all: 'yes' }, '"all" must be true or false.'],
    [{ tag: 'night' }, '"tag" must be a list.'],
    [{ name: { a: 1 } }, '"name" must be a string or a number.'],
  ])('such as %j is refused', (input, sentence) => {
    expect(() => lineForTool(named('templates_list'), input)).toThrow(sentence);
  });

  it('is refused if an item of a list looks like several values', () => {
    const tags = (...tag: string[]) => lineForTool(named('templates_update'), { templateId: 't', tag }).options;
    expect(() => tags('a', 'day,night')).toThrow(
      expect.objectContaining({
        message: '"tag" has an item that looks like several: "day,night".',
        facts: { hint: 'Give ["day","night"]; if it is one value, give the whole "body"' },
      }),
    );
    expect(tags('Hall 3, north')).toEqual(['--tag=Hall 3, north']);
    expect(lineForTool(named('templates_list'), { tag: ['day,night'] }).options).toContain('--tag=day,night');
  });

  it('is refused without a required value', () => {
    expect(() => lineForTool(named('templates_update'), { subject: 's' })).toThrow('"templateId" is missing.');
  });
});

const place = ['--profile=plant', '--base-url=https://p.example'];

it.each([
  ['orgs_users_list', {}, [...place, '--org=a', '--request-timeout=9s', '--limit=50']],
  ['orgs_users_list', { org: 'b' }, [...place, '--request-timeout=9s', '--org=b', '--limit=50']],
  ['orgs_delete', { orgId: 'b' }, [...place, '--request-timeout=9s', '--', 'b']],
  ['credentials_list', { limit: 7 }, [...place, '--request-timeout=9s', '--limit=7']],
  ['profiles_show', {}, [...place, '--org=a', '--request-timeout=9s']],
  ['profiles_show', { name: 'b' }, ['--base-url=https://p.example', '--org=a', '--request-timeout=9s', '--', 'b']],
  ['batches_cron', { expression: '0 0 6 * * ?' }, ['--profile=plant', '--request-timeout=9s', '--', '0 0 6 * * ?']],
])('a call of %s with %j gets the options of iiot mcp that its command has', (name, input, words) => {
  const options = { profile: 'plant', baseUrl: 'https://p.example', org: 'a', requestTimeout: '9s', quiet: true };
  const settings = { profile: { value: 'plant', from: '--profile' } };
  const line = commandWords(lineForTool(named(name), input), { options, settings } as Context); // all that it reads
  expect(line).toEqual([...name.split('_'), ...words]);
});
