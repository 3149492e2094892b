/** What is kept of the program between two runs, in what only a process can show: test/launch has the rest. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { executable, nodeBinary, runProgram } from '../support/program.ts';

const refused = {
  stdout: '',
  stderr: 'error: Unknown command "iiot orgs users lits".\nhint: Did you mean: iiot orgs users list\n',
  exit: 2,
};

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'iiot-home-'));
});

afterEach(() => rm(home, { recursive: true, force: true }));

/** The files whose code an earlier run had compiled. */
async function run(node: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const told = join(home, 'loaded.json');
  const options = {
    node: [...node, '--require', resolve('test/support/loaded.cjs')],
    env: { HOME: home, XDG_CACHE_HOME: '', LOADED_TO: told, ...env },
  };
  expect(await runProgram(['orgs', 'users', 'lits'], options)).toEqual(refused);
  const { kept } = JSON.parse(await readFile(told, 'utf8')) as { kept: string[] };
  await rm(told);
  return kept.map((name) => name.replace(/-.*/, ''));
}

// The one-file program brings it along.
describe.skipIf(executable !== undefined)('what V8 has compiled', () => {
  it('is compiled again for other options of V8', async () => {
    await run();
    expect(await run(['--no-opt'])).toEqual([]);
    expect(await run(['--no-opt'])).toContain('core');
  });

  it('is not kept for a version or a help text', async () => {
    await runProgram(['--version'], { env: { HOME: home, XDG_CACHE_HOME: '' } });
    await runProgram(['orgs', '--help'], { env: { HOME: home, XDG_CACHE_HOME: '' } });
    expect(await readdir(home)).toEqual([]);
  });

  // It answers "no such file" where a folder is to be made in one that exists.
  it.skipIf(process.platform !== 'linux')('is not kept in /proc', async () => {
    const options = { env: { HOME: '/proc', XDG_CACHE_HOME: '' }, killSignal: 'SIGKILL' } as const;
    expect(await runProgram(['orgs', 'users', 'lits'], options)).toEqual(refused);
  });
});

it('a help text ends quietly when its reader has gone', async () => {
  const program = executable === undefined ? `'${nodeBinary}' bin/iiot.js` : `'${executable}'`;
  const script = `{ sleep 0.3; ${program} --help; echo "ended with $?" >&2; } | true`;
  const { stderr } = await execa(script, { shell: '/bin/sh' });
  expect(stderr).toBe('ended with 0');
});

it.skipIf(executable !== undefined)('iiot says which Node it needs when Node is too old', async () => {
  const older = join(home, 'older.cjs');
  await writeFile(
    older,
    "process.getBuiltinModule = undefined; Object.defineProperty(process, 'version', { value: 'v18.20.8' });",
  );
  expect(await runProgram(['orgs', 'users', 'list'], { node: ['--require', older] })).toEqual({
    stdout: '',
    stderr: 'error: iiot needs Node 20.18.1 or newer, but this is v18.20.8.\nhint: See https://nodejs.org\n',
    exit: 1,
  });
});
