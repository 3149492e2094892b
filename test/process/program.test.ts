import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { executable, runProgram } from '../support/program.ts';

describe('the built program', () => {
  it('says its version, and nothing else', async () => {
    expect(await runProgram(['--version'])).toEqual({ stdout: '0.1.0\n', stderr: '', exit: 0 });
  });

  it('refuses a command that does not exist', async () => {
    expect(await runProgram(['orgs', 'users', 'lits'])).toEqual({
      stdout: '',
      stderr: 'error: Unknown command "iiot orgs users lits".\nhint: Did you mean: iiot orgs users list\n',
      exit: 2,
    });
  });

  it.skipIf(executable !== undefined)('says which Node it needs to one that is too old', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'iiot-old-'));
    const older = join(folder, 'older.cjs');
    await writeFile(
      older,
      "process.getBuiltinModule = undefined; Object.defineProperty(process, 'version', { value: 'v18.20.8' });",
    );
    expect(await runProgram(['orgs', 'users', 'list'], { node: ['--require', older] })).toEqual({
      stdout: '',
      stderr: 'error: iiot needs Node 20.18.1 or newer, and this is v18.20.8.\nhint: See https://nodejs.org\n',
      exit: 1,
    });
    await rm(folder, { recursive: true });
  });
});
