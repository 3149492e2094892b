/** What is refused before a sandbox or its command runs, and what commands inside of one refuse. */
import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { archive } from '../../src/sandbox/transcript.ts';
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

describe('a command inside of sandbox exec', () => {
  it.each(elsewhere.map(([by, line, env = {}]) => [by, line, env] as const))(
    'is stopped where it names another platform by %s',
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
  expect(await someone.iiot(words, { env })).toEqual({
    exit: 4,
    stdout: '',
    stderr: `error: iiot sandbox clock changes the platform, which is read-only here (${by}).\n`,
  });
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
      'a protected platform',
      { ...plant, protected: true },
      expect.stringMatching(
        /^error: Profile sandbox is protected: https?:.* To replace it, which is for .* you must confirm; cannot prompt: not a terminal\.\nhint: Confirm with --confirm-profile sandbox\n$/,
      ),
    ],
    [
      'what another tool has on this machine',
      { baseUrl: 'http://localhost:8080', tenant: 'mine' },
      'error: There is already a profile sandbox for http://localhost:8080; it is not replaced without your confirmation.\n' +
        'hint: Confirm with --yes, or set IIOT_CONFIG_DIR to another folder\n',
    ],
  ])('leaves a profile of its name alone that is for %s, where it cannot prompt', async (_, given, stderr) => {
    const config = JSON.stringify({ version: 1, current: 'default', profiles: { sandbox: given } });
    file('config.json', config);
    expect(await someone.iiot(['sandbox', 'start'])).toEqual({ exit: 2, stdout: '', stderr });
    expect(readFileSync(`${someone.folder}/config.json`, 'utf8')).toBe(config);
  });
});

describe('options of a sandbox', () => {
  const wordsOfHost = 'such as 0.0.0.0 for every network of this machine.';
  it.each([
    ['--host factory.example', `--host takes an IP address, ${wordsOfHost}`],
    ['--host 0.0.0.0:80', `--host takes an IP address, ${wordsOfHost}`],
    ['--host 192.0.2.1', '--host 192.0.2.1 is not an address of this machine.'],
    ['--allow-host sandbox:80', '--allow-host takes a host name without a port, not "sandbox:80".'],
    ['--allow-host *', '--allow-host takes a host name without a port, not "*".'],
  ])('%s is refused before others can reach it', async (line, sentence) => {
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
  ])('%j are refused before anything is run', async (options, sentence) => {
    file('list', 'what\n');
    file('state', serialize(someone.platform));
    const words = options.map((word) => (['list', 'state'].includes(word) ? `${someone.folder}/${word}` : word));
    const { exit, stdout, stderr } = await someone.iiot(['sandbox', 'exec', ...words, '--', 'echo', 'ran']);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr.replaceAll(`${someone.folder}/`, '')).toMatch(sentence);
  });
});

describe('the file of a transcript', () => {
  const exec = (name: string) =>
    someone.iiot(['sandbox', 'exec', '--transcript', `${someone.folder}/${name}`, '--', 'true']);
  const errorOf = async (name: string) => {
    const { exit, stderr } = await exec(name);
    return [exit, stderr.replaceAll(`${someone.folder}/`, '')];
  };

  it('is never one that the sandbox has not written', async () => {
    file('rollout.sh', 'echo precious\n');
    const hint = 'hint: Name another file, or remove it first: rm rollout.sh\n';
    expect(await errorOf('rollout.sh')).toEqual([
      2,
      `error: --transcript rollout.sh already exists and is not a transcript.\n${hint}`,
    ]);
    expect(readFileSync(`${someone.folder}/rollout.sh`, 'utf8')).toBe('echo precious\n');
  });

  it('is not one that a link leads to, a pipe, or in a folder that is missing', async () => {
    file('real.har', archive('1').begin);
    symlinkSync('real.har', `${someone.folder}/link.har`);
    execFileSync('mkfifo', [`${someone.folder}/pipe`]);
    const refused = (name: string, why: string) => [1, expect.stringContaining(`Could not write ${name}: ${why}.\n`)];
    expect(await errorOf('link.har')).toEqual(refused('link.har', 'it is a link, or its links form a loop'));
    expect(await errorOf('pipe')).toEqual(refused('pipe', 'it is a device or a pipe'));
    expect(await errorOf('nowhere/all.har')).toEqual(refused('nowhere/all.har', 'its folder does not exist'));
    expect(readFileSync(`${someone.folder}/real.har`, 'utf8')).toBe(archive('1').begin);
  });
});

describe('a command for a running sandbox', () => {
  it.each([
    ['none is known', {}, 'error: Which sandbox? There is no profile "sandbox".'],
    [
      'it is on another machine',
      { IIOT_SANDBOX_URL: 'https://plant.example' },
      'error: https://plant.example is not a sandbox: a sandbox is always on loopback.',
    ],
  ])('is not sent where %s', async (_, env, sentence) => {
    const run = await someone.iiot(['sandbox', 'export'], { env });
    expect(run).toEqual({ exit: 2, stdout: '', stderr: `${sentence}\nhint: Start one with: iiot sandbox start\n` });
    expect(someone.requests).toEqual([]);
  });
});
