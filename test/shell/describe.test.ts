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
