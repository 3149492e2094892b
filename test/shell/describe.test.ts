import { afterAll, describe, expect, it } from 'vitest';
import { person } from '../support/world.ts';

const { iiot, leave } = person();
afterAll(leave);

async function json(words: readonly string[]) {
  const { exit, stdout, stderr } = await iiot([...words, '-o', 'json']);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  return JSON.parse(stdout);
}

describe('help in JSON', () => {
  it('describes a command completely', async () => {
    const told = await json(['help', 'policies', 'update']);
    expect(told).toMatchObject({
      name: 'policies update',
      usage: 'iiot policies update <alertPolicyId> [OPTIONS]',
      aliases: [],
      arguments: [{ name: 'alertPolicyId', type: 'string', required: true, repeatable: false }],
      changes: true,
      undoable: false,
    });
    expect(Object.keys(told)).toEqual(
      expect.arrayContaining(['summary', 'description', 'options', 'examples', 'exitCodes', 'result']),
    );
  });

  it('has the type, the values and the limits of an option', async () => {
    const { options } = await json(['help', 'orgs', 'users', 'list']);
    const named = (name: string) => options.find((option: { name: string }) => option.name === name);
    expect(named('role')).toEqual({
      name: 'role',
      long: '--role',
      type: 'string',
      enum: ['admin', 'operator', 'viewer'],
      description: 'Only users with this role',
      repeatable: false,
      required: false,
    });
    expect(named('page-size')).toMatchObject({ type: 'integer', minimum: 1, maximum: 1000 });
    expect(named('limit')).toMatchObject({ short: '-L', minimum: 1 });
    expect(named('output')).toMatchObject({ short: '-o', default: 'table', global: true });
  });

  it('has the API field of an option, and whether it is repeatable', async () => {
    const { options } = await json(['help', 'policies', 'update']);
    expect(options).toContainEqual(
      expect.objectContaining({
        name: 'channel-id',
        type: 'array',
        items: expect.objectContaining({ type: 'string' }),
        repeatable: true,
        field: 'notification.channelIds',
      }),
    );
  });

  it('has the result as JSON Schema', async () => {
    const { result, exitCodes } = await json(['help', 'orgs', 'users', 'list']);
    expect(result).toMatchObject({
      type: 'array',
      items: { type: 'object', properties: { userId: { type: 'string' }, orgRole: { type: 'string' } } },
    });
    expect(exitCodes).toContainEqual({ code: 5, error: 'not_found', when: 'Organization not found' });
  });

  it('has the tree of all commands for --all', async () => {
    const { name, commands, options, exitCodes } = await json(['help', '--all']);
    expect(name).toBe('iiot');
    expect(options.map((option: { long: string }) => option.long)).toContain('--jq');
    expect(exitCodes).toContainEqual({
      code: 9,
      error: 'partial',
      when: 'some of the work failed or is of unknown outcome',
    });
    const orgs = commands.find((each: { name: string }) => each.name === 'orgs');
    expect(orgs.commands[0]).toMatchObject({
      name: 'orgs users',
      commands: [
        { name: 'orgs users list', changes: false, undoable: null, aliases: ['orgs users ls'] },
        { name: 'orgs users diff', changes: false, undoable: null, aliases: [] },
      ],
    });
  });

  it('can be filtered with --jq', async () => {
    const filter = '.commands[] | select(.name == "orgs") | .commands[0].commands[].name';
    const stdout = 'orgs users list\norgs users diff\n';
    expect(await iiot(['help', '--all', '--jq', filter])).toEqual({ exit: 0, stdout, stderr: '' });
  });

  it('describes topics and groups', async () => {
    expect((await json(['help', 'output'])).summary).toBe('Formats, columns, jq, and what goes where');
    const templates = (await json(['help', 'templates'])).commands.map((each: { name: string }) => each.name);
    expect(templates).toEqual(expect.arrayContaining(['templates list', 'templates update', 'templates preview']));
  });
});
