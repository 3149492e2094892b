/** The secret that is shown once, when its reader, the disk or the process itself ends in the middle. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { hashOf } from '../../src/sandbox/identity/secrets.ts';
import { ids as known } from '../../src/sandbox/world/ids.ts';
import { madeForEach } from '../support/fixtures.ts';
import { openFront } from '../support/front.ts';
import { homeForEach, machineOf } from '../support/home.ts';
import { programFile, programWords } from '../support/program.ts';

const path = '/api/v1/oauth2/client-credentials';
const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
const program = [programFile, ...programWords].map(quoted).join(' ');
const front = madeForEach(() => openFront());
const home = homeForEach(() => machineOf(front));
let child: ChildProcess | undefined;
afterEach(() => void child?.kill('SIGKILL'));

const credentials = () => [...front.platform.world.credentials.values()];
const ids = () => credentials().map(({ clientCredentialId }) => clientCredentialId);
const creations = () => front.requests.filter(({ method, path: at }) => method === 'POST' && at === path).length;

type Ended = { readonly code: number | null; readonly signal: string | null; readonly stderr: string };

const named = (line: string) => line.replaceAll(/\biiot (?=credentials|--)/g, `${program} `);

/** Runs a shell line in which `iiot` is the program. */
function shell(line: string): Promise<Ended> {
  const script = named(line);
  return new Promise((resolve, reject) => {
    child = spawn('sh', ['-c', script], { env: home.env, cwd: home.folder, detached: true });
    let stderr = '';
    child.stdout?.resume();
    child.stderr?.on('data', (bytes) => (stderr += bytes));
    child.on('error', reject).on('close', (code, signal) => resolve({ code, signal, stderr }));
  });
}

/** Ends the program and the shell that runs it, as a power cut would. */
function kill(running = child): void {
  // One that has ended by itself is no longer there to be killed.
  if (running?.pid && running.exitCode === null && running.signalCode === null) process.kill(-running.pid, 'SIGKILL');
}

function recoveries(): { readonly path: string; readonly mode: string; readonly content: Record<string, unknown> }[] {
  if (!existsSync(home.settings)) return [];
  const names = readdirSync(home.settings).filter((name) => name.startsWith('recovery-'));
  return names.map((name) => {
    const at = join(home.settings, name);
    return { path: at, mode: (statSync(at).mode & 0o777).toString(8), content: JSON.parse(readFileSync(at, 'utf8')) };
  });
}

/** Where the secret of a credential is kept on this machine, in whatever file: the places that a person is told of. */
function placesOf(hash: string): string[] {
  const all: (readonly [string, unknown])[] = recoveries().map(({ content }) => ['recovery', content.clientSecret]);
  if (existsSync(home.at('secret'))) all.push(['file', readFileSync(home.at('secret'), 'utf8').trimEnd()]);
  const logins = existsSync(join(home.settings, 'credentials.json'))
    ? Object.values<Record<string, unknown>>(
        JSON.parse(readFileSync(join(home.settings, 'credentials.json'), 'utf8')).logins,
      )
    : [];
  all.push(...logins.map((login) => ['profile', login.clientSecret] as const));
  return all.filter(([, secret]) => typeof secret === 'string' && hashOf(secret) === hash).map(([place]) => place);
}

describe('iiot credentials', () => {
  it.each([
    ['closed', '>&-'],
    ['/dev/null', '>/dev/null'],
  ])('create sends nothing when standard output is %s', async (_, redirection) => {
    const { code, stderr } = await shell(`iiot credentials create --name a -o json ${redirection}`);
    const reason = 'stdout is closed or leads nowhere, so nothing was created.';
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
    expect(front.requests).toEqual([]);
  });

  it('create keeps the secret in a recovery file, and names it, when the disk is full', async () => {
    const { code, stderr } = await shell('iiot credentials create --name a -o json >/dev/full');
    const [recovery] = recoveries();
    const made = credentials()[1];
    expect([code, recoveries().length, placesOf(made?.secretHash ?? '')]).toEqual([1, 1, ['recovery']]);
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'io',
      message: expect.stringContaining(made?.clientCredentialId ?? 'none'),
      hint: expect.stringContaining(`The secret is in ${recovery?.path}, `),
    });
    expect(recovery).toMatchObject({ mode: '600', content: { name: 'a', id: made?.clientCredentialId } });
  });

  it('create keeps the secret in a recovery file when the reader of its output is gone', async () => {
    const { code, stderr } = await shell(
      '{ iiot credentials create --name a -o json; echo $? >code; } | true; cat code >&2',
    );
    expect([code, placesOf(credentials()[1]?.secretHash ?? '')]).toEqual([0, ['recovery']]);
    expect(stderr).toContain('the output was closed.');
    expect(stderr.trimEnd().split('\n').at(-1)).toBe('1');
  });

  it('rotate does not delete the old credential when the disk is full', async () => {
    const { code } = await shell('iiot credentials rotate credential_001 --yes -o json >/dev/full');
    expect([code, ids()[0], ids().length]).toEqual([1, 'credential_001', 2]);
    expect(placesOf(credentials()[1]?.secretHash ?? '')).toEqual(['recovery']);
  });

  it('create reports that it was done when only its result could not be written', async () => {
    const { code, stderr } = await shell('iiot credentials create --name a --secret-file secret -o json >/dev/full');
    expect([code, placesOf(credentials()[1]?.secretHash ?? ''), recoveries()]).toEqual([1, ['file'], []]);
    expect(stderr).toContain('change itself was made (client credential credential_');
  });
});

const mounting = ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt'];
const canMount = spawnSync('unshare', mounting).status === 0;

it.skipIf(!canMount)(
  'iiot credentials create deletes the credential again when it can keep the secret nowhere',
  async () => {
    // Larger than the room that the recovery file has on the disk already.
    const body = { clientCredentialId: 'cc_1', clientId: 'c', clientSecret: 'x'.repeat(16_000), name: 'a' };
    front.before = ({ method, path: at }) => {
      if (method === 'POST' && at === path) return Response.json(body, { status: 201 });
      return method === 'DELETE' ? new Response(null, { status: 204 }) : undefined;
    };
    const command = 'iiot credentials create --name a --secret-file iiot/secret -o json';
    const { code, stderr } = await shell(
      `mkdir -m 700 iiot && unshare -rm sh -c ${quoted(`mount -t tmpfs -o size=16k,mode=700 none iiot && ${named(command)}; code=$?; ls iiot >&2; exit $code`)}`,
    );
    const lines = stderr.trimEnd().split('\n');
    const error = JSON.parse(lines.find((line) => line.startsWith('{')) ?? '{}').error;
    expect([code, error.message, error.hint]).toEqual([
      1,
      expect.stringMatching(
        /^Client credential cc_1 .* Could not create iiot\/secret: the disk is full\. So the credential was deleted\.$/,
      ),
      'Nothing was left behind; try again',
    ]);
    expect(front.requests.at(-1)).toMatchObject({ method: 'DELETE', path: `${path}/cc_1` });
    expect(lines.filter((line) => /^(recovery|secret)/.test(line))).toEqual([]);
  },
);

describe('iiot credentials killed with SIGKILL', () => {
  const create = 'iiot credentials create --name a --save-profile robot -o json';
  const rotate = 'iiot credentials rotate credential_001 --yes --save-profile robot -o json';

  it.each([
    ['create is killed as it sends its request', create, 'POST'],
    ['rotate is killed as it reads the list', rotate, 'GET'],
    ['rotate is killed as it sends the creation', rotate, 'POST'],
  ])('leaves no new credential when %s', async (_, line, method) => {
    hookAt('before', method, path);
    expect(await shell(line)).toMatchObject({ signal: 'SIGKILL' });
    expect(ids()).toEqual(['credential_001']);
  });

  it('during the response to create is reported by the next command', async () => {
    hookAt('after', 'POST', path);
    expect(await shell(create)).toMatchObject({ signal: 'SIGKILL' });
    front.after = () => undefined;
    const [left] = recoveries();
    expect(left?.content).toMatchObject({ name: 'a', baseUrl: front.url, begun: expect.any(String) });
    const { code, stderr } = await shell('iiot credentials list');
    expect(code).toBe(0);
    expect(stderr).toContain(
      `client credential "a" (${front.url}, as sandbox-machine) may exist, but its secret is lost.`,
    );
    expect(stderr).toContain(left?.path);
  });

  it('as rotate tries the successor leaves the old credential, and the new secret in a recovery file', async () => {
    let tokens = 0;
    front.before = ({ path: at }) => {
      if (at.endsWith('/token') && ++tokens === 2) kill();
      return undefined;
    };
    expect(await shell(rotate)).toMatchObject({ signal: 'SIGKILL' });
    expect(ids()[0]).toBe('credential_001');
    expect(placesOf(credentials()[1]?.secretHash ?? '')).toEqual(['recovery']);
    front.before = () => undefined;
    const { stderr } = await shell('iiot credentials list && iiot --profile other logout');
    expect(stderr.split(recoveries()[0]?.path ?? '')).toHaveLength(3);
    expect(stderr).toContain(
      `the secret of client credential "Sandbox machine" (${front.url}, tenant ${known.tenantId}, as sandbox-machine) is in ${recoveries()[0]?.path}`,
    );
  });

  it.each(['before', 'after'] as const)(
    '%s rotate deletes the old credential leaves the successor in its profile',
    async (at) => {
      hookAt(at, 'DELETE', `${path}/credential_001`);
      expect(await shell(rotate)).toMatchObject({ signal: 'SIGKILL' });
      const successor = credentials().at(-1);
      expect(placesOf(successor?.secretHash ?? '')).toEqual(['profile']);
      expect(ids()).toHaveLength(at === 'before' ? 2 : 1);
    },
  );

  const moments = 8;
  it(`at ${moments} moments after the response leaves the secret, or a recovery file that reports the loss`, async () => {
    const found: string[] = [];
    for (let moment = 0; moment < moments; moment += 1) {
      front.after = ({ method, path: at }) => {
        if (method === 'POST' && at === path) setTimeout(kill, moment * 3, child);
      };
      rmSync(home.at('secret'), { force: true });
      await shell('iiot credentials create --name a --secret-file secret -o json');
      const places = placesOf(credentials().at(-1)?.secretHash ?? '');
      const pending = recoveries().some(({ content }) => content.clientSecret === undefined);
      found.push(places[0] ?? (pending ? 'told' : 'lost'));
      for (const { path: left } of recoveries()) rmSync(left);
    }
    expect(found).not.toContain('lost');
    expect(creations()).toBe(moments);
  });

  function hookAt(at: 'before' | 'after', method: string, where: string): void {
    const isMeant = (request: { readonly method: string; readonly path: string }) =>
      request.method === method && request.path === where;
    if (at === 'after') front.after = (request) => (isMeant(request) ? kill() : undefined);
    front.before = (request) => {
      if (at === 'after' || !isMeant(request)) return undefined;
      kill();
      return new Response(null, { status: 500 });
    };
  }
});
