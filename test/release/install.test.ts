/** packaging/install.sh against releases that are good and bad, in the shells that people have; what it installs is a script in place of the program. */
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join, resolve } from 'node:path';
import { execa, execaSync } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { thisSystem } from '../../build/nodes.ts';
import { sha256 } from '../../build/release/node.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { lacks } from '../support/lacking.ts';
import { listening } from '../support/listening.ts';

const script = resolve('packaging/install.sh');
const projectOf = (file: string) =>
  JSON.parse(existsSync(file) ? readFileSync(file, 'utf8') : '{"repository":""}') as { readonly repository: string };

const keep = closedAfterEach();
let root = '';
const counter = { value: 0 };
const at = (...names: string[]) => join(root, ...names);
/** A path that nothing has had before. */
function fresh(name: string): string {
  counter.value += 1;
  return at(`${name}-${counter.value}`);
}

/** What the script needs besides a shell; checks of signatures come on top. */
const tools =
  'awk cat cp curl cut dd dirname getconf grep gzip ldd ln mkdir mktemp mv od paste readlink rm rmdir sed sha256sum sort tar tr uname';
type Shell = { readonly name: string; readonly words: readonly string[]; readonly path: () => string };
const shells: readonly Shell[] = [
  { name: 'dash', words: ['dash'], path: () => at('tools') },
  { name: 'bash', words: ['bash', '--posix'], path: () => at('tools') },
  { name: 'busybox', words: ['busybox', 'ash'], path: () => at('busybox') },
];

/** What ldd says where libraries are missing or too old. */
const librariesAs = {
  'no-libraries': '\\tlibatomic.so.1 => not found\\n\\tlibstdc++.so.6 => not found\\n',
  'old-libraries': "iiot: version `GLIBC_2.99'\"'\"' not found (required by iiot)\\n",
};

const whereIs = (tool: string) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, tool))
    .find((file) => existsSync(file)) ?? '';

const withoutTools = lacks('busybox', 'minisign', 'shellcheck', 'curl', 'wget');

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'iiot-install-'));
  chmodSync(root, 0o755);
  for (const folder of ['tools', 'busybox', 'minisign', 'openssl']) mkdirSync(at(folder));
  for (const tool of [...tools.split(' '), 'dash', 'bash']) symlinkSync(whereIs(tool), at('tools', tool));
  for (const applet of execaSync('busybox', ['--list']).stdout.split('\n'))
    symlinkSync(whereIs('busybox'), at('busybox', applet));
  symlinkSync(whereIs('busybox'), at('busybox', 'busybox'));
  for (const tool of ['minisign', 'openssl']) symlinkSync(whereIs(tool), at(tool, tool));
  for (const [folder, text] of Object.entries(librariesAs)) {
    mkdirSync(at(folder));
    writeFileSync(at(folder, 'ldd'), `#!/bin/sh\n[ "$1" = --version ] || printf '${text}'\n`, { mode: 0o755 });
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

type Made = { readonly version?: string; readonly says?: string; readonly program?: string };
const archiveOf = (version: string) => `iiot-${version}-${thisSystem}.tar.gz`;
const sumOf = (file: string) => sha256(readFileSync(file));

/** A folder with the files of a release that the script asks for. */
function release({
  version = '1.1.0',
  says = version,
  program = `[ "$1" = --version ] && echo ${says}`,
}: Made = {}): string {
  const folder = fresh('release');
  const name = `iiot-${version}-${thisSystem}`;
  const inside = join(folder, name);
  for (const each of ['man', 'completions']) mkdirSync(join(inside, each), { recursive: true });
  writeFileSync(join(inside, 'iiot'), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
  const texts = [
    'LICENSE',
    'man/iiot.1',
    `man/iiot-new-in-${version}.1`,
    ...['_iiot', 'iiot.bash', 'iiot.fish'].map((each) => `completions/${each}`),
  ];
  for (const text of texts) writeFileSync(join(inside, text), `${text} of ${version}\n`);
  execaSync('tar', ['czf', archiveOf(version), name], { cwd: folder });
  rmSync(inside, { recursive: true });
  writeFileSync(
    join(folder, 'SHA256SUMS'),
    `${sumOf(join(folder, archiveOf(version)))}  ${archiveOf(version)}\n${'0'.repeat(64)}  iiot-${version}.tgz\n`,
  );
  return folder;
}

/** A key of minisign, whose public part is beside it; without a password, which would take a gigabyte and seconds. */
function key(): string {
  const file = fresh('key');
  execaSync('minisign', ['-G', '-W', '-p', `${file}.pub`, '-s', file]);
  return file;
}

function signWith(key: string, folder: string): string {
  execaSync('minisign', ['-S', '-s', key, '-m', join(folder, 'SHA256SUMS'), '-t', 'iiot 1.1.0']);
  return folder;
}

type Options = {
  readonly shell?: Shell;
  readonly also?: readonly string[];
  readonly uid?: number;
  readonly home?: string;
};

/** What is typed after `install.sh`, and what is seen: stdout, then stderr, then the exit code if it is not 0. */
async function install(
  words: readonly string[],
  { shell = shells[0] as Shell, also = [], uid, home = at('home') }: Options = {},
) {
  const path = [...also.map((name) => (name.includes('/') ? name : at(name))), shell.path()].join(delimiter);
  const [command = '', ...rest] = shell.words;
  const env = { HOME: home, PATH: path, TMPDIR: root };
  const { stdout, stderr, exitCode } = await execa(join(shell.path(), command), [...rest, script, ...words], {
    env,
    extendEnv: false,
    reject: false,
    cwd: root,
    ...(uid !== undefined && { uid }),
  });
  return [stdout, stderr, ...(exitCode === 0 ? [] : [`exit ${exitCode}`])].filter((text) => text !== '').join('\n');
}

/** Every file below a folder, with what is in it or where it leads. */
function tree(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
    const found = lstatSync(join(folder, name));
    if (found.isSymbolicLink()) return [name, `-> ${readlinkSync(join(folder, name))}`];
    return [name, found.isDirectory() ? 'folder' : readFileSync(join(folder, name), 'utf8')];
  });
  return Object.fromEntries(files.sort());
}

/** Where the links of a prefix lead, without what differs from run to run. */
function links(prefix: string): Record<string, string> {
  const all = Object.entries(tree(prefix)).filter(([, what]) => what.startsWith('-> '));
  return Object.fromEntries(all.map(([name, to]) => [name, to.replace(`-> ${prefix}/`, '').replace(/\.\w{6}\//, '/')]));
}

const version = (prefix: string) => execaSync(join(prefix, 'bin/iiot'), ['--version']).stdout;
const unchecked = 'Signature not checked: no public key (give one with --public-key FILE).';
const notInPath = (prefix: string) =>
  `${prefix}/bin is not in PATH. Add this line to the file that your shell reads: export PATH="${prefix}/bin:$PATH"`;

describe.skipIf(withoutTools).each(shells)('install.sh in $name', (shell) => {
  it('installs, replaces the previous version, and removes it without leftovers', async () => {
    const prefix = fresh('a prefix');
    const old = release({ version: '1.0.0' });
    expect(await install(['--from', old, '--prefix', prefix], { shell })).toBe(
      `${unchecked}\nThe SHA-256 of ${archiveOf('1.0.0')} is right.\nInstalled iiot 1.0.0: ${prefix}/bin/iiot\n${notInPath(prefix)}`,
    );
    expect(version(prefix)).toBe('1.0.0');
    const run = install(['--from', release(), `--prefix=${prefix}`, '--version', 'v1.1.0'], {
      shell,
      also: [join(prefix, 'bin')],
    });
    expect(await run).toBe(
      `${unchecked}\nThe SHA-256 of ${archiveOf('1.1.0')} is right.\nInstalled iiot 1.1.0 in place of 1.0.0: ${prefix}/bin/iiot`,
    );
    expect(version(prefix)).toBe('1.1.0');
    expect(links(prefix)).toEqual({
      'bin/iiot': 'lib/iiot/1.1.0/iiot',
      'share/bash-completion/completions/iiot': 'lib/iiot/1.1.0/completions/iiot.bash',
      'share/fish/vendor_completions.d/iiot.fish': 'lib/iiot/1.1.0/completions/iiot.fish',
      'share/man/man1/iiot-new-in-1.1.0.1': 'lib/iiot/1.1.0/man/iiot-new-in-1.1.0.1',
      'share/man/man1/iiot.1': 'lib/iiot/1.1.0/man/iiot.1',
      'share/zsh/site-functions/_iiot': 'lib/iiot/1.1.0/completions/_iiot',
    });
    expect(readdirSync(join(prefix, 'lib/iiot'))).toHaveLength(1);
    expect(await install(['--uninstall', '--prefix', prefix], { shell })).toBe(
      `Removed iiot from ${prefix}. Settings and logins are kept.`,
    );
    expect(readdirSync(prefix)).toEqual([]);
  });

  let installed = '';
  beforeAll(async () => {
    installed = fresh('prefix');
    await install(['--from', release({ version: '1.0.0' }), '--prefix', installed], { shell });
  });

  const archive = archiveOf('1.1.0');
  const changed = (change: (folder: string) => void, made?: Made) => () => {
    const folder = release(made);
    change(folder);
    return ['--from', folder];
  };
  const write = (folder: string, name: string, text: string) => writeFileSync(join(folder, name), text);
  const sums = (text: (sum: string) => string) =>
    changed((folder) => write(folder, 'SHA256SUMS', text(sumOf(join(folder, archive)))));
  const signed = (change: (folder: string) => void) => () => {
    const mine = key();
    const folder = signWith(mine, release());
    change(folder);
    return ['--from', folder, '--public-key', `${mine}.pub`];
  };
  type Row = [string, () => readonly string[], string, Options?];
  const wrongSignature =
    'error: The signature of SHA256SUMS is wrong: it was not made with this public key, or the file was changed.';
  const forged = (what: string, change: (folder: string) => void, tool = 'openssl'): Row => [
    what,
    signed(change),
    wrongSignature,
    { also: [tool] },
  ];
  const changeSums = (folder: string) => write(folder, 'SHA256SUMS', 'a\nb');
  const otherComment = (folder: string) =>
    write(folder, 'SHA256SUMS.minisig', readFileSync(join(folder, 'SHA256SUMS.minisig'), 'utf8').replace('1.1.0', '9'));
  const first = `${unchecked}\nerror: `;
  const right = `${unchecked}\nThe SHA-256 of ${archive} is right.\nerror: `;
  const again = '.\nhint: The download was cut or changed: try again, and do not use the file if it happens twice';
  const plain =
    'error: FROM is not encrypted: anybody on the way could replace the files.\nhint: Use https, or give --public-key FILE';
  const ones = '1'.repeat(64);

  it.each<Row>([
    ['a folder that is not there', () => ['--from', at('nowhere')], 'error: No such folder: FROM.'],
    ['no sums', changed((folder) => rmSync(join(folder, 'SHA256SUMS'))), 'error: Cannot get SHA256SUMS from FROM.'],
    [
      'sums without this archive',
      sums((sum) => `${sum}  iiot-1.1.0-plan9-mips.tar.gz\n`),
      `${first}SHA256SUMS in FROM has no iiot for ${thisSystem}.`,
    ],
    [
      'another version than asked for',
      () => ['--from', release(), '--version', '2.0.0'],
      `${first}SHA256SUMS in FROM has no ${archiveOf('2.0.0')}; it has 1.1.0.`,
    ],
    [
      'sums of several versions',
      sums((sum) => `${sum}  ${archive}\n${sum}  ${archiveOf('1.0.9')}\n`),
      `${first}SHA256SUMS in FROM has several versions.\nhint: Say which one: --version V`,
    ],
    [
      'two sums',
      () => [...sums((sum) => `${sum}  ${archive}\n`.repeat(2))(), '--version', '1.1.0'],
      `${first}SHA256SUMS in FROM does not have exactly one sum for ${archive}.`,
    ],
    [
      'a wrong sum',
      sums(() => `${ones}  ${archive}\n`),
      `${first}The SHA-256 of ${archive} is SUM, but SHA256SUMS says ${ones}${again}`,
    ],
    [
      'an archive that was cut',
      changed((folder) => truncateSync(join(folder, archive), 100)),
      `${first}The SHA-256 of ${archive} is SUM, but SHA256SUMS says SUM${again}`,
    ],
    ['no archive', changed((folder) => rmSync(join(folder, archive))), `${first}Cannot get ${archive} from FROM.`],
    [
      'a program that says another version',
      changed(() => {}, { says: '1.0.0' }),
      `${right}${archive} has iiot 1.0.0 in it, not 1.1.0.`,
    ],
    [
      'a program that does not start',
      changed(() => {}, { program: 'echo no such luck >&2; exit 3' }),
      `${right}iiot 1.1.0 does not start here: no such luck`,
    ],
    [
      'a C library that is too old',
      changed(() => {}, { program: 'exit 1' }),
      `${right}This system is too old for iiot 1.1.0, which needs GLIBC_2.99.`,
      { also: ['old-libraries'] },
    ],
    forged('sums that were changed after they were signed', changeSums),
    forged('the same, with minisign', changeSums, 'minisign'),
    forged('a trusted comment that was changed', otherComment),
    forged('a signature by another key', (folder) => signWith(key(), folder)),
    forged('a signature by another key with the same ID', (folder) => {
      const signature = () => readFileSync(join(folder, 'SHA256SUMS.minisig'), 'utf8');
      // The algorithm, the ID of the key, and the signature itself.
      const bytes = () => Buffer.from(signature().split('\n')[1] ?? '', 'base64');
      const mine = bytes().subarray(0, 10);
      signWith(key(), folder);
      const both = Buffer.concat([mine, bytes().subarray(10)]).toString('base64');
      write(folder, 'SHA256SUMS.minisig', signature().replace(bytes().toString('base64'), both));
    }),
    forged('an empty signature', (folder) => write(folder, 'SHA256SUMS.minisig', '')),
    [
      'no signature where one is wanted',
      signed((folder) => rmSync(join(folder, 'SHA256SUMS.minisig'))),
      'error: There is no SHA256SUMS.minisig in FROM: the release is not signed.',
      { also: ['openssl'] },
    ],
    [
      'a signature that nothing here can check',
      signed(() => {}),
      'error: The signature cannot be checked: this needs minisign, or OpenSSL 3.',
    ],
    [
      'a key that is not one',
      () => ['--from', release(), '--public-key', script],
      `error: ${script} is not a minisign public key.`,
    ],
    ['an address without encryption', () => ['--from', 'http://mirror.example/iiot'], plain],
    [
      'an address with a user',
      () => ['--from', 'http://127.0.0.1:1@127.0.0.2:18931/x'],
      'error: The address of --from has a user or a password in it.\nhint: Give it without them',
    ],
    [
      'an address without encryption that begins as that of this machine',
      () => ['--from', 'http://127.0.0.1:1.mirror.example/iiot'],
      plain,
    ],
  ])('installs nothing with %s', async (_, words, said, options = {}) => {
    const [nothing, before] = [fresh('nothing'), tree(installed)];
    const given = words();
    for (const prefix of shell === shells[0] ? [nothing, installed] : [installed]) {
      const seen = await install([...given, '--prefix', prefix], { shell, ...options });
      expect(seen.replaceAll(given[1] ?? '', 'FROM').replaceAll(/\b(?!1{64})[0-9a-f]{64}\b/g, 'SUM')).toBe(
        `${said.replaceAll(given[1] ?? '', 'FROM')}\nexit 1`,
      );
    }
    expect([existsSync(nothing), tree(installed)]).toEqual([false, before]);
    expect(version(installed)).toBe('1.0.0');
  });

  it('checks a signature with OpenSSL and with minisign', async () => {
    const mine = key();
    const folder = signWith(mine, release());
    for (const tool of ['openssl', 'minisign']) {
      const words = ['--from', folder, '--prefix', fresh('prefix'), '--public-key', `${mine}.pub`];
      expect((await install(words, { shell, also: [tool] })).split('\n')[0]).toBe(
        `The signature of SHA256SUMS is right, by ${tool}.`,
      );
    }
  });

  it('downloads, and installs nothing when the connection is cut or the server refuses', async () => {
    const folder = release();
    let cut = true;
    const server = listening((request, response) => {
      const file = join(folder, basename(request.url ?? ''));
      if (!existsSync(file)) return response.writeHead(404).end('no');
      const content = readFileSync(file);
      response.writeHead(200, { 'content-length': content.length });
      if (!cut || file.endsWith('SHA256SUMS')) return response.end(content);
      return response.write(content.subarray(0, 200), () => response.destroy());
    });
    const { url: from } = await keep(server);
    const prefix = fresh('prefix');
    expect(await install(['--from', from, '--prefix', prefix], { shell })).toMatch(
      /^error: Cannot get iiot-.* from http|^error: The SHA-256 of/m,
    );
    expect(existsSync(prefix)).toBe(false);
    cut = false;
    expect(await install(['--from', `${from}/`, '--prefix', prefix], { shell })).toContain(
      `Installed iiot 1.1.0: ${prefix}/bin/iiot`,
    );
  });

  it('changes nothing in a folder that cannot be written', async () => {
    const prefix = fresh('prefix');
    await install(['--from', release({ version: '1.0.0' }), '--prefix', prefix], { shell });
    const before = tree(prefix);
    for (const folder of [join(prefix, 'lib/iiot'), join(prefix, 'bin'), prefix]) {
      chmodSync(folder, 0o555);
      const uid = process.getuid?.() === 0 ? 65534 : undefined;
      const options = { shell, ...(uid !== undefined && { uid }) };
      expect(await install(['--from', release(), '--prefix', prefix], options)).toBe(
        `error: Cannot write to ${prefix}.\nhint: Choose another folder: --prefix DIR\nexit 1`,
      );
      expect(tree(prefix)).toEqual(before);
    }
    for (const folder of [prefix, join(prefix, 'bin'), join(prefix, 'lib/iiot')]) chmodSync(folder, 0o755);
  });
});

describe.skipIf(withoutTools)('install.sh', () => {
  it('names the missing libraries, and the packages to install', async () => {
    const seen = await install(['--from', release({ program: 'exit 127' }), '--prefix', fresh('prefix')], {
      also: ['no-libraries'],
    });
    expect(seen).toMatch(
      /^error: iiot 1\.1\.0 needs libraries that this system does not have: libatomic\.so\.1 libstdc\+\+\.so\.6\.\nhint: Install (them first: (apt-get install libatomic1 libstdc\+\+6|dnf install libatomic libstdc\+\+)|the packages that have them, then try again)\nexit 1$/m,
    );
  });

  it.each([
    ['musl libc (x86_64)', 'Linux', 'x86_64', 'musl (Alpine)'],
    ['ldd (GNU libc) 2.36', 'Linux', 'riscv64', 'riscv64'],
    ['ldd (GNU libc) 2.36', 'FreeBSD', 'amd64', 'FreeBSD'],
  ])('says where there is no program for the system: %s, %s on %s', async (libc, system, machine, named) => {
    const place = fresh('system');
    cpSync(at('tools'), place, { recursive: true, verbatimSymlinks: true });
    for (const [name, text] of [
      ['ldd', `echo "${libc}" >&2; exit 1`],
      ['uname', `[ "$1" = -m ] && echo ${machine} || echo ${system}`],
    ] as const) {
      rmSync(join(place, name));
      writeFileSync(join(place, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    }
    expect(await install(['--from', release(), '--prefix', fresh('prefix')], { also: [place] })).toBe(
      `error: No single-file build of iiot for ${named}.\nhint: With Node 20.18.1 or newer, install the npm package of the release: npm install --global ./iiot-VERSION.tgz\nexit 1`,
    );
  });

  it('installs correctly when it runs three times at once', async () => {
    const prefix = fresh('prefix');
    const from = release();
    const all = await Promise.all([1, 2, 3].map(() => install(['--from', from, '--prefix', prefix])));
    expect(all.map((seen) => seen.split('\n')[2])).toEqual(Array(3).fill(`Installed iiot 1.1.0: ${prefix}/bin/iiot`));
    expect(version(prefix)).toBe('1.1.0');
    expect(await install(['--uninstall', '--prefix', prefix])).toBe(
      `Removed iiot from ${prefix}. Settings and logins are kept.`,
    );
    expect(readdirSync(prefix)).toEqual([]);
  });

  it('keeps a file outside of its folder that a link there points to', async () => {
    const prefix = fresh('prefix');
    for (const folder of ['bin', 'lib/iiot', 'victim']) mkdirSync(join(prefix, folder), { recursive: true });
    writeFileSync(join(prefix, 'victim/iiot'), 'mine');
    symlinkSync(`${prefix}/lib/iiot/../../victim/iiot`, join(prefix, 'bin/iiot'));
    expect(await install(['--from', release(), '--prefix', prefix])).toContain('was not installed by this script.');
    expect(readdirSync(join(prefix, 'victim'))).toEqual(['iiot']);
  });

  it('installs an older version only if that version is named', async () => {
    const prefix = fresh('prefix');
    await install(['--from', release({ version: '1.10.0' }), '--prefix', prefix]);
    for (const older of ['1.9.0', '1.10.0-rc.1', '0.99.99']) {
      const from = release({ version: older });
      expect(await install(['--from', from, '--prefix', prefix])).toContain(
        `error: ${from} has iiot ${older}, which is older than 1.10.0, the installed one.\nhint: To go back to it: --version ${older}\nexit 1`,
      );
      expect(version(prefix)).toBe('1.10.0');
    }
    await install(['--from', release({ version: '1.9.0' }), '--prefix', prefix, '--version', '1.9.0']);
    expect(version(prefix)).toBe('1.9.0');
  });

  it.each([
    ['1.0.0-rc.2', '1.0.0-rc.10'],
    ['1.0.0-rc.10', '1.0.0-rc.a'],
    ['1.0.0-rc', '1.0.0-rc.0'],
    ['1.0.0-alpha.beta', '1.0.0-beta'],
    ['1.0.0-b-9.1', '1.0.0-b-9.2'],
    ['1.0.0-rc.9', '1.0.0'],
  ])('takes %s for older than %s, as semver does', async (older, newer) => {
    const prefix = fresh('prefix');
    const [from, to] = [older, newer].map((each) => release({ version: each })) as [string, string];
    await install(['--from', to, '--prefix', prefix]);
    for (const shell of shells)
      expect(await install(['--from', from, '--prefix', prefix], { shell })).toContain(
        `error: ${from} has iiot ${older}, which is older than ${newer}, the installed one.`,
      );
    await install(['--from', from, '--prefix', prefix, '--version', older]);
    for (const shell of shells) await install(['--from', to, '--prefix', prefix], { shell });
    expect(version(prefix)).toBe(newer);
  });

  it.each(
    ['curl', 'wget'].flatMap((tool) =>
      ['http://127.0.0.1:PORT/b/', '/b/', '//127.0.0.1:PORT/b/', '127.0.0.1:PORT/b/', 'hostile/b/'].map(
        (location) => [tool, location] as const,
      ),
    ),
  )('follows a redirect to an absolute https address alone: with %s, not to %s', async (tool, location) => {
    const seen: string[] = [];
    const server = listening((request, response) => {
      seen.push(request.url ?? '');
      const to = location.replace('PORT', `${request.headers.host?.split(':')[1]}`);
      if (request.url?.startsWith('/a/')) return response.writeHead(302, { location: to }).end();
      return response.end('');
    });
    const { url } = await keep(server);
    const programs = fresh('programs');
    cpSync(at('tools'), programs, { recursive: true, verbatimSymlinks: true });
    rmSync(join(programs, 'curl'));
    symlinkSync(whereIs(tool), join(programs, tool));
    const shell = { name: tool, words: ['dash'], path: () => programs };
    const said = await install(['--from', `${url}/a`, '--prefix', fresh('prefix')], { shell });
    expect([said.includes(`error: Cannot get SHA256SUMS from ${url}/a.`), seen]).toEqual([true, ['/a/SHA256SUMS']]);
  });

  it('does not replace or remove an iiot that it has not installed', async () => {
    const prefix = fresh('prefix');
    mkdirSync(join(prefix, 'bin'), { recursive: true });
    writeFileSync(join(prefix, 'bin/iiot'), 'mine');
    expect(await install(['--from', release(), '--prefix', prefix])).toBe(
      `error: ${prefix}/bin/iiot was not installed by this script.\nhint: Remove it first, or choose another folder: --prefix DIR\nexit 1`,
    );
    expect(await install(['--uninstall', '--prefix', prefix])).toBe(
      `error: This script has installed nothing in ${prefix}.\nexit 1`,
    );
    expect(tree(prefix)).toEqual({ bin: 'folder', 'bin/iiot': 'mine' });
    mkdirSync(join(prefix, 'lib/iiot'), { recursive: true });
    writeFileSync(join(prefix, 'lib/iiot/installed-as'), 'deb\n');
    expect(await install(['--uninstall', '--prefix', prefix])).toBe(
      `error: A package of the system has installed iiot in ${prefix}.\nhint: Remove it with what has installed it: apt, dpkg, dnf or rpm\nexit 1`,
    );
    expect(tree(prefix)).toMatchObject({ 'lib/iiot/installed-as': 'deb\n' });
  });

  it('says which iiot comes first in PATH, and installs into ~/.local by default', async () => {
    const home = fresh('home');
    mkdirSync(at('elsewhere'));
    writeFileSync(at('elsewhere/iiot'), '#!/bin/sh\n', { mode: 0o755 });
    const seen = await install(['--from', release()], { home, also: ['elsewhere', join(home, '.local/bin')] });
    expect(seen.split('\n').slice(-2)).toEqual([
      `Installed iiot 1.1.0: ${home}/.local/bin/iiot`,
      `But \`iiot\` is ${at('elsewhere/iiot')}, which comes first in PATH.`,
    ]);
  });

  it.each([
    [['--form', 'x'], 'Unknown option --form.'],
    [['1.0.0'], 'Unknown option 1.0.0.'],
    [['--from'], '--from needs a value.'],
    [['--prefix='], '--prefix needs a value.'],
    [['--version', '../1'], '--version takes a version such as 1.0.0.'],
  ])('refuses the line %j', async (words, sentence) => {
    expect(await install(words)).toBe(`error: ${sentence}\nhint: sh install.sh --help\nexit 2`);
  });

  it('says that --from is needed while there is no address, and has the address and the key of the project', async () => {
    const { repository } = projectOf('packaging/project.json');
    const text = readFileSync(script, 'utf8');
    expect(/^repository='(.*)'$/m.exec(text)?.[1]).toBe(repository);
    const known = existsSync('packaging/minisign.pub') ? readFileSync('packaging/minisign.pub', 'utf8') : '';
    expect(/^public_key='(.*)'$/m.exec(text)?.[1]).toBe(/^RW[\w+/]{54}$/m.exec(known)?.[0] ?? '');
    if (repository !== '') return;
    expect(await install([])).toBe(
      'error: iiot has no download address yet: give --from with the folder or address of a release.\nhint: sh install.sh --help\nexit 2',
    );
  });

  it('shows its help, does nothing when the script is cut off, and passes shellcheck', async () => {
    expect(await install(['--help'])).toMatch(
      /^Install iiot, without Node and without sudo\.\n\nUSAGE\n {2}sh install\.sh /,
    );
    const text = readFileSync(script, 'utf8');
    const lines = text.split('\n');
    const halves = [0.3, 0.6, 0.9, 1].map((part) => lines.slice(0, Math.floor((lines.length - 2) * part)).join('\n'));
    for (const half of halves) {
      const run = execaSync('dash', {
        input: half,
        reject: false,
        env: { PATH: at('tools'), HOME: at('home') },
        extendEnv: false,
      });
      expect(run.stdout).toBe('');
    }
    expect((await execa('shellcheck', ['--shell', 'sh', script], { reject: false })).stdout).toBe('');
  });
});
