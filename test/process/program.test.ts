import { describe, expect, it } from 'vitest';
import { homeForEach } from '../support/home.ts';
import { executable, runProgram } from '../support/program.ts';

const home = homeForEach();

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
    const older = home.file(
      'older.cjs',
      "process.getBuiltinModule = undefined; Object.defineProperty(process, 'version', { value: 'v18.20.8' });",
    );
    expect(await runProgram(['orgs', 'users', 'list'], { node: ['--require', older] })).toEqual({
      stdout: '',
      stderr: 'error: iiot needs Node 20.18.1 or newer, and this is v18.20.8.\nhint: See https://nodejs.org\n',
      exit: 1,
    });
  });
});
