/** `sandbox exec` where npm and most scripts are batch files. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { madeForEach } from '../support/fixtures.ts';
import { openComputer, windowsNode, windowsPath } from '../support/windows.ts';

const small = ['sandbox', 'exec', '--users', '5', '--devices', '3'];

const here = madeForEach(openComputer);

const exec = (...words: string[]) => here.iiot([...small, '--', ...words]);
const left = () => readdirSync(join(here.folder, 'tmp')).filter((name) => name.startsWith('iiot-'));

describe('sandbox exec on Windows', () => {
  it.each(['rollout.cmd', 'rollout', '.\\rollout.cmd', './rollout.cmd'])('starts the batch file %s', async (name) => {
    here.file('rollout.cmd', '@call iiot orgs users list --limit 2 -o id -q\r\n@exit /b 7\r\n');
    expect(await exec(name)).toEqual({ exit: 7, stdout: 'ada\nuser-0001\n', stderr: '' });
    expect(left()).toEqual([]);
  });

  it('starts a batch file in PATH with exact arguments', async () => {
    here.file('show.cjs', 'console.log(JSON.stringify(process.argv.slice(2)));');
    here.file('x.bat', `@"${windowsNode}" "${here.path('show.cjs')}" %*\r\n`);
    const words = ['a b', 'c&d', 'e^f', '--g=h', ''];
    const env = { WINDOWS_PATH: `C:\\nowhere;${here.path('')}` };
    const run = await here.iiot([...small, '--', 'x', ...words], env);
    expect(run).toEqual({ exit: 0, stdout: `${JSON.stringify(words)}\n`, stderr: '' });
  });

  it('runs npm test', async () => {
    here.file('npm.cmd', `@"${windowsNode}" "${windowsPath(process.env.npm_execpath ?? '')}" %*\r\n`);
    const test = 'iiot orgs users list --limit 1 -o id -q';
    here.file('package.json', JSON.stringify({ name: 'plant', private: true, scripts: { test } }));
    const { exit, stdout } = await exec('npm', 'test', '--silent');
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: 'ada\n' });
  });

  it('runs iiot itself, and refuses an unknown command', async () => {
    expect(await exec('iiot', 'orgs', 'users', 'list', '--limit', '1', '-o', 'id', '-q')).toEqual({
      exit: 0,
      stdout: 'ada\n',
      stderr: '',
    });
    expect(await exec('nosuch-command')).toEqual({
      exit: 2,
      stdout: '',
      stderr: 'error: nosuch-command: command not found.\nhint: Put a command and its arguments after --\n',
    });
  });

  it('lets the command handle Ctrl-C', async () => {
    here.file(
      'wait.cjs',
      "let n = 0; process.on('SIGINT', () => { n += 1; console.log('heard', n); setTimeout(() => { console.log('done', n); process.exit(42); }, 500); }); setInterval(() => {}, 1000); console.log('ready');",
    );
    const terminal = here.sit([...small, '--', windowsNode, 'wait.cjs']);
    await terminal.waitFor('ready');
    terminal.type('\x03');
    await terminal.waitFor('done 1');
    expect(await terminal.exit).toEqual({ code: 42, signal: 0 });
  });

  it('ends with 130 if Ctrl-C ends the command', async () => {
    // As Windows itself ends a program then; wine says 0.
    const run = await exec(windowsNode, '-e', 'process.exit(0xc000013a)');
    expect(run).toEqual({ exit: 130, stdout: '', stderr: '' });
  });
});
