/** `help COMMAND -o json` has the schema of `--dry-run -o json`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { madeForAll } from '../support/fixtures.ts';
import { person } from '../support/world.ts';

const someone = madeForAll(() => person());
beforeAll(() => writeFileSync(join(someone.folder, 'fleet.csv'), 'deviceId,a\npress-0001,1\n'));

async function json(words: readonly string[]) {
  const { exit, stdout, stderr } = await someone.iiot([...words, '-o', 'json', '-q']);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  return JSON.parse(stdout);
}

function validated(schema: object, value: unknown) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);
  return [validate(value), validate.errors];
}

describe('the schema of a dry run', () => {
  it.each([
    ['devices custom-info set', ['press-0001', 'a=1'], 'object'],
    ['credentials rotate', ['credential_001'], 'array'],
    ['devices custom-info import', ['fleet.csv'], 'array'],
    ['api', ['PATCH', '/x', '--header', 'X-A: b', '--raw-field', 'a=b'], 'object'],
  ])('of %s describes what its dry run prints', async (name, words, type) => {
    const told = await json(['help', ...name.split(' ')]);
    const given = words.map((word) => (word.endsWith('.csv') ? join(someone.folder, word) : word));
    const printed = await json([...name.split(' '), ...given, '--dry-run']);
    expect(validated(told.dryRunResult, printed)).toEqual([true, null]);
    expect([told.dryRunResult.type, validated(told.dryRunResult, { dryRun: true })[0]]).toEqual([type, false]);
  });

  it('is missing for commands without --dry-run', async () => {
    expect(Object.keys(await json(['help', 'orgs', 'users', 'list']))).not.toContain('dryRunResult');
    expect(Object.keys(await json(['help', 'profiles', 'set']))).not.toContain('dryRunResult');
  });
});
