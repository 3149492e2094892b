/** One test over all definitions: of operations, of commands, of options. */
import { describe, expect, it } from 'vitest';
import { parseLine } from '../../src/cli/parse.ts';
import { type Command, ownOptions } from '../../src/command/command.ts';
import { globalOptions } from '../../src/command/global-options.ts';
import { optionsOf } from '../../src/command/option.ts';
import { groups } from '../../src/commands/index.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/operations.ts';
import type { Schema } from '../../src/contract/schema.ts';
import { typedIn } from '../support/shell.ts';

const commands: readonly Command[] = (await Promise.all(groups.map(({ load }) => load()))).flat();
const named = <T>(all: readonly T[], name: (one: T) => string) => all.map((one) => [name(one), one] as const);

/** Every schema within a schema, with the path that leads to it. */
function within(schema: Schema, path: string): (readonly [string, Schema])[] {
  const inner: (readonly [string, Schema])[] = [[path, schema]];
  if ('items' in schema) inner.push(...within(schema.items, `${path}[]`));
  if ('additionalProperties' in schema && schema.additionalProperties) {
    inner.push(...within(schema.additionalProperties, `${path}.*`));
  }
  if ('properties' in schema) {
    for (const [name, one] of Object.entries(schema.properties ?? {})) inner.push(...within(one, `${path}.${name}`));
  }
  return inner;
}

/** An imperative of at most 60 characters, without a full stop: "Set keys of …", not "Sets", not "Setting". */
const summary = /^(?=.{1,60}$)[A-Z][a-z]*(?<!ing|[^s]s)(?: .*)?[^.]$/u;

describe.each(named<Operation>(operations, ({ id }) => id))('operation %s', (_, operation) => {
  it('has a summary, a description and a sentence for each status', () => {
    expect(operation.summary).toMatch(summary);
    expect(operation.description).toMatch(/^[A-Z].+[.]$/s);
    expect(Object.values(operation.responses).filter((sentence) => !/^[A-Z]?[A-Za-z].*[^.]$/.test(sentence))).toEqual(
      [],
    );
    const good = Object.keys(operation.responses).filter((status) => Number(status) < 400);
    expect(good.length).toBeGreaterThan(0);
  });

  it('has exactly the parameters of its path', () => {
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = Object.entries(operation.params).filter(([, parameter]) => parameter.in === 'path');
    expect(inPath.sort()).toEqual(declared.map(([name]) => name).sort());
    expect(declared.filter(([, { required }]) => required !== true)).toEqual([]);
  });

  it('describes every field, and requires only fields that it has', () => {
    const parameters = Object.entries(operation.params).flatMap(([name, parameter]) => within(parameter, name));
    const body = operation.body ? within(operation.body, 'body') : [];
    const answer = operation.responseSchema ? within(operation.responseSchema, 'answer') : [];
    const all = [...parameters, ...body, ...answer];
    expect(all.filter(([, schema]) => !/^[^a-z\s].*[^.\s]$/.test(schema.description)).map(([path]) => path)).toEqual(
      [],
    );
    const missing = all.flatMap(([path, schema]) => {
      if (!('required' in schema) || !Array.isArray(schema.required)) return [];
      const fields = 'properties' in schema ? Object.keys(schema.properties ?? {}) : [];
      return schema.required.filter((name) => !fields.includes(name)).map((name) => `${path}.${name}`);
    });
    expect(missing).toEqual([]);
  });
});

describe('all commands', () => {
  it('have unique names in kebab-case that begin with their group', async () => {
    const names = commands.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*( [a-z0-9]+(-[a-z0-9]+)*)*$/.test(name))).toEqual([]);
    for (const group of groups) {
      const foreign = (await group.load()).filter(({ name }) => name.split(' ')[0] !== group.name);
      expect(foreign).toEqual([]);
    }
  });

  it('are in groups with a summary', () => {
    expect(groups.filter((group) => !/^(?=.{1,60}$)[A-Z].*[^.]$/.test(group.summary))).toEqual([]);
  });

  it('cover every operation that needs a bearer token', () => {
    const called = new Set(commands.map(({ operation }) => operation?.id));
    const missing = operations.filter(({ id, security }) => security === 'bearer' && !called.has(id));
    expect(missing.map(({ id }) => `${id} has no command: write one in src/commands/${id.split('.')[0]}.ts`)).toEqual(
      [],
    );
  });
});

describe.each(named(commands, ({ name }) => `iiot ${name}`))('%s', (_, command) => {
  const options = ownOptions(command);

  it('has a summary and a description', () => {
    expect(command.summary).toMatch(summary);
    expect(command.description).toMatch(/^[A-Z].{20,}[.]$/s);
  });

  it('describes every argument and option', () => {
    const schemas = [
      ...Object.entries(command.arguments),
      ...options.map(({ long, schema }) => [long, schema] as const),
    ];
    expect(schemas.filter(([, { description }]) => !/^\S.*[^.\s]$/.test(description)).map(([name]) => name)).toEqual(
      [],
    );
  });

  it('has options in kebab-case that differ from the global ones', () => {
    const all = [...globalOptions, ...options].flatMap(({ long, schema }) =>
      schema.type === 'boolean' && schema.negative ? [long, schema.negative] : [long],
    );
    expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
    expect(all.filter((name) => !/^[a-z]+(-[a-z0-9]+)*$/.test(name))).toEqual([]);
    const shorts = [...globalOptions, ...options]
      .map(({ schema }) => schema.short)
      .filter((short) => short !== undefined);
    expect(shorts.filter((short, index) => shorts.indexOf(short) !== index || !/^[a-zA-Z]$/.test(short))).toEqual([]);
  });

  it('takes all arguments and fields of its operation', () => {
    const { operation } = command;
    const path = Object.entries(operation?.params ?? {}).filter(
      ([name, each]) => each.in === 'path' && name !== 'orgId',
    );
    // The rows of a file name the devices, and files the templates.
    const named = { 'devices custom-info import': ['deviceId'], 'templates push': ['templateId'] }[command.name];
    const known = named ?? Object.keys(command.arguments);
    expect(path.map(([name]) => name).filter((name) => !known.includes(name))).toEqual([]);
    if (operation?.body && !command.without.fields)
      expect(optionsOf(command).map(({ long }) => long)).toContain('body-file');
  });

  it('has at least two examples, which all can be parsed', async () => {
    expect(Object.keys(command.examples).length).toBeGreaterThanOrEqual(2);
    for (const [line, says] of Object.entries(command.examples)) {
      expect(says).toMatch(/^\S.*[^.\s]$/);
      const calls = (await typedIn(line)).filter(([program]) => program === 'iiot');
      const meant = await Promise.all(calls.map(([, ...words]) => parseLine(words)));
      expect(
        meant.map((parsed) => 'command' in parsed && parsed.command.name),
        line,
      ).toContain(command.name);
    }
  });
});

it('no option takes a secret as its value', () => {
  const all = [...commands.flatMap((command) => optionsOf(command)), ...globalOptions];
  const taking = all.filter(
    ({ name, schema }) => /secret|password|token|passphrase/i.test(name) && schema.type !== 'boolean',
  );
  const values = new Set(taking.map(({ name, schema }) => `${name}: ${'value' in schema ? schema.value : ''}`));
  expect(values.size).toBeGreaterThan(1);
  expect([...values].filter((each) => !/: (FILE|DIR)$/.test(each))).toEqual([]);
});

const updates = (operations as readonly Operation[]).filter(({ method }) => method === 'PATCH');

describe.each(named(updates, ({ id }) => id))('%s', (_, operation) => {
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
