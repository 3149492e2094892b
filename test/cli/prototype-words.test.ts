/** Words that every object of JavaScript knows are words like any other, wherever a command line is looked up in a table. */
import { describe, expect, it } from 'vitest';
import { optionsOf } from '../../src/command/option.ts';
import { groups } from '../../src/commands/index.ts';
import type { Fetch } from '../../src/network/fetch.ts';
import { commandsIn, flatten, loadBranches } from '../../src/shell/tree.ts';
import { personForEach } from '../support/fixtures.ts';
import { person } from '../support/world.ts';

const names = Object.getOwnPropertyNames(Object.prototype);
const tree = await loadBranches(groups);
const levels = ['', ...tree.flatMap(flatten).flatMap(({ name, branches }) => (branches.length > 0 ? [name] : []))];
const choices = commandsIn(tree).flatMap((command) =>
  optionsOf(command).flatMap(({ long, schema }) =>
    'enum' in schema ? [[...command.name.split(' '), `--${long}`] as const] : [],
  ),
);
const someone = personForEach();
const isWrong = /bug in iiot|TypeError|native code|\[object|undefined/;

/** The lines that end otherwise than a wrong word does. */
async function otherwise(lines: readonly (readonly string[])[], exit: number): Promise<string[]> {
  const found: string[] = [];
  for (const line of lines) {
    const seen = await someone.iiot(line);
    if (seen.exit !== exit || isWrong.test(seen.stdout + seen.stderr))
      found.push(`iiot ${line.join(' ')}: ${seen.exit} ${seen.stdout}${seen.stderr}`);
  }
  return found;
}

describe('a name that every JavaScript object has', () => {
  it.each(names)('is an unknown command at every level: %s', async (name) => {
    const lines = levels.map((level) => [...level.split(' ').filter(Boolean), name]);
    expect(await otherwise(lines, 2)).toEqual([]);
    expect(someone.requests).toEqual([]);
  });
  it.each(names)('is an unknown topic of help at every level: %s', async (name) => {
    const lines = levels.map((level) => ['help', ...level.split(' ').filter(Boolean), name]);
    expect(await otherwise(lines, 2)).toEqual([]);
  });

  it.each(names)('is refused by every option that has choices: %s', async (name) => {
    const lines = [...choices, ['orgs', 'users', 'list', '--output']].map((words) => [...words, name]);
    expect(await otherwise(lines, 2)).toEqual([]);
    expect(someone.requests).toEqual([]);
  });

  it.each(names)('is completed like any other word: %s', async (name) => {
    for (const level of levels) {
      const complete = (word: string) => someone.iiot(['__complete', 'bash', `iiot ${level} ${word} `, '', '']);
      expect(await complete(name)).toEqual(await complete('other'));
    }
  });

  it.each(names)('is shown as the label of a field: %s', async (name) => {
    const record = `{"templateId":"t-1","${name}":"x","the${name}":"y"}`;
    const headers = { 'content-type': 'application/json' };
    const fetch: Fetch = async (url) => new Response(/token$/.test(url) ? '{"access_token":"t"}' : record, { headers });
    const alone = person({ fetch });
    const { stdout } = await alone.iiot('templates update t-1 --name n --org o'.split(' '), { columns: 80 });
    expect(stdout.toLowerCase().replace(/ /g, '')).toContain(`${name}x\nthe${name}y\n`.toLowerCase());
    alone.leave();
  });
});
