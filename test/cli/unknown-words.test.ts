/** What somebody types who knows another tool, or has slipped: each gets what to type instead. */
import { describe, expect, it } from 'vitest';
import { groups } from '../../src/commands/index.ts';
import { helpText } from '../../src/shell/find-help.ts';
import { version } from '../../src/version.ts';
import { personForEach } from '../support/fixtures.ts';
import { type Person, refused } from '../support/world.ts';

const someone = personForEach();
const iiot: Person['iiot'] = (...call) => someone.iiot(...call);

it.each([
  ['auth status', 'auth', 'Did you mean: iiot login status'],
  ['policy', 'policy', 'Did you mean: iiot policies'],
  ['tamplates list', 'tamplates', 'Did you mean: iiot templates list'],
  ['orgs lits', 'orgs lits', 'Commands: iiot orgs users list, iiot orgs users diff, iiot orgs delete'],
  ['orgs users lits', 'orgs users lits', 'Did you mean: iiot orgs users list'],
  ['login stauts', 'login stauts', 'Did you mean: iiot login status'],
  ['channels disable', 'channels disable', 'Did you mean: iiot channels update CHANNEL-ID --disabled'],
  ['xylophone', 'xylophone', 'See iiot --help'],
])('an unknown command is refused with what to type instead: iiot %s', async (line, unknown, hint) => {
  expect(await iiot(line.split(' '))).toEqual(refused(`Unknown command "iiot ${unknown}".`, hint));
  expect(someone.requests).toEqual([]);
});

describe('a command without an operation in the interface', () => {
  const orgs = '/api/v1/orgs/{orgId}';
  const found = 'You find these and their IDs in the web console';
  it.each([
    ['orgs list', found, '/api/v1/orgs'],
    ['devices show d1', found, '/platform/solutions/api/v1/devices/ID'],
    ['devices custom-info get d1', found, '/platform/solutions/api/v1/devices/ID/custom-info'],
    ['orgs update o1', found, 'PATCH /api/v1/orgs/ID'],
    ['policies list', found, `${orgs}/alert-policies`],
    ['policies create', found, `POST ${orgs}/alert-policies`],
    ['policies get p1', found, `${orgs}/alert-policies/ID`],
    ['batches rm b1', found, `DELETE ${orgs}/batches/ID`],
    ['batches update b1 --all', found, `PATCH ${orgs}/batches/ID`],
    ['templates create', 'See them with: iiot templates list -o json', `POST ${orgs}/notifications/templates`],
  ])('is refused with a call of iiot api: iiot %s', async (line, instead, call) => {
    const name = line
      .split(' ')
      .slice(0, line.startsWith('devices custom-info') ? 3 : 2)
      .join(' ');
    const sentence = `Unknown command "iiot ${name}": the platform's interface has no operation for it.`;
    const hint = `${instead}. If your platform has such an operation, for example: iiot api ${call}`;
    expect(await iiot(line.split(' '))).toEqual(refused(sentence, hint));
    expect(someone.requests).toEqual([]);
  });

  it('is answered alike for a word of another tool', async () => {
    expect(await iiot(['policy', 'list'])).toEqual(await iiot(['policies', 'list']));
  });
});

it.each(['orgs', 'orgs users', 'templates', 'profiles', 'sandbox'])(
  'a group alone shows its help: iiot %s',
  async (line) => {
    const path = line.split(' ');
    const seen = { exit: 0, stdout: await helpText(groups, path, 80), stderr: '' };
    expect(await iiot(path)).toEqual(seen);
    expect(await iiot(['--profile', 'plant', ...path])).toEqual(seen);
  },
);

const dashes = 'Put -- before the command and its options:';
it.each([
  ['orgs users list --frob', 'See iiot orgs users list --help'],
  ['orgs users list --limt 5', 'Did you mean --limit?'],
  ['credentials list --sort name', 'See iiot credentials list --help'],
  ['orgs users list --csv-safe', 'Did you mean --for-spreadsheet?'],
  ['orgs users list --timeout 5s', 'Did you mean --request-timeout?'],
  ['channels update c --timeout 5s', 'Did you mean --settings-timeout?'],
  ['channels update --enable', 'Did you mean --enabled?'],
  ['templates list --organization a', 'Did you mean --org?'],
  [
    'doctor --passphrase s3cret-word',
    'Passwords and secrets are not options: give them on standard input, in a variable or in a file',
  ],
  ['sandbox exec iiot orgs users list --limit 5', `${dashes} iiot sandbox exec [OPTIONS] -- COMMAND [ARG...]`],
  ['each --orgs a --role admin -- orgs users list', `${dashes} iiot each [OPTIONS] -- COMMAND [ARG...]`],
])('an unknown option is refused with what to type instead: iiot %s', async (line, hint) => {
  const { exit, stderr } = await iiot(['-o', 'json', ...line.split(' ')]);
  expect([exit, JSON.parse(stderr).error.hint]).toEqual([2, hint]);
  expect(stderr).not.toContain('s3cret');
});

const source = (option: string, variable: string) =>
  `A secret is never the value of an option: it is read from standard input (${option}), ${variable} or a prompt`;
const password = source('--password-stdin', 'IIOT_PASSWORD');
const secret = source('--client-secret-stdin', 'IIOT_CLIENT_SECRET');
const tooMany = (name: string) => `Too many arguments for ${name}. Expected 0 arguments but got 1.`;
it.each([
  ['login m2m --client-secret hunter2', 'Unknown option "--client-secret".', secret],
  ['login m2m --client-secret=hunter2', 'Unknown option "--client-secret".', secret],
  ['login m2m --client-secert hunter2', 'Unknown option "--client-secert".', secret],
  ['login m2m --client-secret-stdin hunter2', tooMany('iiot login m2m'), secret],
  ['login --password hunter2', 'Unknown option "--password".', password],
  ['login --pw hunter2', 'Unknown option "--pw".', password],
  ['login --password-stdin=hunter2', 'Unknown option "--password-stdin".', password],
  ['login --account ada --password-stdin hunter2', tooMany('iiot login'), password],
])(
  'a secret on the command line is refused with the ways to give it, and is not shown: iiot %s',
  async (line, message, hint) => {
    expect(await iiot([...line.split(' '), '--debug'])).toEqual(refused(message, hint));
  },
);

it.each([
  [
    'templates update',
    'iiot templates update needs <templateId>: Template (template_xxx).',
    'Usage: iiot templates update <templateId> [OPTIONS]',
  ],
  ['profiles use', 'iiot profiles use needs <NAME>: Profile.', 'Usage: iiot profiles use <NAME> [OPTIONS]'],
  [
    'sandbox exec iiot version',
    'iiot sandbox exec needs -- before the command that it runs.',
    'Usage: iiot sandbox exec [OPTIONS] -- COMMAND [ARG...]',
  ],
])('a missing argument is named with the usage of the command: iiot %s', async (line, message, hint) => {
  expect(await iiot(line.split(' '))).toEqual(refused(message, hint));
});

it('iiot version prints the version as text and as JSON', async () => {
  expect(await iiot(['version'])).toEqual({ exit: 0, stdout: `${version}\n`, stderr: '' });
  const { stdout } = await iiot(['version', '--json']);
  // The build knows the rest (test/process/version.test.ts).
  const unknown = { commit: null, bundled: [], verify: null };
  expect(JSON.parse(stdout)).toEqual({ version, node: process.versions.node, installMethod: 'file', ...unknown });
});
