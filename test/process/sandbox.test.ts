import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/commands/sandbox/index.ts';
import { homeForEach } from '../support/home.ts';
import { lacks } from '../support/lacking.ts';
import { typedIn } from '../support/shell.ts';
import { isAlive, isListening, until } from '../support/waiting.ts';

const root = '11111111-1111-4111-8111-111111111111';
const small = ['--users', '5', '--devices', '3'];
const press = '/platform/solutions/api/v1/devices/press-0001/custom-info';

const home = homeForEach();

/** The words that run a script against a sandbox. */
const exec = (script: string, ...options: readonly string[]) => [
  ...['sandbox', 'exec', ...small, ...options],
  ...['--', 'sh', '-c', script],
];
const inside = (script: string, ...options: readonly string[]) => home.iiot(exec(script, ...options));
const nothingLeft = { exit: 0, alive: false, left: [] };
/** How a run ended whose output is the ID of a process. */
const leaving = ({ exit, stdout }: { readonly exit: number | undefined; readonly stdout: string }) => ({
  ...{ exit, alive: isAlive(Number(stdout)), left: home.left() },
});

/** Starts a sandbox, and waits until it has said where it is. */
async function starting(...options: readonly string[]) {
  const begun = home.begin(['sandbox', 'start', ...small, '-o', 'json', ...options]);
  await until('it has said where it is', () => begun.stdout().endsWith('}\n'));
  return { ...begun, said: JSON.parse(begun.stdout()) };
}

describe('iiot sandbox exec', () => {
  it('sets the variables of the sandbox for a command, and clears all others of iiot', async () => {
    const mine = { IIOT_TOKEN: 'mine', IIOT_PROFILE: 'plant', IIOT_BASE_URL: 'https://plant.example', IIOT_OTHER: '1' };
    const { exit, stdout } = await home.iiot(exec('env | grep ^IIOT_'), { env: mine });
    const lines = stdout.trim().split('\n');
    const env = Object.fromEntries(lines.map((line) => line.split('=', 2)));
    const url = env.IIOT_SANDBOX_URL;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(env).toEqual({
      IIOT_SANDBOX: '1',
      IIOT_SANDBOX_URL: url,
      IIOT_BASE_URL: url,
      IIOT_TENANT: 'factory',
      IIOT_APP: 'console',
      IIOT_ORG: root,
      IIOT_ACCOUNT: 'ada@factory.example',
      IIOT_CLIENT_ID: 'sandbox-machine',
      IIOT_CLIENT_SECRET: 'sandbox-secret',
      IIOT_CONFIG_DIR: expect.stringMatching(/iiot-sandbox-.*settings$/),
    });
    expect({ exit, left: home.left() }).toEqual({ exit: 0, left: [] });
  });

  it('runs the same iiot in a script', async () => {
    const { exit, stdout } = await inside('iiot orgs users list --limit 2 -o id');
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: 'ada\nuser-0001\n' });
  });

  it.each([
    ['exit 7', 7],
    ['kill -TERM $$', 143],
    ['kill -KILL $$', 137],
  ])('passes on the output and the end of "%s"', async (script, exit) => {
    home.file('names', 'one\ntwo\n');
    expect(await inside(`cat names; echo three >&2; ${script}`)).toEqual({
      exit,
      stdout: 'one\ntwo\n',
      stderr: 'three\n',
    });
  });

  it.each([
    ['nosuch-command', 'error: nosuch-command: command not found.'],
    ['/etc/passwd', 'error: /etc/passwd: permission denied.'],
  ])('refuses %s', async (name, sentence) => {
    const { exit, stderr } = await home.iiot(['sandbox', 'exec', ...small, '--', name]);
    expect({ exit, stderr, left: home.left() }).toEqual({
      exit: 2,
      stderr: expect.stringContaining(sentence),
      left: [],
    });
  });

  it('ignores a folder of PATH that it cannot read', async () => {
    symlinkSync('loop', home.at('loop'));
    const PATH = `${home.at('loop')}:${home.env.PATH}`;
    const run = home.iiot(['sandbox', 'exec', ...small, '--', 'sh', '-c', 'echo ran'], { env: { PATH } });
    expect(await run).toEqual({ exit: 0, stdout: 'ran\n', stderr: '' });
  });

  it('makes the same faults with the same seed', async () => {
    const script = 'for n in 1 2 3 4; do iiot orgs users list --limit 1 --retries 0 -q >out 2>&1; printf "$? "; done';
    const { stdout } = await inside(script, '--fault', 'GET /api/**=503:50%', '--seed', '7');
    expect(stdout).toBe('8 8 0 8 ');
  });

  it('starts with --clock, which iiot sandbox clock moves', async () => {
    const script =
      'iiot sandbox clock +2h --jq .offsetSeconds; iiot sandbox clock -90d -q --jq .offsetSeconds; iiot sandbox clock --jq .offsetSeconds -- -1s';
    const { exit, stdout } = await inside(script, '--clock=-30m');
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: '5400\n-7770600\n-7770601\n' });
  });
});

describe('a process in a sandbox', () => {
  it('ends with the command that started it', async () => {
    expect(leaving(await inside('sleep 100 & echo $!'))).toEqual(nothingLeft);
  });

  it('is killed when it ignores SIGTERM', async () => {
    const script = 'sh -c \'trap "" TERM; echo $$; while :; do sleep 1; done\' & sleep 0.3';
    expect(leaving(await inside(script))).toEqual(nothingLeft);
  });

  it('ends when iiot is killed, with the server and its folder', async () => {
    const script = 'sleep 100 & echo $! $$ $IIOT_SANDBOX_URL $IIOT_CONFIG_DIR; wait';
    const { child, stdout, ended } = home.begin(exec(script));
    await until('the command has said who it is', () => stdout().includes('\n'));
    const [background = '', shell = '', url = ''] = stdout().trim().split(' ');
    expect([isAlive(Number(background)), isAlive(Number(shell)), await isListening(url)]).toEqual([true, true, true]);
    child.kill('SIGKILL');
    await ended;
    await until('nobody is left', () => !isAlive(Number(background)) && !isAlive(Number(shell)));
    await until('the folder is gone', () => home.left().length === 0);
    expect(await isListening(url)).toBe(false);
  });

  it('ends whenever iiot is killed', async () => {
    for (let wait = 40; wait <= 400; wait += 40) {
      const { child, stdout, ended } = home.begin(exec('echo $$; exec sleep 100'));
      await new Promise((resolve) => setTimeout(resolve, wait));
      child.kill('SIGKILL');
      await ended;
      await until('the folder is gone', () => home.left().length === 0);
      const pid = Number(stdout());
      await until('the command is gone', () => pid === 0 || !isAlive(pid));
    }
  });

  it.each([
    ['SIGINT', 'INT', 42],
    ['SIGTERM', 'TERM', 43],
    ['SIGHUP', 'HUP', 44],
  ] as const)('receives each %s once, and decides how it ends', async (signal, name, exit) => {
    const script = `n=0; trap 'n=$((n+1)); echo heard $n; [ $n = 2 ] && exit ${exit}' ${name}; echo ready; while :; do sleep 0.05; done`;
    const { child, stdout, ended } = home.begin(exec(script));
    await until('it is ready', () => stdout().includes('ready'));
    child.kill(signal);
    await until('it has heard once', () => stdout().includes('heard 1'));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(stdout()).toBe('ready\nheard 1\n');
    child.kill(signal);
    expect(await ended).toEqual({ exit, signal: null });
    expect({ said: stdout(), left: home.left() }).toEqual({ said: 'ready\nheard 1\nheard 2\n', left: [] });
  });

  it('receives the Ctrl-C of a terminal once', async () => {
    const script =
      "trap 'echo heard' INT; echo ready; n=0; while [ $n -lt 8 ]; do sleep 0.1; n=$((n+1)); done; echo done";
    const terminal = home.terminal(exec(script));
    await terminal.waitFor('ready');
    terminal.type('\x03');
    await terminal.waitFor('done');
    expect(await terminal.exit).toEqual({ code: 0, signal: 0 });
    expect((await terminal.screen()).match(/heard/g)).toHaveLength(1);
  });

  it('reads what is typed at the terminal', async () => {
    const terminal = home.terminal(['sandbox', 'exec', ...small, '--', 'iiot', 'login']);
    await terminal.waitFor('Password');
    terminal.type('correct horse\r');
    await terminal.waitFor('Logged in to');
    expect(await terminal.exit).toEqual({ code: 0, signal: 0 });
  });
});

describe('the state of a sandbox', () => {
  it('is kept with --state in a private file', async () => {
    const data = ['--state', 'factory.json'];
    expect((await inside('iiot devices custom-info set press-0001 line=9 -q', ...data)).exit).toBe(0);
    const found = await inside("iiot sandbox export --jq '.devices[0].customInfo'", ...data);
    expect(JSON.parse(found.stdout)).toContainEqual(['line', '9']);
    expect(found.stderr).toBe(
      'factory.json already has its users and devices: --users and --devices apply only to a new one.\n',
    );
    expect(statSync(home.at('factory.json')).mode & 0o777).toBe(0o600);
  });

  it('can be exported and imported, and the file stays unchanged', async () => {
    await inside('iiot devices custom-info set press-0001 line=9 -q; iiot sandbox export > monday.json');
    const before = home.read('monday.json');
    const { stdout } = await home.iiot([
      ...['sandbox', 'exec', '--import', 'monday.json', '--', 'sh', '-c'],
      'iiot orgs users list --all -o id; iiot devices custom-info set press-0001 line=1 -q',
    ]);
    expect(stdout.split('\n')).toHaveLength(6);
    expect(home.read('monday.json')).toBe(before);
    expect(JSON.parse(before).devices[0].customInfo).toContainEqual(['line', '9']);
  });

  it('is used by one sandbox at a time', async () => {
    const { child, ended } = await starting('--state', 'factory.json');
    expect(await inside('true', '--state', 'factory.json')).toEqual({
      exit: 2,
      stdout: '',
      stderr:
        'error: --state factory.json is in use by another sandbox.\nhint: Use another file, or stop that sandbox\n',
    });
    child.kill('SIGKILL');
    await ended;
    expect((await inside('true', '--state', 'factory.json')).exit).toBe(0);
    expect(readdirSync(home.folder).filter((name) => name.includes('factory'))).toEqual(['factory.json']);
  });
});

describe('a transcript', () => {
  it('has a line without secrets for each request, and replaces an earlier one', async () => {
    writeFileSync(
      `${home.folder}/all.ndjson`,
      '{"at":"2026-11-28T00:00:00.000Z","milliseconds":3,"of":"an earlier run"}\n',
    );
    await inside('iiot devices custom-info set press-0001 line=9 -q', '--transcript', 'all.ndjson');
    const lines = home
      .read('all.ndjson')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ request, answer }) => [request.method, new URL(request.url).pathname, answer.status])).toEqual([
      ['POST', '/identity/connect/token', 200],
      ['PUT', press, 204],
    ]);
    expect(home.read('all.ndjson')).not.toMatch(/sandbox-secret|an earlier run/);
  });

  it('is an HTTP Archive when its name ends with .har', async () => {
    await inside('iiot orgs users list -o id -q', '--transcript', 'all.har');
    const { log } = JSON.parse(home.read('all.har'));
    expect([log.version, log.entries.map(({ request }: { request: { method: string } }) => request.method)]).toEqual([
      '1.2',
      ['POST', 'GET'],
    ]);
  });
});

describe('expectations', () => {
  const signs = '- was expected but not made, + was made but not expected';

  it('that are not met end the run with 10, and are shown', async () => {
    const script =
      'iiot orgs users list --limit 1 -q >out && iiot devices custom-info set press-0001 line=9 -q; printf "its own"';
    home.file('list', `GET /api/v1/orgs/*/users 200\nPUT ${press} 404\nDELETE /api/**\n`);
    expect(await inside(script, '--expect', 'list', '-o', 'json')).toEqual({
      exit: 10,
      stdout: 'its own',
      stderr: `- PUT ${press} 404\n- DELETE /api/**\n+ PUT ${press} 204\nThe requests differ from list in 3 places: ${signs}.\n`,
    });
  });

  it('do not change the exit code of a command that fails', async () => {
    home.file('list', 'GET /api/v1/orgs/*/users 200\n');
    expect(await inside('exit 3', '--expect', 'list')).toEqual({
      exit: 3,
      stdout: '',
      stderr: `- GET /api/v1/orgs/*/users 200\nThe requests differ from list in one place: ${signs}.\n`,
    });
  });
});

describe('the example of iiot sandbox exec --help', () => {
  const examples = commands.find(({ name }) => name === 'sandbox exec')?.examples ?? {};

  it.each(Object.keys(examples))('works: %s', async (line) => {
    home.file('rollout.sh', 'iiot devices custom-info set press-0001 line=3 --retries 20 -q\n');
    home.file('rollout.expect', `PUT ${press} 204\n`);
    const [words = []] = await typedIn(line);
    const { exit, stderr } = await home.iiot(words.slice(1));
    expect({ exit, stderr }).toEqual({ exit: 0, stderr });
  });
});

describe('iiot sandbox start', () => {
  it('sets up a profile that is logged in despite faults, and ends with Ctrl-C', async () => {
    const { child, said, ended } = await starting('-q', '--fault', 'POST /**/external-login*=503');
    const { url, tenant, org, organizations, policies, templates } = said;
    expect([organizations[1], policies[0], templates[0]].map(({ id, name }) => `${id} ${name}`)).toEqual([
      '22222222-2222-4222-8222-222222222222 Line 7',
      'aaaaaaaa-0000-4000-8000-000000000001 Press too hot',
      'template_001 Pressure low',
    ]);
    expect({ tenant, org, profile: profile().baseUrl }).toEqual({ tenant: 'factory', org: root, profile: url });
    const list = await home.iiot(['orgs', 'users', 'list', '--profile', 'sandbox', '-o', 'id', '--limit', '1']);
    expect(list).toMatchObject({ exit: 0, stdout: 'ada\n' });
    const moved = await home.iiot(['sandbox', 'clock', '+2h', '--jq', '.offsetSeconds']);
    expect(moved).toMatchObject({ exit: 0, stdout: '7200\n' });
    const { port } = new URL(url);
    expect(await home.iiot(['sandbox', 'start', '--port', port])).toEqual({
      exit: 2,
      stdout: '',
      stderr: `error: --port ${port} is in use.\nhint: Leave out --port to use any free one\n`,
    });
    child.kill('SIGINT');
    expect(await ended).toEqual({ exit: 0, signal: null });
    expect(await home.iiot(['sandbox', 'clock', '+2h', '--retries', '0'])).toMatchObject({
      exit: 8,
      stderr: expect.stringContaining('If it was a sandbox, it has ended: iiot sandbox start'),
    });
  });

  it('uses another profile while a sandbox runs, and the same one after it has ended', {
    timeout: 60_000,
  }, async () => {
    const one = await starting('-q');
    const two = await starting();
    const { profiles } = JSON.parse(home.read('iiot/config.json'));
    expect([profiles.sandbox.baseUrl, profiles['sandbox-2'].baseUrl]).toEqual([one.said.url, two.said.url]);
    expect(two.stderr()).toContain(
      'Profile sandbox belongs to a sandbox that is running; this one has profile sandbox-2.',
    );
    one.child.kill('SIGINT');
    await one.ended;
    const three = await starting();
    expect(profile().baseUrl).toBe(three.said.url);
    expect(three.stderr()).not.toContain('Waiting');
  });

  it.skipIf(lacks('curl'))(
    'warns with --host, sets up no profile, and answers to the names of --allow-host',
    async () => {
      const { child, said, stderr, ended } = await starting('-q', '--host', '0.0.0.0', '--allow-host', 'sandbox');
      const { port } = new URL(said.url);
      expect(said.url).toBe(`http://127.0.0.1:${port}`);
      expect(stderr()).toBe(
        `Warning: every machine that reaches 0.0.0.0, port ${port}, can read and change this sandbox, with the secrets that it shows, over plain ` +
          'http. Use it for made-up data only.\n',
      );
      const called = async (name: string) =>
        (await home.run(['curl', '-s', '-o', 'page', '-w', '%{http_code}', '-H', `Host: ${name}`, said.url])).stdout;
      expect([await called('sandbox:8080'), await called('10.1.2.3'), await called('evil.example')]).toEqual([
        ...['200', '200', '421'],
      ]);
      expect(home.read('page')).toBe(
        'This server does not answer to that name. To allow it, start the server with --allow-host NAME.',
      );
      child.kill('SIGINT');
      expect(await ended).toEqual({ exit: 0, signal: null });
      expect(existsSync(home.at('iiot'))).toBe(false);
    },
  );

  const plant = { baseUrl: 'https://plant.example', org: root };
  const config = (profile: object) => {
    home.file('iiot/config.json', JSON.stringify({ version: 1, current: 'default', profiles: { sandbox: profile } }));
  };
  const profile = () => JSON.parse(home.read('iiot/config.json')).profiles.sandbox;

  const start = (...options: readonly string[]) =>
    home.terminal(['sandbox', 'start', ...small, '-o', 'json', ...options], { columns: 250 });

  it('replaces such a profile with --yes, and its own without a question', async () => {
    config(plant);
    for (const options of [['--yes'], []]) {
      const session = start(...options);
      await session.waitFor('"url"');
      const { baseUrl, ...rest } = profile();
      expect(rest).toEqual({ tenant: 'factory', app: 'console', org: root, account: 'ada@factory.example' });
      expect(await session.screen()).toContain(
        `Set in profile sandbox: baseUrl=${baseUrl} tenant=factory app=console org=${root} account=ada@factory.example\n`,
      );
      session.type('\u0003');
      expect(await session.exit).toMatchObject({ code: 0 });
    }
  });

  it('fits half a screen at a narrow terminal', async () => {
    const session = home.terminal(['sandbox', 'start', ...small], { columns: 60 });
    await session.waitFor('Browser');
    const url = profile().baseUrl;
    expect((await session.screen()).replaceAll(url, 'URL').split('\n')).toEqual([
      'Sandbox       URL (Ctrl-C stops it)',
      'Profile       sandbox, logged in as ada@factory.example',
      '',
      "Accounts      ada@factory.example, password 'correct horse'",
      "              vic@factory.example, password 'battery staple'",
      'Machine       sandbox-machine, client secret sandbox-secret',
      `Organization  ${root}`,
      '              33333333-3333-4333-8333-333333333333',
      'Device        press-0001',
      'Template      template_001',
      'Policy        aaaaaaaa-0000-4000-8000-000000000001',
      'Channel       channel_email',
      '',
      expect.stringMatching(/^Try {11}iiot .* --profile sandbox$/),
      'Browser       URL (data and changes)',
    ]);
    session.type('\u0003');
    expect(await session.exit).toMatchObject({ code: 0 });
  });
});

describe('iiot sandbox tour', () => {
  const tour = (options: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    home.terminal(['sandbox', 'tour', ...options], { env });
  const commandsOn = (screen: string) => [...screen.matchAll(/^\$ iiot (\w+)/gm)].map(([, group]) => group);

  it('pauses between groups until Enter is pressed, and ends with Ctrl-C', async () => {
    const session = tour([]);
    await session.waitFor('Press Enter to continue');
    expect(commandsOn(await session.screen())).toEqual(['login', 'login', 'profiles', 'doctor']);
    session.type('x\r');
    await session.waitFor(/--jq length\n[\s\S]*\n\nPress Enter to continue$/);
    const seen = await session.screen();
    expect(commandsOn(seen)).toEqual(['login', 'login', 'profiles', 'doctor', 'orgs', 'orgs']);
    expect(seen.match(/Press Enter/g)).toHaveLength(1);
    session.type('\u0003');
    expect(await session.exit).toMatchObject({ code: 130 });
    expect((await session.screen()).split('\n').slice(-2)).toEqual(['', 'Cancelled.']);
    expect(home.left()).toEqual([]);
  });

  it('runs commands of every group with --no-pause, and leaves no file', async () => {
    const session = tour(['--no-pause']);
    expect(await session.exit).toMatchObject({ code: 0 });
    const screen = await session.screen();
    const groups = commandsOn(screen);
    expect([screen.includes('Press Enter'), groups.at(-1), home.left()]).toEqual([false, 'logout', []]);
    expect([...new Set(groups)].sort().join(' ')).toBe(
      'api batches channels credentials devices doctor history login logout orgs policies profiles templates',
    );
  });

  it('does not pause with CI', async () => {
    const session = tour([], { CI: 'true' });
    await session.waitFor('$ iiot devices');
    session.type('\u0003');
    expect(await session.exit).toMatchObject({ code: 130 });
    expect(await session.screen()).not.toContain('Press Enter');
  });

  it('starts with npm run tour, which shows the log of the build only when it fails', () => {
    home.file('build/tour.cjs', readFileSync('build/tour.cjs'));
    home.file('bin/iiot.js', 'console.log(process.argv.slice(1).join(" "))');
    const run = (exit: number) => {
      const build = `node -e "console.log('much'); console.error('of it'); process.exit(${exit})"`;
      const { tour } = JSON.parse(readFileSync('package.json', 'utf8')).scripts;
      home.file('package.json', JSON.stringify({ scripts: { build, tour } }));
      // From Node 22 on, npm keeps compiled code in the folder for temporary files.
      const env = { ...process.env, TMPDIR: home.folder };
      const options = { cwd: home.folder, env, encoding: 'utf8' } as const;
      const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'tour', '--', '--no-pause'], options);
      return { status, stdout, stderr };
    };
    const words = `${realpathSync(home.folder)}/bin/iiot.js sandbox tour --no-pause\n`;
    const stderr = 'To put iiot on your PATH: npm install --global .\n';
    expect(run(0)).toEqual({ status: 0, stdout: words, stderr });
    const failed = run(3);
    expect(failed.status).toBe(3);
    expect(`${failed.stdout}${failed.stderr}`).toMatch(/much\n[\s\S]*of it\n/);
    expect(failed.stdout).not.toContain('sandbox tour');
    expect(failed.stderr).not.toContain('PATH');
  });
});
