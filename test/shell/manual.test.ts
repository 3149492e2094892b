/** The pages of the manual, read by the programs that a person reads them with. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { installed } from '../support/shells.ts';

const run = promisify(execFile);
const pages = readdirSync('man').map((name) => `man/${name}`);

describe('the manual', () => {
  beforeAll(() => installed('man', 'groff'), 180_000);

  it.each(pages)('renders %s without a warning', async (path) => {
    const { stdout, stderr } = await run('man', ['--warnings', '-E', 'UTF-8', '-l', path], {
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', MANWIDTH: '80', MANROFFOPT: '-c', MANPAGER: 'cat' },
    });
    expect(stderr).toBe('');
    expect(stdout).toContain('SYNOPSIS');
  });

  it('shows what is typed as it is typed', async () => {
    const { stdout } = await run('man', ['-E', 'UTF-8', '-l', 'man/iiot-orgs-users-list.1'], {
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', MANWIDTH: '80', MANROFFOPT: '-c', MANPAGER: 'cat' },
    });
    const plain = stdout.replace(/.\u0008/g, '');
    expect(plain).toContain(`iiot orgs users list --name "o'neil" --sort name:desc`);
    expect(plain).toContain('--role admin|operator|viewer');
  });

  it('has plain quotes in its sentences, and says which folder the files are in', async () => {
    const { stdout } = await run('man', ['-E', 'UTF-8', '-l', 'man/iiot.1'], {
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', MANWIDTH: '80', MANROFFOPT: '-c', MANPAGER: 'cat' },
    });
    const plain = stdout.replace(/.\u0008/g, '');
    expect(plain).toContain("More certificate authorities, in addition to the system's");
    expect(plain).toMatch(/\n {7}Windows\n {14}%APPDATA%\\iiot\\Config\n/);
    expect(readFileSync('man/iiot.1', 'utf8')).not.toMatch(/\\\((aq|dq)/);
  });
});
