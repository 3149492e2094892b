import { describe, expect, it } from 'vitest';
import { optionFor, placeIn } from '../../src/command/body.ts';
import { optionsOf } from '../../src/command/option.ts';
import { groups } from '../../src/commands/index.ts';

const commands = (await Promise.all(groups.map(({ load }) => load())))
  .flat()
  .filter(({ operation }) => operation?.body);
const find = (name: string) => commands.find((command) => command.name === name) ?? commands[0] ?? expect.fail('none');

describe('the option for a field of the platform', () => {
  it('is found for every field of every body, however the platform writes its path', () => {
    for (const command of commands) {
      for (const { path, long } of optionsOf(command).filter((option) => option.path)) {
        const whole = path?.join('.') ?? '';
        const paths = [whole, whole.toUpperCase(), `$.${whole}`, `input.${whole}`, `${whole}[0]`];
        expect(paths.map((each) => optionFor(command, each))).toEqual(paths.map(() => `--${long}`));
      }
    }
  });

  it('is never reported for a field of the same name at another depth', () => {
    for (const command of commands) {
      const names = optionsOf(command).flatMap(({ path }) => path ?? []);
      const paths = names.flatMap((name) => [`other.${name}`, `Actions[1].${name}`, `config.a.${name}`, `${name}.x`]);
      const known = new Set(optionsOf(command).map(({ path }) => path?.join('.').toLowerCase()));
      for (const path of paths.filter((each) => !known.has(each.toLowerCase())))
        expect([command.name, path, optionFor(command, path)]).toEqual([command.name, path, undefined]);
    }
  });

  it.each([
    ['channels update', 'config.name', { config: 'c.json' }, '--config-file: config.name'],
    ['channels update', 'Config.Name', { config: 'c.json' }, '--config-file: Config.Name'],
    ['batches create', 'Actions[1].Name', { Actions: 'a.json' }, '--actions-file: [1].Name'],
    ['batches create', '$.Actions[1].Name', { Actions: 'a.json' }, '--actions-file: [1].Name'],
    ['policies update', 'delay', { bodyFile: 'body.json' }, 'body.json: delay'],
    ['policies update', 'delay', { bodyFile: '-' }, '--body-file: delay'],
    ['policies update', 'delay', {}, undefined],
    ['channels update', 'configuration', { config: 'c.json' }, undefined],
  ])('of %s, %s, is found in the files %j', (name, field, input, place) => {
    expect(placeIn(find(name), field, input)).toBe(place);
  });
});
