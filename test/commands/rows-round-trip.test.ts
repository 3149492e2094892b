/** A list that goes out as a table, and back through --rows. */

import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unfit } from '../../src/text/utf8.ts';
import { personForEach } from '../support/fixtures.ts';
import { lacks } from '../support/lacking.ts';

const someone = personForEach();
const long = process.env.IIOT_TEST_LONG === '1';

/** Texts that a table, a shell or a spreadsheet might take for something else. */
const odd = `["a"]|[day]|['day']|a,b|a;b|007|1e5|-|'x|null|true| x|a"b|a\nb|2027-01-31|=1+1`.split('|');
const text = fc.oneof(fc.constantFrom(...odd), fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }));
const visibleText = text.filter((word) => word.trim() !== '' && !unfit.test(word));
const template = fc.record({
  name: visibleText,
  subject: visibleText,
  content: visibleText,
  tags: fc.uniqueArray(visibleText, { maxLength: 3 }),
  channelTypes: fc.subarray(['email', 'teams', 'webhook'], { minLength: 1 }),
});

const listOf = async (format: string) =>
  (await someone.iiot(['templates', 'list', '--all', '-q', '-o', format])).stdout;

/** The list goes back as a file: each row is sent, and the platform has the same as before. */
async function goesBack(file: string, words: readonly string[] = []) {
  const before = await listOf('json');
  const { exit, stdout, stderr } = await someone.iiot([
    ...['templates', 'update', '--rows', file, '--yes', '--jq', '[.done, .failed]', ...words],
  ]);
  expect([exit, stdout, stderr.includes('error')], stderr).toEqual([0, `[${JSON.parse(before).length},0]\n`, false]);
  expect(await listOf('json')).toBe(before);
}

/** The stored templates have these values from here on, the others are gone. */
function store(values: readonly object[]): void {
  const { templates } = someone.platform.world;
  for (const [at, [id, stored]] of [...templates].entries()) {
    if (values[at]) templates.set(id, { ...stored, ...values[at] });
    else templates.delete(id);
  }
}

describe('a list of templates', () => {
  it.each(['csv', 'ndjson', 'json'])(
    'changes nothing when it is sent back as %s, whatever is in it',
    async (format) => {
      const property = fc.asyncProperty(fc.array(template, { minLength: 1, maxLength: 4 }), async (values) => {
        store(values);
        await goesBack(someone.file(`list.${format}`, await listOf(format)));
      });
      await fc.assert(property, { numRuns: long ? 100 : 5 });
    },
    300_000,
  );

  it.runIf(long && !lacks('soffice')).each(['xlsx', 'ods'])(
    'changes nothing when it is sent back as LibreOffice saves it: %s',
    async (format) => {
      store(
        odd
          .filter((word) => !/^[ ']|[\n=]/.test(word))
          .map((word) => ({ name: `n ${word}`, subject: `s ${word}`, tags: [word, 'b'] })),
      );
      const file = someone.file('list.csv', await listOf('csv'));
      // Field separator, text delimiter, UTF-8, first line, columns as they are, language, quoted cells as text.
      const read = '--infilter=Text - txt - csv (StarCalc):44,34,76,1,,0,true,true';
      execFileSync(
        'soffice',
        [
          '--headless',
          `-env:UserInstallation=file://${someone.folder}/office`,
          read,
          '--convert-to',
          format,
          '--outdir',
          dirname(file),
          file,
        ],
        { stdio: 'ignore' },
      );
      await goesBack(file.replace(/csv$/, format));
    },
    300_000,
  );
});

const credential = fc.record({
  name: visibleText,
  scopes: fc.uniqueArray(visibleText, { maxLength: 3 }),
  deviceIds: fc.uniqueArray(visibleText, { maxLength: 3 }),
  expiredAt: fc.constantFrom('2027-01-31T00:00:00Z', '2030-12-31T23:59:59Z'),
});

it.each(['csv', 'ndjson', 'json'])(
  'a list of credentials in %s creates credentials with the same values',
  async (format) => {
    const { credentials } = someone.platform.world;
    const [[id, kept] = []] = credentials;
    if (id === undefined || kept === undefined) throw new Error('The sandbox has a credential.');
    const listed = async (as: string) => (await someone.iiot(['credentials', 'list', '-o', as])).stdout;
    const facts = ({ name, scopes, deviceIds, expiredAt = null }: Record<string, unknown>) => [
      ...[name, scopes, deviceIds],
      expiredAt && Date.parse(String(expiredAt)),
    ];
    const property = fc.asyncProperty(
      fc.uniqueArray(credential, { minLength: 1, maxLength: 4, selector: ({ name }) => name }),
      async (values) => {
        for (const other of credentials.keys()) if (other !== id) credentials.delete(other);
        for (const [at, value] of values.entries()) credentials.set(`${id}-${at}`, { ...kept, ...value });
        const file = someone.file(`credentials.${format}`, await listed(format));
        const words = ['--rows', file, '--secret-dir', someone.folder, '--dry-run', '--jq', 'map(.request.body)'];
        const { stdout, stderr } = await someone.iiot(['credentials', 'create', ...words]);
        expect(stdout, stderr).not.toBe('');
        expect(JSON.parse(stdout).map(facts)).toEqual(JSON.parse(await listed('json')).map(facts));
      },
    );
    await fc.assert(property, { numRuns: long ? 100 : 5 });
  },
  300_000,
);
