import { describe, expect, it } from 'vitest';
import { runProgram } from '../support/program.ts';

describe('the built program', () => {
  it('says its version, and nothing else', async () => {
    expect(await runProgram(['--version'])).toEqual({ stdout: '0.1.0\n', stderr: '', exit: 0 });
  });

  it('refuses a command that does not exist', async () => {
    expect(await runProgram(['orgs', 'users', 'lits'])).toEqual({
      stdout: '',
      stderr: "Unknown command 'lits'.\nDid you mean list?\n",
      exit: 2,
    });
  });
});
