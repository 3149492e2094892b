/** A change a row: what is checked, asked, sent, recorded and told. */
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Fetch } from '../../src/network/fetch.ts';
import { personsForEach } from '../support/fixtures.ts';
import { folderForEach } from '../support/folder.ts';
import { tokenOnly } from './device-requests.ts';
import { stepsIn } from './journal-steps.ts';

const { at, write, read, names } = folderForEach();
const newPerson = personsForEach();
let someone: ReturnType<typeof newPerson>;
beforeEach(() => {
  someone = newPerson();
});

const org = '11111111-1111-4111-8111-111111111111';
const update = ['policies', 'update'];
const create = ['batches', 'create'];
const policy = (last: number | string) => `aaaaaaaa-0000-4000-8000-00000000000${last}`;
const policies = (...rows: readonly string[]) =>
  write('a.csv', `alertPolicyId,delay\n${rows.map((row) => `${policy(row)}\n`).join('')}`);
const batches = (...rows: readonly string[]) =>
  write('b.csv', `Name,cron,enabled,run-on-startup\n${rows.map((name) => `${name},0 0 2 * * ?,yes,no\n`).join('')}`);
const run = (command: readonly string[], file: string, words: readonly string[] = ['--yes'], given = {}) =>
  someone.iiot([...command, '--rows', file, ...words], given);
/** What is sent, by the end of each path and the body. */
const sent = () => someone.sent.map(({ request, body }) => `${request.replace(/ .*\//, ' ')} ${body ?? ''}`.trim());
const delays = () => someone.sent.map(({ body }) => JSON.parse(body ?? '').delay);
const journalOf = (file: string) => stepsIn(readFileSync(`${file}.iiot-journal`, 'utf8'));
/** What a program reads: exit code, counts, and the error. */
async function counted(command: readonly string[], file: string, words: readonly string[] = []) {
  const { exit, stdout, stderr } = await run(command, file, ['--yes', '-o', 'json', ...words]);
  const last = stderr.trimEnd().split('\n').at(-1) ?? '';
  return { exit, ...(stdout && JSON.parse(stdout)), ...(last.startsWith('{') && JSON.parse(last)) };
}
const ndjson = (text: string) => {
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line));
};
/** A platform that answers each change as it is told. */
const platform =
  (answer: (body: Record<string, string>, method: string, url: string) => Response): Fetch =>
  async (url, { body, method }) =>
    answer(JSON.parse(body ?? '{}'), method, url);
const answering = (...[answer]: Parameters<typeof platform>) => newPerson({ ...tokenOnly, fetch: platform(answer) });
const okay = () => Response.json({});
const refusing = (delay: number) =>
  answering((body) => (Number(body.delay) === delay ? new Response(null, { status: 400 }) : okay()));

const lost = 'replaces the whole notification: the channels, recipients and variables';

describe('--rows', () => {
  it('sends no row of a policy after an invalid one, however its ID is written', async () => {
    const wrong = { AlertPolicyId: policy(1).toUpperCase(), colour: 'red' };
    const rows = [wrong, { alertPolicyId: policy(1), delay: 5 }];
    const file = write('a.ndjson', rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    expect(await counted(update, file, ['--skip-invalid'])).toMatchObject({ exit: 9, failed: 1, notSent: 1 });
    expect(sent()).toEqual([]);
  });

  it('sends each row once, prints the counts, and keeps a journal', async () => {
    const file = policies('1,5m', '2,7');
    expect(await run(update, file)).toEqual({
      exit: 0,
      stdout: 'total\t2\ndone\t2\nfailed\t0\nskipped\t0\nnotSent\t0\nunknown\t0\n',
      stderr: expect.stringMatching(/^2 rows: 2 done \(.*\)\n$/),
    });
    expect(sent()).toEqual([`PATCH ${policy(1)} {"delay":300}`, `PATCH ${policy(2)} {"delay":7}`]);
    expect(journalOf(file).toSorted()).toEqual(['done 1', 'done 2', 'ended', 'sent 1', 'sent 2']);
    expect(statSync(`${file}.iiot-journal`).mode & 0o777).toBe(0o600);
  });

  it('checks all rows first, and names every mistake by its line and column', async () => {
    const file = write(
      'a.csv',
      `alertPolicyId,delay,Subject\n${policy(1)},5,\nx,5,\n${policy(2)},soon,\n${policy(3)},,hot\n`,
    );
    const { exit, stdout, stderr } = await run(update, file);
    expect([exit, stdout, someone.requests, names()]).toEqual([2, '', [], ['a.csv']]);
    expect(stderr.split('\n').slice(0, 4)).toEqual([
      expect.stringContaining('Line 3: alertPolicyId takes a UUID such as '),
      expect.stringMatching(/^Line 4: delay takes .*, not "soon"\.$/),
      'Line 5: --content is required with --subject.',
      expect.stringContaining(`error: 3 rows of 4 in ${file} cannot be sent`),
    ]);
    expect(await counted(update, file, ['--skip-invalid'])).toMatchObject({ exit: 9, total: 4, done: 1, failed: 3 });
    expect(delays()).toEqual([5]);
    const again = await run(update, file, ['--skip-invalid', '--journal', at('again'), '--yes']);
    expect(again.stderr).toContain(
      `: iiot policies update --rows ${file} --journal ${at('again')} --resume --skip-invalid --base-url http://127.0.0.1:1 --org ${org}\n`,
    );
  });

  it('sends rows of one ID in order, and holds them back after a failed one', async () => {
    const file = policies('1,1', '2,2', '1,3', '1,4');
    const { stderr } = await run(update, file);
    expect(stderr).toMatch(new RegExp(`^Note: Line 4, alertPolicyId: "${policy(1)}" .* \\(and 1 row more\\)\\.\n`));
    expect(delays().filter((delay) => delay !== 2)).toEqual([1, 3, 4]);
    someone = refusing(1);
    const ran = await counted(update, file, ['--journal', at('j')]);
    expect([ran.exit, ran.done, ran.failed, ran.notSent, delays().toSorted()]).toEqual([9, 1, 1, 2, [1, 2]]);
    // Where the platform was in the way, all go on in their order.
    someone = answering(okay);
    const resumed = await counted(update, file, ['--journal', at('j'), '--resume']);
    expect(resumed).toMatchObject({ exit: 0, done: 3, skipped: 1 });
    expect(delays()).toEqual([1, 3, 4]);
  });

  it.each(['a journal', 'no journal'])('ends if many rows are held back after a failed one: with %s', async (how) => {
    someone = refusing(1);
    const rows = Array.from({ length: 60 }, (_, row) => `${policy(1)},${row + 1}\n`).join('');
    const text = `alertPolicyId,delay\n${rows}${policy(2)},99\n`;
    const words = ['--yes', '-o', 'json', '--concurrency', '4'];
    const ran =
      how === 'no journal'
        ? run(update, '-', [...words, '--format', 'csv'], { stdin: text })
        : run(update, write('a.csv', text), words);
    const { done, failed, notSent } = JSON.parse((await ran).stdout);
    expect([done, failed, notSent, delays()]).toEqual([1, 1, 59, [1, 99]]);
  });

  it.each([
    [
      'policies update',
      `alertPolicyId,delay,template-id\n${policy(1)},1,\n${policy(2)},,t\n`,
      `2 alert policies of organization ${org}`,
    ],
    ['channels update', 'channelId,name\nc,x\n', `1 channel of organization ${org}`],
    ['templates update', 'templateId,name\nt,x\n', `1 template of organization ${org}`],
    ['batches create', 'Name,cron,enabled,run-on-startup\nn,0 0 2 * * ?,yes,no\n', `1 batch of organization ${org}`],
    ['credentials delete', 'clientCredentialId\nc\nd\n', '2 client credentials'],
  ])('of iiot %s sends nothing without a confirmation', async (command, text, what) => {
    const { exit, stderr } = await run(command.split(' '), write('a.csv', text), []);
    expect([exit, someone.requests, names()]).toEqual([2, [], ['a.csv']]);
    expect(stderr).toContain(`error: To ${command.split(' ')[1]} ${what} at 127.0.0.1:1 you must`);
    expect(stderr).toContain(text.includes('template-id') ? `hint: 1 row ${lost}` : 'hint: Confirm with --yes\n');
  });

  it('needs the name of a protected profile as well as --yes', async () => {
    const file = policies('1,5');
    await someone.iiot(['profiles', 'set', 'default', 'protected=true']);
    expect((await run(update, file)).exit).toBe(2);
    expect((await run(update, file, ['--confirm-profile', 'default'])).exit).toBe(2);
    expect(someone.sent).toEqual([]);
    expect((await run(update, file, ['--yes', '--confirm-profile', 'default'])).exit).toBe(0);
    expect(sent().length).toBe(1);
  });

  it('with --dry-run shows the new values of each row without a request', async () => {
    const file = write('a.csv', `alertPolicyId,delay,template-id\n${policy(1)},5,\n${policy(2)},,t\n`);
    const shown = await run(update, file, ['--dry-run'], { columns: 120 });
    expect(shown.stderr).toContain(`Note: 1 row ${lost} `);
    expect(shown.stderr).toMatch(/\n2 alert policies: delay in 1, templateId in 1\n$/);
    expect(shown.stdout.split('\n').map((line) => line.trimEnd().replace(/ {2,}/g, '  '))).toEqual([
      'LINE  ALERT POLICY  DELAY  TEMPLATE ID',
      `2  ${policy(1)}  5`,
      `3  ${policy(2)}  t`,
      '',
    ]);
    expect(ndjson((await run(update, file, ['--dry-run', '-o', 'ndjson'])).stdout)).toMatchObject([
      { line: 2, request: { method: 'PATCH', body: { delay: 5 } }, curl: expect.stringContaining('$IIOT_TOKEN') },
      { line: 3, request: { body: { notification: { templateId: 't' } } }, replaces: ['notification'] },
    ]);
    const [header] = (await run(update, file, ['--dry-run', '-o', 'csv'])).stdout.split('\r\n');
    expect(header).toBe('line,alertPolicyId,error.message,fields,replaces,request,curl,dryRun,notes');
    expect([someone.requests, names()]).toEqual([[], ['a.csv']]);
  });

  it('with --dry-run shows fifty rows at a terminal, and what all of them set', async () => {
    const id = (at: number) => `aaaaaaaa-0000-4000-8000-${String(at).padStart(12, '0')}`;
    const rows = Array.from({ length: 1200 }, (_, at) => `${id(at)},${at},${at % 2 ? '' : 'x'}\n`);
    const file = write('a.csv', `alertPolicyId,delay,name\n${rows.join('')}`);
    const seen = await run(update, file, ['--dry-run'], { columns: 120 });
    expect([seen.exit, seen.stderr, seen.stdout.trimEnd().split('\n').length]).toEqual([
      0,
      '1,200 alert policies: delay in 1,200, name in 600. The first 50 are shown; -o ndjson shows all.\n',
      51,
    ]);
    for (const words of [['-o', 'ndjson'], []])
      expect((await run(update, file, ['--dry-run', ...words])).stdout.trimEnd().split('\n').length).toBe(1200);
    someone = answering(({ delay }) => (Number(delay) === 7 ? new Response(null, { status: 400 }) : okay()));
    const few = write('a.csv', `alertPolicyId,delay,name\n${rows.slice(0, 60).join('')}`);
    expect((await run(update, few)).exit).toBe(9);
    const left = await run(update, few, ['--dry-run', '--resume'], { columns: 120 });
    expect([left.exit, left.stderr, left.stdout.trimEnd().split('\n').length]).toEqual([
      0,
      'Note: 59 rows done, not shown.\n1 alert policy: delay, name\n',
      2,
    ]);
  });

  it('prints a line for each row, IDs, and what was created', async () => {
    const words = ['--yes', '--results-file', at('made')];
    const first = await run(create, batches('n1', 'n2'), [...words, '-o', 'ndjson']);
    const made = [
      { line: 2, Name: 'n1', status: 'done', error: null, batchId: 'batch_001' },
      { line: 3, Name: 'n2', status: 'done', error: null, batchId: 'batch_002' },
    ];
    expect([ndjson(first.stdout), first.stderr]).toEqual([made, '2 rows: 2 done (less than a second)\n']);
    expect(ndjson(read('made'))).toMatchObject([
      { line: 2, name: 'n1', batchId: 'batch_001', cronExpression: '0 0 2 * * ?', isEnabled: true },
      { line: 3, name: 'n2', batchId: 'batch_002', runOnStartup: false },
    ]);
    expect(statSync(at('made')).mode & 0o777).toBe(0o600);
    expect(await run(create, batches('n3'), [...words.slice(0, 1), '-o', 'id', '--journal', at('j')])).toMatchObject({
      exit: 0,
      stdout: 'batch_003\n',
    });
    const json = write('one-line.json', '[{"templateId":"template_001","name":"a"},{"templateId":"nope","name":"b"}]');
    const sent = await run(['templates', 'update'], json, ['--yes', '--jq', '.failures[0] | {line, row}']);
    expect([sent.stdout, sent.stderr.split('\n')[0]]).toEqual([
      '{"line":1,"row":2}\n',
      'Row 2 (nope): There is no template nope. (404)',
    ]);
    const csv = await run(create, batches('n4'), ['--yes', '-o', 'csv', '--journal', at('k')]);
    expect(csv.stdout).toBe('line,Name,status,code,message,batchId\r\n2,n4,done,,,batch_004\r\n');
    expect(await counted(create, batches('n5'), ['--journal', at('l')])).toMatchObject({
      results: [{ line: 2, Name: 'n5', batchId: 'batch_005' }],
    });
    someone = refusing(6);
    const ids = await run(update, policies('1,5', '2,6'), ['--yes', '-o', 'id', '--journal', at('m')]);
    expect([ids.exit, ids.stdout]).toEqual([9, `${policy(1)}\n`]);
  });

  it('appends to the results of the run that it resumes, and to no other file', async () => {
    const file = batches('n1', 'taken', 'n2');
    let isTaken = true;
    someone = answering(({ Name = '' }) =>
      Name === 'taken' && isTaken
        ? new Response(null, { status: 409 })
        : Response.json({ id: `b-${Name}` }, { status: 201 }),
    );
    const words = ['--yes', '--results-file', at('made')];
    expect((await run(create, file, words)).exit).toBe(9);
    isTaken = false;
    expect((await run(create, file, [...words, '--resume'])).exit).toBe(0);
    const made = ndjson(read('made')).map(({ batchId }) => batchId);
    expect(made.toSorted()).toEqual(['b-n1', 'b-n2', 'b-taken']);
    write('other', 'mine\n');
    const taken = ['--failed-file', at('failed'), '--results-file', at('other')];
    const refused = await run(create, batches('n9'), ['--yes', '--journal', at('j'), ...taken]);
    expect([refused.exit, read('other'), names().filter((name) => /^failed/.test(name))]).toEqual([2, 'mine\n', []]);
    expect(refused.stderr).toMatch(/\nhint: Name another file with --results-file, .*: rm /);
    const unknown = write('failed.unknown.csv', `alertPolicyId,delay\n${policy('1,5')}\n`);
    expect((await run(update, unknown, ['--yes', '--failed-file', at('failed.csv')])).stderr.split('\n')[0]).toBe(
      `error: --failed-file writes the rows of unknown outcome to ${unknown}, which is the input itself.`,
    );
  });

  it('writes the failed rows so that they can be sent again', async () => {
    someone = refusing(6);
    const file = policies('1,5', '2,6');
    const words = ['--yes', '--failed-file', at('failed.csv'), '--description', 'Hall 3'];
    const { exit, stderr } = await run(update, file, words);
    const line = `iiot policies update --description 'Hall 3' --rows ${at('failed.csv')} --base-url http://127.0.0.1:1`;
    const hint = `\nhint: Fix the rows in ${at('failed.csv')}, then send them: ${line} --org ${org}\n`;
    expect([exit, stderr]).toEqual([9, expect.stringContaining(hint)]);
    expect(read('failed.csv')).toBe(`\ufeffalertPolicyId,delay\n${policy(2)},6\n`);
  });

  it('names the place of a journal that it replaces', async () => {
    someone = refusing(6);
    const file = policies('1,5', '2,6');
    expect((await run(update, file)).exit).toBe(9);
    const { stderr } = await run(update, file, ['--yes', '--base-url', 'https://other.example']);
    expect(stderr.split('\n')[0]).toBe(
      'This replaces the journal of a run at http://127.0.0.1:1, tenant acme, as ada@factory.example, whose failed rows --resume no longer knows.',
    );
  });
});

describe('a file that --rows writes', () => {
  const places = [
    ['--journal', 'j'],
    ['--failed-file', 'f'],
    ['--results-file', 'r'],
  ] as const;
  const dangers: readonly (readonly [string, boolean, (file: string) => void, string])[] = [
    ['is a link', true, (file) => symlinkSync(at('outside'), file), 'is a link'],
    ['is writable by others', true, (file) => writable(file, 0o666), 'Others can write to PATH (mode 0666)'],
    ['is writable by its group', true, (file) => writable(file, 0o660), 'Others can write to PATH (mode 0660)'],
    [
      'belongs to another user',
      process.getuid?.() === 0,
      (file) => chownSync(writable(file, 0o600), 65_534, 65_534),
      'belongs to another user',
    ],
  ];
  const writable = (file: string, mode: number) => {
    writeFileSync(file, '');
    chmodSync(file, mode);
    return file;
  };

  describe.each(places)('%s', (option, name) => {
    it.each(dangers.filter(([, can]) => can))('is refused if it %s', async (_, __, make, why) => {
      make(at(name));
      const { exit, stdout, stderr } = await run(create, batches('n1'), ['--yes', option, at(name)]);
      expect([exit, stdout, sent()]).toEqual([2, '', []]);
      expect(stderr).toContain(why.includes('PATH') ? why.replace('PATH', at(name)) : `${at(name)} ${why}`);
      expect(names()).not.toContain('outside');
    });
  });

  it('is neither followed nor changed if it is a journal that others can write to', async () => {
    const file = policies('1,5', '2,6');
    await run(update, file);
    chmodSync(`${file}.iiot-journal`, 0o666);
    const before = read('a.csv.iiot-journal');
    const { exit, stdout } = await run(update, file, ['--yes', '--resume']);
    expect([exit, stdout, sent().length, read('a.csv.iiot-journal')]).toEqual([2, '', 2, before]);
  });
});

describe('the journal', () => {
  it('refuses to create all rows again, and resumes with nothing left', async () => {
    const file = batches('n1', 'n2');
    await run(create, file);
    const journal = `${file}.iiot-journal`;
    for (const words of [['--yes'], ['--dry-run']])
      expect(await run(create, file, words)).toEqual({
        exit: 2,
        stdout: '',
        stderr: `error: ${journal} says that the rows of this file were sent. Done: 2 rows.\nhint: To send what is left, add --resume; to send all rows again, remove it first: rm ${journal}\n`,
      });
    expect(await run(create, file, ['--yes', '--resume'])).toMatchObject({
      exit: 0,
      stderr: expect.stringMatching(/^2 of 2 rows are already done\.\n2 rows: 2 done before .*\n$/),
    });
    expect(sent().length).toBe(2);
    const next = batches('n3');
    expect((await run(create, next)).exit).toBe(0);
    expect(sent().length).toBe(3);
  });

  it('notes before the question that an update sends all rows again', async () => {
    const file = policies('1,5', '2,6');
    await run(update, file);
    expect((await run(update, file, [])).stderr).toMatch(/^Sending all rows\. .*\nerror: .* confirm/);
    const { exit, stderr } = await run(update, file);
    const note =
      'Sending all rows. The last run of this file ended with 2 rows done; --resume skips those that are unchanged.';
    expect([exit, stderr.split('\n')[0], sent().length]).toEqual([0, note, 4]);
  });

  const resume = ['--yes', '--resume'];
  const by = (file: string) => [...resume, '--journal', `${file}.iiot-journal`];
  it.each<[string, (file: string) => Promise<{ exit: number; stderr: string }>, RegExp, number?]>([
    [
      'if it is missing',
      (file) => {
        rmSync(`${file}.iiot-journal`);
        return run(create, file, resume);
      },
      /^error: No journal at .*b\.csv\.iiot-journal, so iiot cannot tell which rows were sent\.\nhint: If none was sent, leave out --resume; otherwise name the journal with --journal FILE\n$/,
    ],
    [
      'with another file',
      (file) => run(create, write('c.csv', 'Name,cron,enabled,run-on-startup\nn9,0 0 2 * * ?,yes,no\n'), by(file)),
      /^error: Row 2 \(n2\) .*c\.csv does not have it any more\.\nhint: /,
    ],
    [
      'if an unknown file is in its lock',
      (file) => {
        mkdirSync(`${file}.iiot-journal.lock/x`, { recursive: true });
        return run(create, file, ['--yes', '--resume']);
      },
      /^error: .*b\.csv\.iiot-journal\.lock is not the lock of a run: "x" is in it\.\nhint: If it is no longer needed: rm -r .*\.lock\n$/,
    ],
    [
      'with other options',
      (file) => {
        const actions = write('actions.json', '[]');
        return run(create, file, ['--yes', '--resume', '--actions-file', actions]);
      },
      /To continue it, leave out --actions-file .*actions\.json; /,
    ],
    [
      'without --resume, after a resumed run that learnt nothing',
      async (file) => {
        await run(create, file, ['--yes', '--resume']);
        return run(create, file);
      },
      /^error: .*b\.csv\.iiot-journal .* unfinished run\. Sent so far: 2 rows\.\nhint: Continue with --resume; /,
      1,
    ],
  ])('is not resumed %s', async (_, again, message, more = 0) => {
    const file = batches('n1', 'n2');
    someone = answering(({ Name }) => (Name === 'n2' ? new Response(null, { status: 202 }) : okay()));
    expect((await run(create, file)).exit).toBe(9);
    const before = sent().length;
    const { exit, stderr } = await again(file);
    expect([exit, stderr, sent().length - before]).toEqual([2, expect.stringMatching(message), more]);
  });
});

describe('iiot credentials create --rows', () => {
  const create = ['credentials', 'create'];
  const words = () => ['--yes', '--secret-dir', at('secrets')];
  const rows = (...names: readonly string[]) =>
    write('a.csv', `name,scope\n${names.map((name) => `${name},read\n`).join('')}`);
  const recoveries = () => readdirSync(someone.folder).filter((name) => name.startsWith('recovery-'));

  it('needs --secret-dir', async () => {
    expect(await run(create, rows('a'))).toEqual({
      exit: 2,
      stdout: '',
      stderr: 'error: --rows needs --secret-dir DIR.\nhint: See iiot help rows\n',
    });
  });

  it('writes each secret only to its own private file, whatever the names are', async () => {
    const file = rows('gateway', 'a/b', '../c', '工場', 'Öl ü', 'CON', 'x y', '.');
    const ran = await run(create, file, [...words(), '-o', 'json', '--results-file', at('made')]);
    const { results, done } = JSON.parse(ran.stdout);
    expect([ran.exit, ran.stderr, done, readdirSync(at('secrets')).length]).toEqual([0, '', 8, 8]);
    expect(statSync(at('secrets')).mode & 0o777).toBe(0o700);
    const everywhere = [
      ran.stdout,
      ran.stderr,
      read('made'),
      read('a.csv.iiot-journal'),
      readFileSync(join(someone.folder, 'history.ndjson'), 'utf8'),
    ].join('\n');
    const secrets = results.map(({ secretFile, name }: { secretFile: string; name: string }) => {
      expect([statSync(secretFile).mode & 0o777, name]).toEqual([0o600, name]);
      const secret = readFileSync(secretFile, 'utf8');
      expect([secret, everywhere.includes(secret.trim())]).toEqual([expect.stringMatching(/^[\w-]{43}\n$/), false]);
      return secret;
    });
    expect([new Set(secrets).size, recoveries()]).toEqual([8, []]);
    expect(results[0].secretFile).toBe(join(at('secrets'), 'gateway.secret'));
  });

  it('refuses a duplicate name', async () => {
    const { exit, stderr } = await run(create, rows('a', 'b', 'a'), words());
    expect([exit, stderr.split('\n')[0], someone.requests]).toEqual([2, 'Line 4 has the name of another row: a.', []]);
  });

  it('resumes after a kill: rows with a saved secret are done', async () => {
    const file = rows('a', 'b', 'c', 'd');
    await run(create, file, words());
    const secrets = [read('secrets/a.secret'), read('secrets/d.secret')];
    // The run ended after the secret of a, before that of b was written, before c was made, and after d.
    const journal = read('a.csv.iiot-journal')
      .split('\n')
      .filter((line) => !line.startsWith('run '));
    const steps = ['', ...stepsIn(journal.join('\n')), ''];
    writeFileSync(
      `${file}.iiot-journal`,
      journal.filter((_, at) => !/^(?:ended|done [123])$/.test(steps[at] ?? '')).join('\n'),
    );
    writeFileSync(at('secrets/b.secret'), '');
    rmSync(at('secrets/c.secret'));
    const resumed = await counted(create, file, [...words(), '--resume']);
    expect(resumed).toMatchObject({ exit: 9, done: 0, skipped: 2, unknown: 2 });
    const repeat = [...words(), '--resume', '--repeat-unknown'];
    expect(await counted(create, file, repeat)).toMatchObject({ exit: 0, done: 2, skipped: 2 });
    expect(await counted(create, file, repeat)).toMatchObject({ exit: 0, done: 0, skipped: 4 });
    expect([read('secrets/a.secret'), read('secrets/d.secret')]).toEqual(secrets);
    for (const name of ['b', 'c']) expect(read(`secrets/${name}.secret`)).toMatch(/^[\w-]{43}\n$/);
  });

  it('says in one line what interrupted commands left', async () => {
    const path = (index: number) => join(someone.folder, `recovery-0000000${index}.json`);
    const place = { base: 'http://127.0.0.1:1/prod', tenant: 'acme' };
    const left = [
      { name: 'x', place },
      { name: 'y', baseUrl: place.base },
      { name: 'z', clientSecret: 's' },
    ];
    for (const [index, each] of left.entries()) {
      writeFileSync(path(index), JSON.stringify({ owner: '', ...each }), { mode: 0o600 });
      utimesSync(path(index), 0, 0);
    }
    const { stderr } = await run(create, rows('a'), words());
    const [line = ''] = stderr.split('\n');
    expect(line).toContain(`3 commands were interrupted: the secret of client credential "z" is in ${path(2)}. `);
    expect(line).toContain(
      `Besides, client credentials "x" (http://127.0.0.1:1/prod, tenant acme), "y" (http://127.0.0.1:1/prod) may exist, but their secrets are lost. Delete them if they are there (iiot credentials list, with the profile of that place), and remove ${path(0)}, ${path(1)}.`,
    );
  });

  it('does not overwrite an existing secret file', async () => {
    await run(create, rows('a'), words());
    const secret = read('secrets/a.secret');
    const { exit, stderr } = await run(create, rows('a', 'b'), [...words(), '--journal', at('j')]);
    expect([exit, stderr]).toEqual([9, expect.stringContaining(`${at('secrets/a.secret')} already exists`)]);
    expect([read('secrets/a.secret'), sent().length]).toEqual([secret, 2]);
  });

  const made = (name = '') => {
    const clientCredentialId = `credential-${name}`;
    return { clientCredentialId, clientId: name, name, clientSecret: `s3cret-${name}` };
  };

  it('says where a secret is that it could not write to its file', async () => {
    someone = answering(({ name = '' }) => {
      write(`secrets/${name}.secret`, 'of somebody else');
      return Response.json(made(name), { status: 201 });
    });
    const file = rows('a');
    const first = await run(create, file, words());
    const [recovery = ''] = recoveries();
    const path = join(someone.folder, recovery);
    expect(first).toMatchObject({ exit: 1, stderr: expect.stringContaining(`The secret is in ${path}`) });
    expect(first.stderr).toMatch(/^Line 2, a: Client credential credential-a was created, but its secret/);
    expect([JSON.parse(readFileSync(path, 'utf8')).clientSecret, statSync(path).mode & 0o777]).toEqual([
      's3cret-a',
      0o600,
    ]);
    expect(await counted(create, file, [...words(), '--resume'])).toMatchObject({ exit: 9, unknown: 1, done: 0 });
    expect(sent().length).toBe(1);
  });

  it('reports a response without a secret, and does not send the row again', async () => {
    someone = answering(({ name }) => Response.json({ ...made(name), clientSecret: undefined }, { status: 201 }));
    const file = rows('a');
    const { exit, stderr } = await run(create, file, words());
    const advice = /^Line 2, a: .* iiot credentials delete credential-a --base-url http:\/\/127\.0\.0\.1:1\.\n/;
    expect([exit, stderr]).toEqual([8, expect.stringMatching(advice)]);
    expect(await counted(create, file, [...words(), '--resume'])).toMatchObject({ exit: 9, unknown: 1 });
    expect(sent().length).toBe(1);
  });

  it('names what a killed run left once, even if nothing more is sent', async () => {
    someone = answering((body) => (body.name ? new Response(null, { status: 202 }) : Response.json([])));
    const file = rows('a', 'b');
    await run(create, file, words());
    const before = sent().length;
    const left = join(someone.folder, 'recovery-00000001.json');
    writeFileSync(left, JSON.stringify({ name: 'a', begun: '2026-01-01T00:00:00Z', owner: 'another' }), {
      mode: 0o600,
    });
    utimesSync(left, 0, 0);
    const { exit, stderr } = await run(create, file, [...words(), '--resume']);
    expect([exit, stderr.split(left).length - 1, sent().length]).toEqual([9, 1, before]);
  });
});
