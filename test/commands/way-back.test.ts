/** What the platform returned for rows, and what it had before, goes back through --rows. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { personsForEach } from '../support/fixtures.ts';
import { tokenOnly } from './device-requests.ts';

const newPerson = personsForEach();
const policies = [1, 2].map((last) => `aaaaaaaa-0000-4000-8000-00000000000${last}`);
const text = fc.oneof(
  fc.constantFrom('', ' ', '***x', 'null', '["a"]', 'a,b', "'x", '007', '{{value}}', '工場\n3'),
  // The platform refuses a {{ that never closes.
  fc.string({ maxLength: 8 }).filter((word) => !/[\0-\x1f\x7f]|\{\{/.test(word)),
);
const texts = fc.uniqueArray(
  text.filter((word) => word.trim() !== ''),
  { maxLength: 3 },
);
const level = fc.constantFrom('>80', '<=-3.5', '=7');
const channels = fc.subarray(['channel_email', 'channel_teams'], { minLength: 1 });
const notification = fc.oneof(
  fc.record({ channelIds: channels, recipients: texts, templateId: fc.constant('template_001') }),
  fc.record({ channelIds: channels, recipients: texts, subject: text, content: text }),
);
const types = fc.subarray(['email', 'teams', 'webhook'], { minLength: 1 });

/** The fields of a row for each command, all of them given, so that the first results say everything. */
const rowsOf = {
  policies: {
    ids: policies,
    key: 'alertPolicyId',
    row: fc.record({
      policyName: text,
      description: text,
      alertLevel: level,
      alertResetLevel: level,
      delay: fc.nat(),
      notification,
    }),
  },
  channels: {
    ids: ['channel_email', 'channel_teams'],
    key: 'channelId',
    row: fc.record({
      name: text,
      description: text,
      isEnabled: fc.boolean(),
      commonSettings: fc.record({ timeout: fc.nat(99), retryAttempts: fc.nat(9), retryDelay: fc.nat(9) }),
      config: fc.dictionary(fc.constantFrom('host', 'password', 'line'), fc.oneof(text, fc.nat(), fc.boolean())),
      templateId: fc.constant('template_002'),
      recipients: texts,
      tags: texts,
    }),
  },
  templates: {
    ids: ['template_001', 'template_002', 'template_003'],
    key: 'templateId',
    row: fc.record({ name: text, subject: text, content: text, channelTypes: types, tags: texts }),
  },
} as const;

it.each(Object.keys(rowsOf) as (keyof typeof rowsOf)[])(
  'the results of --rows bring %s back, whatever has changed since',
  async (noun) => {
    const { ids, key, row } = rowsOf[noun];
    const someone = newPerson();
    const stored = () =>
      JSON.stringify([...someone.platform.world[noun]], (name, value) => (name === 'publications' ? 0 : value));
    const update = (file: string, ...words: string[]) =>
      someone.iiot([noun, 'update', '--rows', file, '--yes', '--journal', `${file}.journal`, ...words]);
    let turn = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ first: row, later: row }), { minLength: 1, maxLength: ids.length }),
        async (values) => {
          turn += 1;
          const file = (name: string, which: 'first' | 'later') =>
            someone.file(
              `${name}${turn}.ndjson`,
              values.map((each, at) => `${JSON.stringify({ [key]: ids[at], ...each[which] })}\n`).join(''),
            );
          const [results, before] = [`${someone.folder}/results${turn}`, `${someone.folder}/before${turn}`];
          expect(await update(file('first', 'first'), '--results-file', results)).toMatchObject({ exit: 0 });
          const then = stored();
          const change = noun === 'templates' ? ['--before-file', before] : [];
          expect(await update(file('later', 'later'), ...change)).toMatchObject({ exit: 0 });
          if (noun === 'templates') {
            expect(await update(before, '--format', 'ndjson')).toMatchObject({ exit: 0 });
            expect(stored()).toBe(then);
            expect(await update(file('again', 'later'))).toMatchObject({ exit: 0 });
          }
          expect(await update(results, '--format', 'ndjson')).toMatchObject({ exit: 0 });
          expect(stored()).toBe(then);
        },
      ),
      { numRuns: 15 },
    );
  },
);

it('--rows accepts results in an envelope, with unknown fields and null', async () => {
  const [id = ''] = policies;
  const policy = { id, policyName: 'Press', description: null, delay: 60, status: 'enabled', streams: [{ line: 3 }] };
  const answer = {
    data: { ...policy, notification: { channelIds: ['c'], subject: 's', content: '', templateId: null } },
  };
  const sent: string[] = [];
  const someone = newPerson({
    ...tokenOnly,
    fetch: async (_url, { body }) => {
      sent.push(body ?? '');
      return Response.json(answer);
    },
  });
  const file = someone.file('a.csv', `alertPolicyId,delay\n${id},60\n`);
  const results = `${someone.folder}/r.ndjson`;
  await someone.iiot(['policies', 'update', '--rows', file, '--yes', '--results-file', results]);
  expect(await someone.iiot(['policies', 'update', '--rows', results, '--yes', '-o', 'json', '--jq', '.done'])).toEqual(
    {
      exit: 0,
      stdout: '1\n',
      stderr: expect.stringContaining(
        'Note: id, status, streams are left out: iiot policies update does not set them.\n',
      ),
    },
  );
  expect(JSON.parse(sent[1] ?? '')).toEqual({
    policyName: 'Press',
    delay: 60,
    notification: { channelIds: ['c'], subject: 's', content: '' },
  });
  const elsewhere = ['policies', 'update', '--rows', results, '--yes', '--base-url', 'https://other.example'];
  expect((await someone.iiot(elsewhere)).stderr.split('\n')[0]).toBe(
    'Line 1: was returned by http://127.0.0.1:1, tenant acme, and the rows go to https://other.example, tenant acme, as ada@factory.example; without its member iiot, it can be sent there.',
  );
  const again = ['policies', 'update', '--rows', file, '--yes', '--results-file', results, '--journal', file + 2];
  const refusal = { exit: 2, stderr: expect.stringContaining(`error: ${results} is not empty`) };
  expect(await someone.iiot(again)).toMatchObject(refusal);
});

it('--rows asks before a masked secret replaces the secret', async () => {
  const someone = newPerson();
  const row = { channelId: 'channel_email', config: { host: 'a', password: '*****' } };
  const file = someone.file('r.ndjson', `${JSON.stringify(row)}\n`);
  const { exit, stderr } = await someone.iiot(['channels', 'update', '--rows', file]);
  const note = 'Note: Line 1: "*****" looks like a masked secret, and would replace the secret.\n';
  expect([exit, stderr]).toEqual([2, expect.stringContaining(note)]);
  expect(stderr).toMatch(/\nhint: 1 row replaces the whole configuration\. Confirm with --yes\n$/);
});
