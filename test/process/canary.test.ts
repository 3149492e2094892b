/**
 * The life of a login and of a client credential, traced to the last header: no secret is in what it leaves. Through the built program where Node itself
 * may tell of it.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { ids } from '../../src/sandbox/world/ids.ts';
import { filesIn, leaks, type SearchedText } from '../support/canary.ts';
import { madeForEach } from '../support/fixtures.ts';
import { openFront } from '../support/front.ts';
import { runHere } from '../support/here.ts';
import { homeForEach } from '../support/home.ts';
import { type ProgramRun, runProgram } from '../support/program.ts';

const password = 'pässw0rd-CANARY "with" /every+thing%';
const front = madeForEach(() => openFront());
const home = homeForEach();
/** Everything secret that has passed, by what it is. */
let secrets: Record<string, string>;

beforeEach(() => {
  const ada = front.platform.world.accounts.get('ada@factory.example');
  if (!ada) throw new Error('The seeded world has no ada.');
  front.platform.world.accounts.set(ada.account, { ...ada, password });
  secrets = { password };
  front.after = async (_, answer) => collect(await answer.clone().text(), answer.headers.getSetCookie());
});

function collect(text: string, cookies: readonly string[]): void {
  const add = (name: string, value: string | undefined) => {
    if (value && value.length > 8) secrets[`${name} ${Object.keys(secrets).length}`] = value;
  };
  for (const [, name, value] of text.matchAll(/"(\w*(?:token|secret))":"([^"]+)"/gi)) {
    if (name !== 'tokenType' && name !== 'token_type') add(name ?? '', value);
  }
  for (const [, name, value] of text.matchAll(/name="(code|state)"[^>]*value="([^"]+)"/g)) add(name ?? '', value);
  for (const cookie of cookies) add('cookie', /^[^=]+=([^;]*)/.exec(cookie)?.[1]);
}

type Step = { readonly words: readonly string[]; readonly input?: string };

const steps: readonly Step[] = [
  {
    words: ['login', '--tenant', 'factory', '--app', 'console', '--account', 'ada@factory.example', '--password-stdin'],
    input: `${password}\n`,
  },
  { words: ['orgs', 'users', 'list', '--limit', '1'] },
  { words: ['login', 'refresh'] },
  { words: ['login', 'status', '--check'] },
  { words: ['credentials', 'create', '--name', 'a', '--save-profile', 'robot'] },
  { words: ['--profile', 'robot', 'credentials', 'list'] },
  { words: ['--profile', 'robot', 'login', 'refresh'] },
  { words: ['credentials', 'rotate', 'credential_001', '--yes', '--save-profile', 'other'] },
  { words: ['profiles', 'show', '--origin'] },
  { words: ['doctor'] },
  { words: ['history'] },
  { words: ['logout'] },
];

async function live(run: typeof runHere, env: Readonly<Record<string, string>> = {}) {
  const own = { IIOT_BASE_URL: front.url, IIOT_ORG: ids.root, IIOT_CONFIG_DIR: home.settings, ...env };
  const runs: (ProgramRun & Step)[] = [];
  for (const step of steps) {
    runs.push({ ...(await run([...step.words, '--debug'], { env: own, input: step.input ?? '' })), ...step });
  }
  return runs;
}

const placesOf = (runs: readonly (ProgramRun & Step)[]): SearchedText[] =>
  runs.flatMap(({ stdout, stderr, words }) => [
    { place: `stdout of ${words.join(' ')}`, text: stdout },
    { place: `stderr of ${words.join(' ')}`, text: stderr },
  ]);

const everyReport = {
  NODE_DEBUG: 'https,net,tls,stream,undici,fetch,module',
  NODE_OPTIONS: '--report-uncaught-exception --trace-warnings',
};

describe('the life of a login and a credential', () => {
  it('leaves no secret with NODE_DEBUG and the reports of Node', async () => {
    const runs = await live(runProgram, everyReport);
    expect(runs.map(({ exit, words, stderr }) => (exit === 0 ? 0 : [words, stderr]))).toEqual(steps.map(() => 0));
    expect(Object.keys(secrets).length).toBeGreaterThan(12);
    expect(leaks(secrets, [...placesOf(runs), ...filesIn(home.folder)])).toEqual([]);
  });

  it('prints a token for iiot login token, and shows no secret anywhere else', async () => {
    const env = { IIOT_BASE_URL: front.url, IIOT_CLIENT_ID: 'sandbox-machine', IIOT_CLIENT_SECRET: 'sandbox-secret' };
    const { stdout, stderr } = await runProgram(['login', 'token', '--debug'], {
      env: { ...env, IIOT_CONFIG_DIR: home.settings },
    });
    expect(Object.values(secrets)).toContain(stdout.trimEnd());
    secrets.seeded = 'sandbox-secret';
    expect(leaks(secrets, [{ place: 'stderr', text: stderr }, ...filesIn(home.folder)])).toEqual([]);
  });

  it.each(['cut off', 'error pages'])('leaves no secret when responses are %s', async (how) => {
    front.before = async (request) => {
      if (how === 'cut off' && /users|list/.test(request.path)) return new Response('{"items": [', { status: 200 });
      return how === 'error pages' && request.method === 'POST' && /tokens/.test(request.path)
        ? new Response(`<html>${request.body}</html>`, { status: 500 })
        : undefined;
    };
    const runs = await live(runHere);
    expect(leaks(secrets, [...placesOf(runs), ...filesIn(home.folder)])).toEqual([]);
  });
});
