/** What a run loads: start-up is mostly that. Lists, never times. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { madeForEach } from '../support/fixtures.ts';
import { homeForEach } from '../support/home.ts';
import { executable, programFile, programWords } from '../support/program.ts';
import { openTerminal } from '../support/pseudo-terminal.ts';
import { json, type Reply, scriptedPlatform } from '../support/scripted.ts';

const org = '0b0f1a9e-5c7d-4e21-9a3b-6f1d2c3b4a50';
const users = {
  method: 'GET',
  path: `/api/v1/orgs/${org}/users?maxResultCount=1000`,
  answer: json(200, { totalCount: 1, items: [{ userId: 'user_1', name: 'Ada', orgRole: 'admin' }] }),
};

type Loaded = {
  /** The program's own files, without the marks of their contents. */
  readonly files: readonly string[];
  /** The packages in those files. */
  readonly packages: readonly string[];
  /** Node's modules. */
  readonly builtins: readonly string[];
};

const home = homeForEach();
const platform = madeForEach(scriptedPlatform);

async function loadedBy(args: readonly string[], exit: number, env: Record<string, string> = {}): Promise<Loaded> {
  const run = await home.iiot(args, {
    node: ['--require', resolve('test/support/loaded.cjs')],
    env: { ...env, LOADED_TO: home.at('loaded.json') },
  });
  expect(run).toMatchObject({ exit });
  return loaded();
}

async function loaded(): Promise<Loaded> {
  const { files, builtins } = JSON.parse(home.read('loaded.json')) as { files: string[]; builtins: string[] };
  const contents = JSON.parse(await readFile('.cache/contents.json', 'utf8')) as Record<string, string[]>;
  return {
    files: files.map((name) => name.replace(/(-[\w-]{8})?\.c?js$/, '')),
    packages: files.flatMap((name) => contents[name] ?? []),
    builtins,
  };
}

const withToken = () => ({ IIOT_BASE_URL: platform.base, IIOT_ORG: org, IIOT_TOKEN: 'a-token-of-the-environment' });

/** What only some calls need, and what takes long to load. */
const costly = ['child_process', 'crypto', 'https', 'tls', 'readline', 'http2', 'worker_threads'];

/** The checksum of compiled code needs zlib, a millisecond, and zlib brings streams; what is answered from text has no compiled code. */
const notForText = [...costly, 'zlib', 'net', 'stream', 'http'];

describe('what is loaded', () => {
  // The one-file program has no launcher beside it.
  it
    .skipIf(executable !== undefined)
    .each([['--version'], ['--help'], ['orgs users list --help'], ['help exit-codes'], ['completion bash']])(
    'iiot %s is answered from text, without the program',
    async (line) => {
      const { files, packages, builtins } = await loadedBy(line.split(' '), 0);
      expect({ files, packages }).toEqual({ files: ['iiot', 'launch'], packages: [] });
      expect(builtins.filter((name) => notForText.includes(name))).toEqual([]);
    },
  );

  it
    .skipIf(executable !== undefined)
    .each([
      [['bash', 'iiot orgs users list --', '', '--']],
      [['zsh', 'orgs', 'users', 'list', '--role', '']],
      [['fish', 'batches', 'cron', 'x', '--tz', '']],
    ])('a Tab that needs no request is answered from text, without the program: %j', async (words) => {
    const { files, packages, builtins } = await loadedBy(['__complete', ...words], 0);
    expect({ files, packages }).toEqual({ files: ['iiot', 'launch', 'complete'], packages: [] });
    expect(builtins.filter((name) => notForText.includes(name))).toEqual([]);
  });

  it('a Tab for a profile loads nothing that talks to a platform', async () => {
    keepLogin();
    const { files, builtins } = await loadedBy(['__complete', 'zsh', 'profiles', 'use', ''], 0);
    expect(files).not.toContain('call');
    expect(builtins.filter((name) => [...costly, 'http'].includes(name))).toEqual([]);
  });

  it('a usage error loads the parser of command lines, and no socket', async () => {
    const { files, packages, builtins } = await loadedBy(['orgs', 'users', 'lits'], 2);
    expect(packages).toEqual(['commander']);
    expect(files).not.toContain('call');
    expect(builtins.filter((name) => [...costly, 'net', 'http'].includes(name))).toEqual([]);
  });

  const change = {
    method: 'PUT',
    path: '/platform/solutions/api/v1/devices/press-1/custom-info',
    answer: { status: 204 },
  };

  it.each([
    ['a call with its token in the environment', users, 'orgs users list', withToken],
    ['a call with its token in the profile', users, 'orgs users list', keepLogin],
    ['a change', change, 'devices custom-info set press-1 line=3', withToken],
  ])('%s loads node:http and no further package', async (_, expected, line, given) => {
    platform.expect(expected);
    const { packages, builtins } = await loadedBy(line.split(' '), 0, given());
    expect(packages).toEqual(['commander']);
    expect(builtins).toContain('http');
    expect(builtins.filter((name) => costly.includes(name))).toEqual([]);
  });

  it('a call loads zlib only for a compressed response', async () => {
    const loadsZlib = async (answer: Reply) => {
      platform.expect({ ...users, answer });
      const env = { ...withToken(), NODE_DISABLE_COMPILE_CACHE: '1' };
      const { builtins } = await loadedBy(['orgs', 'users', 'list'], 0, env);
      return builtins.includes('zlib');
    };
    const body = gzipSync(users.answer.body ?? '');
    expect(await loadsZlib(users.answer)).toBe(false);
    expect(await loadsZlib({ ...json(200, '', { 'content-encoding': 'gzip' }), body })).toBe(true);
  });

  it.each([
    ['test/files/pipes.csv', ['csv-parse']],
    ['test/files/fleet.xlsx', ['numfmt', 'saxes', 'xmlchars', 'yauzl', 'pend']],
    ['test/files/fleet.ods', ['saxes', 'xmlchars', 'yauzl', 'pend']],
  ])('an import of %s loads only the packages that read it', async (file, own) => {
    const words = ['devices', 'custom-info', 'import', '--yes', resolve(file), '--dry-run', '-o', 'json'];
    const { packages } = await loadedBy(words, 0, withToken());
    expect([...packages].sort()).toEqual(['commander', ...own].sort());
  });

  it.each([
    ['-o yaml', ['yaml']],
    ['-o csv', []],
    ['-o json --jq length', ['jq-wasm']],
  ])('%s loads only its own package', async (options, own) => {
    platform.expect(users);
    const { packages } = await loadedBy(['orgs', 'users', 'list', ...options.split(' ')], 0, withToken());
    expect(packages).toEqual(['commander', ...own]);
  });
});

describe('at a terminal,', () => {
  const shownBy = async (name: string) => {
    platform.expect({
      ...users,
      path: users.path.replace('1000', '50'),
      answer: json(200, { totalCount: 1, items: [{ userId: 'user_1', name, orgRole: 'admin' }] }),
    });
    const hook = [...(executable ? [] : ['--require', resolve('test/support/loaded.cjs')])];
    const env = { ...home.env, ...withToken(), LOADED_TO: home.at('loaded.json') };
    const session = openTerminal(programFile, [...hook, ...programWords, 'orgs', 'users', 'list'], { env });
    expect(await session.exit).toMatchObject({ code: 0 });
    return [...(await loaded()).packages].sort();
  };

  it.skipIf(executable !== undefined)('a table of plain text loads what draws and colours it', async () => {
    expect(await shownBy('Ada')).toEqual(['chalk', 'cli-table3', 'commander']);
  });

  it.skipIf(executable !== undefined)('a table of other text also loads what measures it', async () => {
    expect(await shownBy('停止')).toEqual(expect.arrayContaining(['cli-table3', 'string-width']));
  });
});

/** Keeps a login as the program does, with a token that is good for an hour. */
function keepLogin(): Record<string, string> {
  const { base } = platform;
  const now = Date.now();
  const login = {
    flow: 'user',
    origin: base,
    base,
    accessToken: 'a-kept-token',
    issuedAt: now,
    expiresAt: now + 3_600_000,
  };
  const files = {
    'config.json': { version: 1, current: 'default', profiles: { default: { baseUrl: base, org } } },
    'credentials.json': { version: 1, logins: { default: login } },
  };
  for (const [name, value] of Object.entries(files)) home.file(`iiot/${name}`, JSON.stringify(value));
  return {};
}
