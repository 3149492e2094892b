/** Measures how long a command takes from start to end, beside bare Node and other tools. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { largeOrg, org, startPlatform } from './platform.ts';
import { type Contender, isInstalled, type Measured, measure, peakMemory } from './rounds.ts';

const rounds = 21;
const node = process.execPath;
const program = resolve('bin/iiot.js');
const oneFile = resolve(`executable/${process.platform}-${process.arch}/iiot`);

const overHttp = `
const { get } = require('node:http');
const [url] = process.argv.slice(1);
get(url, { headers: { authorization: 'Bearer ' + process.env.IIOT_TOKEN } }, (answer) => {
  let text = '';
  answer.setEncoding('utf8').on('data', (part) => { text += part; }).on('end', () => {
    for (const { userId, name, orgRole } of JSON.parse(text).items) console.log([userId, name, orgRole].join('\\t'));
  });
});`;

const overUndici = `
require('undici').request(process.argv[1], { headers: { authorization: 'Bearer ' + process.env.IIOT_TOKEN } })
  .then(({ body }) => body.json())
  .then(({ items }) => { for (const { userId, name, orgRole } of items) console.log([userId, name, orgRole].join('\\t')); });`;

type StartUp = {
  readonly times: readonly Measured[];
  readonly memory: readonly (readonly [string, number])[];
  /** Says how to build the one-file program if it is missing. */
  readonly lacks?: string;
};

export async function measureStartUp(): Promise<StartUp> {
  const folder = mkdtempSync(join(tmpdir(), 'iiot-bench-'));
  const platform = await startPlatform();
  try {
    const all = contenders(folder, platform.base);
    const watched = all.filter(({ command: [file] }) => file === node);
    return {
      times: measure(all, rounds),
      memory: watched.map((each) => [each.what, peakMemory(each, join(folder, 'memory'))] as const),
      ...(!existsSync(oneFile) && { lacks: 'one file: not built here, `npm run build:executable` does' }),
    };
  } finally {
    platform.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function contenders(folder: string, base: string): Contender[] {
  const settings = { HOME: folder, IIOT_CONFIG_DIR: join(folder, 'settings') };
  const token = { ...settings, IIOT_BASE_URL: base, IIOT_ORG: org, IIOT_TOKEN: 'a-token-for-the-bench' };
  const kept = { ...settings, IIOT_CONFIG_DIR: writeLogin(folder, base) };
  const url = `${base}/api/v1/orgs/${org}/users`;
  const list = ['orgs', 'users', 'list'];
  const set = ['devices', 'custom-info', 'set', 'press-1', 'line=3'];
  const iiot = (what: string, words: readonly string[], env: Contender['env'] = settings, exit = 0): Contender[] => [
    { what: `iiot ${what}`, command: [node, program, ...words], env, exit },
    ...(existsSync(oneFile) ? [{ what: `one file: ${what}`, command: [oneFile, ...words], env, exit } as const] : []),
  ];
  return [
    { what: 'node -e 0', command: [node, '-e', '0'] },
    ...iiot('--version', ['--version']),
    ...iiot('orgs users list --help', [...list, '--help']),
    ...iiot('completion bash', ['completion', 'bash']),
    ...iiot('__complete: options, at a Tab', ['__complete', 'bash', 'iiot orgs users list --', '', '--']),
    ...iiot('__complete: profiles, at a Tab', ['__complete', 'zsh', 'profiles', 'use', ''], kept),
    ...iiot('usage error', ['orgs', 'users', 'lits'], settings, 2),
    ...iiot('PUT, with --dry-run', [...set, '--dry-run'], token),
    ...iiot('GET of 20 rows, token in the environment', list, token),
    ...iiot('GET of 20 rows, without compiled code', list, { ...token, NODE_DISABLE_COMPILE_CACHE: '1' }),
    ...iiot('GET of 20 rows, token in the profile', list, kept),
    ...iiot('PUT', set, token),
    ...atTerminal(list, token),
    { what: "node -e 'require(`http`)'", command: [node, '-e', "require('node:http')"] },
    { what: 'the same GET by a script over node:http', command: [node, '-e', overHttp, url], env: token },
    { what: 'the same GET by a script over undici', command: [node, '-e', overUndici, url], env: token },
    ...others(url, base, folder),
  ];
}

/** Commands in a pseudo-terminal, where tables are drawn. Opening it takes time, too, so bare Node is among them. */
function atTerminal(list: readonly string[], env: Contender['env']): Contender[] {
  if (!isInstalled('script')) return [];
  const long = [...list, '--org', largeOrg, '--limit', '2000', '--page-size', '1000'];
  const inside = (what: string, words: readonly string[]): Contender => ({
    what: `${what}, at a terminal`,
    command: ['script', '-qec', [node, ...words].join(' '), '/dev/null'],
    env: { ...env, TERM: 'xterm-256color', COLUMNS: '100' },
  });
  return [
    inside('node -e 0', ['-e', '0']),
    inside('iiot GET of 20 rows', [program, ...list]),
    inside('iiot GET of 2,000 rows', [program, ...long]),
  ];
}

/** Other tools that are on this machine, with the same request, or with a list of 20 that the tool has. */
function others(url: string, base: string, folder: string): Contender[] {
  const hetzner = { HCLOUD_TOKEN: 'x'.repeat(64), HCLOUD_ENDPOINT: base, HOME: folder };
  const nodeRed = { HOME: folder };
  mkdirSync(join(folder, '.node-red'));
  writeFileSync(join(folder, '.node-red', '.cli-config.json'), JSON.stringify({ target: base }));
  const known = [
    { what: 'curl, the same GET', command: ['curl', '-sS', url] },
    { what: 'gh --version', command: ['gh', '--version'], env: { HOME: folder } },
    { what: 'hcloud version', command: ['hcloud', 'version'], env: { HOME: folder } },
    { what: 'hcloud location list, 20 rows', command: ['hcloud', 'location', 'list'], env: hetzner },
    { what: 'node-red-admin list, 20 rows', command: ['node-red-admin', 'list'], env: nodeRed },
  ] as const satisfies readonly Contender[];
  return known.filter(({ command: [file] }) => isInstalled(file));
}

/** Writes a folder of settings with a login that is valid for a day. */
function writeLogin(folder: string, base: string): string {
  const config = join(folder, 'kept');
  mkdirSync(config, { mode: 0o700 });
  const now = Date.now();
  const login = { flow: 'user', origin: base, base, accessToken: 'kept', issuedAt: now, expiresAt: now + 86_400_000 };
  const files = {
    'config.json': { version: 1, current: 'default', profiles: { default: { baseUrl: base, org } } },
    'credentials.json': { version: 1, logins: { default: login } },
  };
  for (const [name, value] of Object.entries(files)) {
    writeFileSync(join(config, name), JSON.stringify(value), { mode: 0o600 });
  }
  return config;
}
