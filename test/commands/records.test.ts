/** What a change shows at a terminal: what was done on stderr, and then the record. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { personForEach, personsForEach } from '../support/fixtures.ts';
import { respondingWith } from '../support/responses.ts';
import { wordsOf } from '../support/words.ts';

const org = '11111111-1111-4111-8111-111111111111';
const policy = 'aaaaaaaa-0000-4000-8000-000000000001';
const update = ['policies', 'update', policy];
const delayed = [...update, '--delay', '5m'];
const someone = personForEach();
const newPerson = personsForEach();

describe('a record at a terminal of sixty columns', () => {
  it('shows what was done, the ID and name first, and the organization last', async () => {
    expect(await someone.iiot(delayed, { columns: 60 })).toEqual({
      exit: 0,
      stderr: '✓ Updated alert policy Press too hot\n',
      stdout: [
        `Alert policy ID    ${policy}`,
        'Policy name        Press too hot',
        'Description        Temperature of the press',
        'Alert level        >80',
        'Alert reset level  <75',
        'Delay              300 s (5 min)',
        'Notification',
        '  Channel IDs      channel_email',
        '  Recipients       shift@factory.example',
        '  Template ID      template_001',
        'Is enabled         true',
        'Data stream IDs    press-0001/temperature',
        `Org ID             ${org}`,
        '',
      ].join('\n'),
    });
  });

  it('leaves unknown names unchanged, and quotes an item with a comma', async () => {
    const words = wordsOf("--template-id template_001 --var line=3 --var HALL_B=x --recipient 'Shift B, hall 3'");
    const { stdout, stderr } = await someone.iiot([...update, ...words, '--yes'], { columns: 60 });
    expect(stderr.split('\n').at(-2)).toBe('✓ Updated alert policy Press too hot');
    expect(stdout.split('\n').slice(6, 12)).toEqual([
      'Notification',
      '  Recipients       "Shift B, hall 3"',
      '  Template ID      template_001',
      '  Variables',
      '    line           3',
      '    HALL_B         x',
    ]);
  });

  it('shows the actions of a batch by number, and short times', async () => {
    const file = join(someone.folder, 'actions.json');
    writeFileSync(file, '[{"type":"export","to":{"hall":"B"}},{"type":"mail"}]');
    const words = wordsOf("batches create --name nightly --cron '0 0 2 * * ?' --enabled --no-run-on-startup");
    const { stdout, stderr } = await someone.iiot([...words, '--actions-file', file], { columns: 60 });
    expect(stderr.split('\n').at(-2)).toBe('✓ Created batch nightly');
    expect(stdout).toBe(
      [
        'Batch ID         batch_001',
        'Name             nightly',
        'Cron expression  0 0 2 * * ?',
        'Is enabled       true',
        'Run on startup   false',
        'Actions',
        '  1',
        '    type         export',
        '    to',
        '      hall       B',
        '  2',
        '    type         mail',
        'Created at       now',
        `Org ID           ${org}`,
        '',
      ].join('\n'),
    );
  });

  it('shows when a credential expires, as the list does', async () => {
    const create = ['credentials', 'create', '--name', 'ci', '--expires'];
    const shown = async (expires: string) => {
      const { stdout, stderr } = await someone.iiot([...create, expires], { columns: 60 });
      expect(stderr).toBe('✓ Created client credential ci\nSave the secret now, it is shown only once.\n');
      return stdout.replaceAll(/(?<=(?:credential_|client-|secret {2}))\S+/g, '…');
    };
    expect(await shown('90d')).toBe(
      [
        'Credential ID  credential_…',
        'Name           ci',
        'Client ID      client-…',
        'Created        now',
        'Expires (UTC)  2026-04-01',
        'Client secret  …',
        '',
      ].join('\n'),
    );
    expect(await shown('3d')).toContain('Expires        in 3 d\n');
  });
});

describe('a record', () => {
  it.each(['-ojson', '-ocsv', '-oid', '-q'])('with %s has no sentence at a terminal', async (option) => {
    expect((await someone.iiot([...delayed, option], { columns: 60 })).stderr).toBe('');
  });

  it('without a name is named by its ID', async () => {
    const { iiot } = newPerson({ fetch: respondingWith(200, { id: 'template_9', subject: 'Hot' }) });
    expect(await iiot(['templates', 'update', 'template_9', '--subject', 'Hot'], { columns: 60 })).toEqual({
      exit: 0,
      stderr: '✓ Updated template template_9\n',
      stdout: 'ID       template_9\nSubject  Hot\n',
    });
  });
});
