/** What agents read is what the program says, and what it says is true. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { llms, skill } from '../../build/agents.ts';
import { groups } from '../../src/commands/index.ts';
import { topics } from '../../src/shell/topics.ts';
import { loadCommands } from '../../src/shell/tree.ts';
import { personForEach } from '../support/fixtures.ts';

const commands = await loadCommands(groups);
const written = { skill: readFileSync('skills/iiot/SKILL.md', 'utf8'), llms: readFileSync('docs/llms.txt', 'utf8') };

describe('the files for agents', () => {
  it('are in the repository as the definitions give them', () => {
    const made = { skill: skill(commands), llms: llms(commands, readFileSync('README.md', 'utf8')) };
    expect([made.skill === written.skill, made.llms === written.llms], 'Run: npm run texts').toEqual([true, true]);
  });

  it('begin with the name of the skill and with when to use it', () => {
    const [, front = ''] = /^---\n([\s\S]*?)\n---\n/.exec(written.skill) ?? [];
    const { name, description, ...rest } = parse(front);
    expect({ name, rest }).toEqual({ name: 'iiot', rest: {} });
    expect(description).toMatch(/ Use it to /);
    expect(description.length).toBeLessThanOrEqual(1024);
  });

  it('say of every command whether it can be undone', () => {
    const rows = new Map(
      [...written.skill.matchAll(/^\| `iiot ([a-z0-9 -]+?)(?: [<[-].*)?` \| .* \| (.*) \|$/gm)].map(
        ([, name = '', changes = '']) => [name, changes],
      ),
    );
    expect(rows.get('orgs delete')).toBe('cannot be undone');
    expect(rows.get('credentials create')).toBe('can be changed back');
    expect(rows.get('orgs users list')).toBe('');
    expect([...rows.keys()]).toEqual(commands.map(({ name }) => name));
  });

  it('link only to files that exist, with a page for each command', () => {
    const links = [...written.llms.matchAll(/\]\(([^)#]+)\)/g)].map(([, path = '']) => path);
    expect(links.length).toBeGreaterThan(commands.length + 5);
    expect(links.filter((path) => !existsSync(`docs/${path}`))).toEqual([]);
  });
});

describe('iiot help agents', () => {
  const someone = personForEach();
  const rows =
    topics
      .find(({ name }) => name === 'agents')
      ?.text()
      .flatMap((part) => (typeof part === 'string' ? [] : part)) ?? [];

  it('names only commands and options that exist', async () => {
    const named = rows.flatMap(([word, says]) =>
      [...`${word} ${says}`.matchAll(/(?:^| )(--[a-z-]+|-o)\b/g)].map(([, option]) => option),
    );
    const known = JSON.stringify([(await someone.iiot(['help', '--all', '-o', 'json'])).stdout]);
    const unknown = named.filter((option) => !known.includes(`\\"${option}\\"`) && option !== '--all');
    expect(unknown).toEqual([]);
    for (const [word] of rows.filter(([word]) => word.startsWith('iiot '))) {
      const words = word.split(' ').filter((each) => /^(?!(?:iiot|help|json)$)[a-z]+$/.test(each));
      expect((await someone.iiot(['help', ...words])).exit).toBe(0);
    }
  });

  it('lists only exit codes that iiot help lists', async () => {
    const { exitCodes } = JSON.parse((await someone.iiot(['help', '-o', 'json'])).stdout);
    const all = new Set(exitCodes.map(({ code }: { code: number }) => String(code)));
    const listed = rows.flatMap(([word]) => (/^\d/.test(word) ? word.split(', ') : []));
    expect(listed).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
    expect(listed.filter((code) => !all.has(code))).toEqual([]);
  });
});
