/** What a field replaces as a whole is a fact of the contract, and its options say so. */
import { describe, expect, it } from 'vitest';
import { optionsOf } from '../../src/command/option.ts';
import { groups } from '../../src/commands/index.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/operations.ts';

const updates: readonly Operation[] = operations.filter(({ method }) => method === 'PATCH');
const commands = (await Promise.all(groups.map(({ load }) => load()))).flat();

describe.each(updates.map((operation) => [operation.id, operation] as const))('%s', (_, operation) => {
  const fields = Object.entries(operation.body?.properties ?? {});

  it('names what each list, object and content replaces as a whole', () => {
    const named = fields.filter(([, { whole }]) => whole !== undefined).map(([name]) => name);
    const parts = fields.filter(([name, { type }]) => type === 'array' || type === 'object' || name === 'content');
    expect(named).toEqual(parts.map(([name]) => name));
  });

  it('has options whose descriptions say what they replace', () => {
    const users = commands.filter((command) => command.operation === operation && command.changes);
    expect(users.length).toBeGreaterThan(0);
    const texts = ['content', 'contentFile'];
    const telling = users.flatMap(optionsOf).filter(({ name, path: [top = ''] = [], schema }) => {
      if (operation.id === 'templates.update' && texts.includes(name)) return false; // "New text" says it
      return /File$/.test(name) ? name !== 'bodyFile' : operation.body?.properties?.[top]?.whole && schema;
    });
    expect(telling.length).toBeGreaterThan(0);
    const silent = telling.filter(({ schema }) => !/\breplaces? (the whole|all)\b/.test(schema.description));
    expect(silent.map(({ long }) => long)).toEqual([]);
  });
});
