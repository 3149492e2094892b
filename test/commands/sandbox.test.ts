/** What is refused before a sandbox or its command runs, and what commands inside of one refuse. */
import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { archiveLayout } from '../../src/sandbox/transcript.ts';
import { serialize } from '../../src/sandbox/world/state.ts';
import { sandboxVariables } from '../../src/sandbox/world/things-to-try.ts';
import { personForEach } from '../support/fixtures.ts';
import { wordsOf } from '../support/words.ts';

const root = '11111111-1111-4111-8111-111111111111';
const someone = personForEach({ users: 1, devices: 1 });
const file = (name: string, text: string) => writeFileSync(`${someone.folder}/${name}`, text);

const elsewhere: readonly (readonly [string, string, Readonly<Record<string, string | undefined>>?])[] = [
  ['--base-url', 'orgs users list --base-url https://plant.invalid'],
  ['a login', 'login --base-url https://plant.invalid --password-stdin'],
  ["a machine's login", 'login m2m --base-url https://plant.invalid --client-secret-stdin'],
  ['a rehearsed change', 'devices custom-info set press-0001 a=b --dry-run --base-url https://plant.invalid'],
  ['an import', 'devices custom-info import - --format csv --journal j --base-url https://plant.invalid'],
  ['an absolute URL', 'api GET https://plant.invalid/api/v1/oauth2/client-credentials'],
  ['another port', 'orgs users list --base-url http://127.0.0.1:9'],
  ['another sandbox', 'sandbox clock +2h --base-url http://127.0.0.1:9'],
  ['a variable', 'orgs users list', { IIOT_BASE_URL: 'https://plant.invalid' }],
  ['a profile', '--profile plant orgs users list', { IIOT_BASE_URL: undefined }],
];

describe('a command inside iiot sandbox exec', () => {
  it.each(elsewhere.map(([by, line, env = {}]) => [by, line, env] as const))(
    'is refused for another platform that is named by %s',
    async (_, line, env) => {
      const profiles = { plant: { baseUrl: 'https://plant.invalid' } };
      file('config.json', JSON.stringify({ version: 1, current: 'default', profiles }));
      const inside = { ...sandboxVariables('http://127.0.0.1:1'), ...env };
      const { exit, stderr } = await someone.iiot(wordsOf(line), { env: inside, stdin: 'deviceId,a\npress-0001,1\n' });
      expect({ exit, stderr }).toEqual({
        exit: 2,
        stderr: expect.stringMatching(/(nothing is sent to it|nothing is sent elsewhere)\.\n/),
      });
      expect(someone.requests).toEqual([]);
    },
  );
});

it.each([
  ['--read-only', {}],
  ['IIOT_READ_ONLY', { IIOT_READ_ONLY: '1' }],
])('iiot sandbox clock sends nothing with %s', async (by, env) => {
  const words = ['sandbox', 'clock', '+2h', '--base-url', 'http://127.0.0.1:1', ...(by.startsWith('-') ? [by] : [])];
  expect(await someone.iiot(words, { env })).toMatchObject({ exit: 4, stderr: expect.stringContaining(`(${by})`) });
  expect(someone.requests).toEqual([]);
});

describe('iiot sandbox start', () => {
  const plant = { baseUrl: 'https://plant.example', org: root };

  it.each([
    [
      'another platform',
      plant,
      'error: There is already a profile sandbox for https://plant.example; it is not replaced without your confirmation.\n' +
        'hint: Confirm with --yes, or set IIOT_CONFIG_DIR to another folder\n',
    ],
    [
      'another program on this machine',
      { baseUrl: 'http://localhost:8080', tenant: 'mine' },
      expect.stringContaining('error: There is already a profile sandbox for http://localhost:8080; '),
    ],
    [
      'a protected platform',
      { ...plant, protected: true },
      expect.stringMatching(
        /^error: Profile sandbox is protected: https?:.* To replace it, .*\nhint: Confirm with --confirm-profile sandbox\n$/,
      ),
    ],
  ])('does not replace a profile called sandbox for %s without a confirmation', async (_, given, stderr) => {
    const config = JSON.stringify({ version: 1, current: 'default', profiles: { sandbox: given } });
    file('config.json', config);
    expect(await someone.iiot(['sandbox', 'start'])).toEqual({ exit: 2, stdout: '', stderr });
    expect(readFileSync(`${someone.folder}/config.json`, 'utf8')).toBe(config);
  });
});

describe('an option of a sandbox', () => {
  const wordsOfHost = 'such as 0.0.0.0 for every network of this machine.';
  it.each([
    ...['factory.example', '0.0.0.0:80'].map((host) => [
      `--host ${host}`,
      `--host takes an IP address, ${wordsOfHost}`,
    ]),
    ['--host 192.0.2.1', '--host 192.0.2.1 is not an address of this machine.'],
    ...['sandbox:80', '*'].map((host) => [
      `--allow-host ${host}`,
      `--allow-host takes a host name without a port, not "${host}".`,
    ]),
  ])('is refused before others can reach the sandbox: %s', async (line = '', sentence) => {
    const { exit, stdout, stderr } = await someone.iiot(['sandbox', 'start', ...line.split(' ')]);
    expect({ exit, stdout, stderr }).toEqual({
      exit: 2,
      stdout: '',
      stderr: `error: ${sentence}\nhint: See iiot sandbox start --help\n`,
    });
  });

  it.each([
    [['--fault', 'PUT platform=503'], /^error: --fault "PUT platform=503": /],
    [['--fault', '/x=200'], /^error: --fault "\/x=200": /],
    [['--port', '70000'], /^error: --port takes a whole number from 0 to 65535\.\n/],
    [['--latency', '3'], /^error: --latency takes a duration such as 200ms or 2s\.\n/],
    [['--refresh-leeway', '3'], /^error: --refresh-leeway takes a duration such as 200ms or 2s\.\n/],
    [['--errors', 'xml'], /^error: --errors takes one of abp, problem-details\.\n/],
    [['--clock', 'soon'], /^error: --clock takes a duration with its direction/],
    [['--clock', '+40000d'], /^error: --clock takes a duration with its direction/],
    [['--state', '/nowhere/state.json'], /^error: --state \/nowhere\/state\.json: /],
    [['--state', 'list'], /^error: --state list: It is not the state of a sandbox\.\n/],
    [
      ['--state', 'state', '--import', 'state'],
      /^error: --state state already has a state, so --import cannot be used\.\nhint: Give one of them, or a new file to --state\n/,
    ],
    [['--import', 'nothing.json'], /^error: --import nothing\.json does not exist\.\n/],
    [['--expect', 'nothing'], /^error: --expect nothing does not exist\.\n/],
    [['--expect', 'list'], /^error: --expect list: Line 1 is not METHOD PATH-GLOB \[STATUS\]/],
  ])('is refused before the command is run: %j', async (options, sentence) => {
    file('list', 'what\n');
    file('state', serialize(someone.platform));
    const words = options.map((word) => (['list', 'state'].includes(word) ? `${someone.folder}/${word}` : word));
    const { exit, stdout, stderr } = await someone.iiot(['sandbox', 'exec', ...words, '--', 'echo', 'ran']);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr.replaceAll(`${someone.folder}/`, '')).toMatch(sentence);
  });
});

describe('iiot sandbox exec --transcript', () => {
  const errorOf = async (name: string) => {
    const words = ['sandbox', 'exec', '--transcript', `${someone.folder}/${name}`, '--', 'true'];
    const { exit, stderr } = await someone.iiot(words);
    return [exit, stderr.replaceAll(`${someone.folder}/`, '')];
  };

  it('does not replace a file that is not a transcript', async () => {
    file('rollout.sh', 'echo precious\n');
    const hint = 'hint: Name another file, or remove it first: rm rollout.sh\n';
    const sentence = 'error: --transcript rollout.sh already exists and is not a transcript.\n';
    expect(await errorOf('rollout.sh')).toEqual([2, sentence + hint]);
    expect(readFileSync(`${someone.folder}/rollout.sh`, 'utf8')).toBe('echo precious\n');
  });

  it('does not write to a link, a pipe or a folder that does not exist', async () => {
    file('real.har', archiveLayout('1').begin);
    symlinkSync('real.har', `${someone.folder}/link.har`);
    execFileSync('mkfifo', [`${someone.folder}/pipe`]);
    for (const name of ['link.har', 'pipe', 'nowhere/all.har'])
      expect(await errorOf(name)).toEqual([1, expect.stringContaining(`Could not write ${name}: `)]);
    expect(readFileSync(`${someone.folder}/real.har`, 'utf8')).toBe(archiveLayout('1').begin);
  });
});

describe('iiot sandbox export', () => {
  it.each([
    ['no sandbox is known', {}, 'error: Which sandbox? There is no profile "sandbox".'],
    [
      'the sandbox is on another machine',
      { IIOT_SANDBOX_URL: 'https://plant.example' },
      'error: https://plant.example is not a sandbox: a sandbox is always on loopback.',
    ],
  ])('sends nothing if %s', async (_, env, sentence) => {
    const run = await someone.iiot(['sandbox', 'export'], { env });
    expect(run).toEqual({ exit: 2, stdout: '', stderr: `${sentence}\nhint: Start one with: iiot sandbox start\n` });
    expect(someone.requests).toEqual([]);
  });
});
