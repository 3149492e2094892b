/** Questions before what cannot be undone, and for what is missing, as they stand at a terminal. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ids } from '../../src/sandbox/world/ids.ts';
import { answering } from '../support/administrator.ts';
import { personForEach } from '../support/fixtures.ts';
import { wordsOf } from '../support/words.ts';

const someone = personForEach();
const policy = (number: number) => `aaaaaaaa-0000-4000-8000-${String(number).padStart(12, '0')}`;
const here = 'http://127.0.0.1:1';

/** What a command shows where each question gets the next answer, or Ctrl-C, and how many requests change something. */
async function asked(line: string, ...answers: readonly (string | undefined)[]) {
  const interrupt = new AbortController();
  const { streams, text } = answering(...answers.map((each) => each ?? (() => interrupt.abort())));
  const before = someone.sent.length;
  const given = { ...streams, stdout: streams.stderr, interrupt: interrupt.signal, env: { TERM: 'dumb' } };
  const { exit } = await someone.iiot(wordsOf(line.replaceAll('FOLDER', someone.folder)), given);
  const sent = someone.sent.slice(before).filter(({ request }) => !request.startsWith('GET '));
  const shown = text().replaceAll(someone.folder, 'FOLDER').trimEnd().split('\n');
  return { exit, lines: shown, sent: sent.length };
}

function profile(values: object, name = 'plant'): void {
  someone.file('config.json', JSON.stringify({ version: 1, current: name, profiles: { [name]: values } }));
}

/** Changes the only credential of the platform. */
function changeCredential(fields: object): void {
  const { credentials } = someone.platform.world;
  for (const [id, credential] of credentials) credentials.set(id, { ...credential, ...fields });
}

describe('a question before a change', () => {
  const tokens = 'Every access token issued from it becomes invalid immediately.';

  it.each([
    ['credentials delete credential_001 -q', `Delete client credential credential_001 at 127.0.0.1:1? ${tokens}`],
    [
      'credentials create --name ci --expires 2570-01-01',
      'Create client credential "ci" at 127.0.0.1:1? It expires in 543 years: ',
    ],
    [
      'credentials rotate credential_001',
      'Rotate client credential credential_001 at 127.0.0.1:1? It is deleted once its successor works and is saved, and its access tokens become invalid immediately.',
    ],
    [
      `policies update ${policy(1)} --recipient a@b.example`,
      `Replace the notification of alert policy ${policy(1)} at 127.0.0.1:1?`,
    ],
    ['channels update channel_email --settings-timeout 30', 'Update channel channel_email at 127.0.0.1:1?'],
    [
      'policies update --rows FOLDER/rows.csv',
      `Update 3 alert policies of organization ${ids.root} at 127.0.0.1:1: delay in 2, templateId in 1? 1 row replaces the whole notification: `,
    ],
    // The folder of the secrets, and how many files it gets.
    [
      'credentials create --rows FOLDER/names.csv --secret-dir FOLDER/sec',
      'Create 2 client credentials at 127.0.0.1:1? Their secrets go to 2 new files in FOLDER/sec.',
    ],
  ])('is asked, and only yes changes something: iiot %s', async (line, question) => {
    const text = `alertPolicyId,delay,template-id\n${policy(1)},5,\n${policy(2)},,template_001\n${policy(1)},6,\n`;
    someone.file('rows.csv', text);
    someone.file('names.csv', 'name\na\nb\n');
    const { exit, lines, sent } = await asked(line, 'n\n');
    expect([exit, lines.at(-1), sent]).toEqual([130, expect.stringContaining(question), 0]);
    const agreed = await asked(line, 'y\n');
    expect([agreed.exit, agreed.sent > 0]).toEqual([0, true]);
  });

  it('shows a name with line breaks on one line', async () => {
    changeCredential({ name: 'Line 3".\nNo profile uses it.\r\n\u2028\u001b[2J"' });
    const { lines } = await asked('credentials delete credential_001', 'n\n');
    expect(lines[0]).toContain('("Line 3".↵No profile uses it.↵\\u{2028}\\u{1b}[2J"").');
  });

  it('says when the successor of a credential expires', async () => {
    changeCredential({ createdAt: '', expiredAt: '2026-01-07T00:00:00Z' });
    const { lines } = await asked('credentials rotate credential_001', 'n\n');
    expect(lines.at(-1)).toMatch(/^The successor expires .*, in 5 d \(2026-01-07T00:00:00Z\)\. Rotate client/);
  });

  it('is not asked about a credential that does not exist', async () => {
    expect((await asked('credentials delete nope')).lines.join()).not.toContain('(y/N)');
  });

  it.each([
    ['devices custom-info set press-0002 a=b --yes', 'Set 1 key of device press-0002'],
    [
      `policies update ${policy(1)} --recipient a@b.example -q`,
      `Replace the notification of alert policy ${policy(1)}`,
    ],
  ])('names a protected profile, even with --yes: iiot %s', async (line, action) => {
    profile({ protected: true });
    const { exit, lines, sent } = await asked(line, 'n\n');
    const question = `${action} on protected profile plant, at 127.0.0.1:1? (y/N) Cancelled.`;
    expect([exit, lines.at(-1), sent]).toEqual([130, question, 0]);
  });

  it('comes before a profile loses its protection', async () => {
    profile({ protected: true });
    const { lines } = await asked('profiles set plant protected=false', 'y\n');
    const question = 'Profile plant is protected. Set protected=false? (y/N) ';
    expect(lines).toEqual([`${question}Profile plant is no longer protected`]);
    expect(JSON.parse(readFileSync(`${someone.folder}/config.json`, 'utf8')).profiles.plant).toEqual({
      protected: false,
    });
  });

  it.each([
    ['', {}, 'Replace profile sandbox, which is for https://plant.example?'],
    [
      ' --yes',
      { protected: true },
      'Profile sandbox is protected: https://plant.example. Replace it, which is for https://plant.example?',
    ],
  ])('comes before a sandbox takes the profile of another platform%s', async (option, more, question) => {
    profile({ baseUrl: 'https://plant.example', ...more }, 'sandbox');
    const before = readFileSync(`${someone.folder}/config.json`, 'utf8');
    const { exit, lines } = await asked(`sandbox start${option}`, 'n\n');
    expect([exit, lines.at(-1)]).toEqual([130, `${question} (y/N) Cancelled.`]);
    expect(readFileSync(`${someone.folder}/config.json`, 'utf8')).toBe(before);
  });

  it.each([
    ['', 'A {{ never closes in content of template_001-pressure-low.txt. (y/N) Cancelled.'],
    [
      ' --base-url http://localhost:1',
      `organization ${ids.root} at localhost:1? Their files were pulled from ${here}, tenant ${ids.tenantId}. (y/N) Cancelled.`,
    ],
  ])('comes before a push of a folder of templates%s', async (options, doubt) => {
    await asked('templates pull FOLDER/templates template_001 -q');
    const file = 'templates/template_001-pressure-low.txt';
    const text = readFileSync(`${someone.folder}/${file}`, 'utf8');
    someone.file(file, text + (options ? ' there' : '{{deviceName'));
    const { exit, lines } = await asked(`templates push FOLDER/templates${options}`, 'n\n');
    expect([exit, lines.at(-1)]).toEqual([130, expect.stringContaining(doubt)]);
  });
});

describe('iiot orgs delete at a terminal', () => {
  const line = `orgs delete ${ids.withoutUsers}`;
  const question = `To delete organization ${ids.withoutUsers} at 127.0.0.1:1, type its name: `;

  it('asks for the name until one is typed, and then deletes', async () => {
    const { exit, lines, sent } = await asked(line, '   \n', 'Storage\n');
    expect([exit, lines.slice(1), sent]).toEqual([
      0,
      [expect.stringMatching(/: Nothing was typed/), `${question}Deleted organization ${ids.withoutUsers}`],
      1,
    ]);
  });

  it('sends nothing after Ctrl-C', async () => {
    const { exit, lines } = await asked(line, undefined);
    const warning = 'Deleting an organization cannot be undone.';
    expect([exit, lines, someone.requests]).toEqual([130, [warning, question, 'Cancelled.'], []]);
  });

  it('asks for a confirmation, too, on a protected profile', async () => {
    profile({ protected: true });
    const { exit, lines } = await asked(line, 'Storage\n', 'n\n');
    expect([exit, lines.slice(1), someone.requests]).toEqual([
      130,
      [
        `${question}Profile plant is protected: ${here}, as sandbox-machine, organization ${ids.root}`,
        `Delete organization ${ids.withoutUsers} on protected profile plant, at 127.0.0.1:1? (y/N) Cancelled.`,
      ],
      [],
    ]);
  });

  it('cannot ask with --no-input', async () => {
    const { exit, lines } = await asked(`${line} --no-input`);
    expect([exit, lines[0]]).toEqual([2, expect.stringMatching(/; cannot prompt: --no-input is given\.$/)]);
  });
});

it('iiot batches create asks for what is missing', async () => {
  const { exit, lines } = await asked('batches create -o id', 'Nightly\n', '0 0 2 * * ?\n', 'y\n', '\n');
  const questions =
    'Name of the batch at 127.0.0.1:1: Quartz cron expression: Enable it? (y/N) Run it on startup? (y/N) ';
  expect([exit, lines[0], lines.at(-1)]).toEqual([0, `${questions}0 0 2 * * ?: At 02:00, every day`, 'batch_001']);
});

it('iiot profiles delete asks, and keeps the profile after no', async () => {
  profile({ org: ids.root });
  someone.file(
    'credentials.json',
    JSON.stringify({ version: 1, logins: { plant: { flow: 'm2m', clientId: 'a', base: here, origin: here } } }),
  );
  const { exit, lines } = await asked('profiles delete plant', 'n\n');
  expect([exit, lines.at(-1)]).toEqual([130, 'Delete profile plant and its login? (y/N) Cancelled.']);
});
