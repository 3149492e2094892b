/** A secret from a program: small ones, started as processes. */
import { chmodSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runForSecret } from '../../src/commands/secret-command.ts';
import { ids } from '../../src/sandbox/world/ids.ts';
import { filesIn, leaks } from '../support/canary.ts';
import { personForEach } from '../support/fixtures.ts';
import { errorOf, failed, worked } from '../support/seen.ts';

const base = 'http://127.0.0.1:1';
const someone = personForEach({
  env: { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined, PATH: process.env.PATH },
});

/** A program of Node, and what counts how often it has run. */
const program = (script: string) => [process.execPath, '-e', script];
const counted = (secret: string) =>
  program(`require('fs').appendFileSync('ran', '.'); process.stdout.write(${JSON.stringify(secret)})`);
const ran = () => readFileSync(join(someone.folder, 'ran'), 'utf8').length;
const keep = (words: readonly string[]) =>
  someone.iiot(['profiles', 'set', 'default', `baseUrl=${base}`, `secretCommand=${JSON.stringify(words)}`]);
const login = (...words: string[]) => someone.iiot(['login', 'm2m', '--client-id', ids.clientId, ...words]);
const stored = () => JSON.parse(readFileSync(join(someone.folder, 'credentials.json'), 'utf8')).logins.default;
const expire = () =>
  someone.file('credentials.json', JSON.stringify({ logins: { default: { ...stored(), expiresAt: 1 } } }));

describe('a client secret from a program', () => {
  it('logs in, is not stored, and is read again only for each renewal', async () => {
    await keep(counted(`${ids.clientSecret}\n`));
    expect(await login()).toEqual(worked('', `Logged in to ${base} as ${ids.clientId} (profile default)`));
    expect(stored()).not.toHaveProperty('clientSecret');
    const list = ['credentials', 'list', '-o', 'id'];
    expect(await someone.iiot(list)).toMatchObject({ exit: 0, stdout: 'credential_001\n' });
    expect(ran()).toBe(1);
    expire();
    expect(await someone.iiot(list)).toMatchObject({ exit: 0, stdout: 'credential_001\n' });
    expect(ran()).toBe(2);
    await someone.iiot(['login', 'refresh']);
    expect(ran()).toBe(3);
    const status = JSON.parse((await someone.iiot(['login', 'status', '-o', 'json'])).stdout);
    expect([status.renewable, ran()]).toEqual([true, 3]);
  });

  it('leaves no trace if it is refused', async () => {
    const secret = 'canary "of" /plant+3%';
    const file = someone.file('print.cjs', `console.log(${JSON.stringify(secret)}); console.error('${secret}')`);
    await keep([process.execPath, file]);
    const seen = await login('--debug');
    expect([seen.exit, seen.stderr]).toEqual([3, expect.stringContaining('client_secret=***')]);
    someone.file('print.cjs', '');
    const places = [seen.stdout, seen.stderr].map((text) => ({ place: 'the terminal', text }));
    expect(leaks({ secret }, [...places, ...filesIn(someone.folder)])).toEqual([]);
  });

  it('is not read if a variable or standard input has the secret', async () => {
    await keep(program('process.exit(1)'));
    const env = { IIOT_CLIENT_SECRET: ids.clientSecret };
    expect((await someone.iiot(['login', 'm2m', '--client-id', ids.clientId], { env })).exit).toBe(0);
    expect(stored().clientSecret).toBe(ids.clientSecret);
    const typed = ['login', 'm2m', '--client-id', ids.clientId, '--client-secret-stdin'];
    expect((await someone.iiot(typed, { stdin: ids.clientSecret })).exit).toBe(0);
  });

  it('is not read for a platform other than that of the profile', async () => {
    await keep(counted(ids.clientSecret));
    const { exit, stderr } = await login('--base-url', 'http://127.0.0.1:2');
    const sentence = `error: The secretCommand of profile default belongs to ${base}, and is not run for http://127.0.0.1:2, tenant factory.`;
    expect([exit, stderr.split('\n')[0]]).toEqual([3, sentence]);
    expect(ran).toThrow('ENOENT');
  });

  it('is reported with the exit code if it cannot be read, and the login stays', async () => {
    await keep(program(`process.stdout.write('half'); process.exit(7)`));
    const sentence = `The secretCommand of profile default gave no secret: ${process.execPath} ended with exit code 7.`;
    expect(await errorOf(login('-o', 'json'))).toMatchObject({ exit: 3, code: 'unauthenticated', message: sentence });
    const line = `${process.execPath} -e 'process.stdout.write('\\''half'\\''); process.exit(7)'`;
    expect(await login()).toEqual(failed(3, `error: ${sentence}`, `hint: Run it to see why: ${line}`));
    await keep(counted(ids.clientSecret));
    await login();
    await keep(program('process.exit(7)'));
    expire();
    expect((await someone.iiot(['credentials', 'list'])).exit).toBe(3);
    expect(stored()).not.toHaveProperty('renewalRefusedAt');
    await keep(counted(ids.clientSecret));
    expect((await someone.iiot(['credentials', 'list'])).exit).toBe(0);
  });

  it('is used as the password when a person logs in', async () => {
    await keep(counted(`${ids.adminPassword}\r\n`));
    expect(await someone.iiot(['login', '--account', ids.admin])).toMatchObject({ exit: 0 });
    expect(ran()).toBe(1);
  });

  it('of a rotated credential is stored, and the program is not run again', async () => {
    await keep(counted(ids.clientSecret));
    await login();
    const { exit, stderr } = await someone.iiot(['credentials', 'rotate', 'credential_001', '--yes']);
    const note = 'Profile default has a secretCommand. The new secret is kept in credentials.json';
    expect([exit, stderr]).toEqual([0, expect.stringContaining(note)]);
    expire();
    expect((await someone.iiot(['credentials', 'list'])).exit).toBe(0);
    expect(ran()).toBe(1);
  });
});

describe.skipIf(process.platform === 'win32')('the settings that name the program', () => {
  it.each([
    ['config.json', 0o660, 'chmod go-w'],
    ['.', 0o777, 'chmod go-w'],
  ])('are not followed if others can write to %s', async (name, mode, hint) => {
    await keep(counted(ids.clientSecret));
    chmodSync(join(someone.folder, name), mode);
    const { exit, message, hint: told } = await errorOf(login('-o', 'json'));
    expect([exit, message, told?.slice(5, 15)]).toEqual([
      1,
      `Others can write to ${join(someone.folder, name)} (mode 0${mode.toString(8)}), so no program that it names is run.`,
      hint,
    ]);
    expect(ran).toThrow('ENOENT');
    chmodSync(someone.folder, 0o700);
  });

  it('are checked by iiot doctor', async () => {
    const doctor = async () =>
      (await someone.iiot(['doctor', '--jq', '.[] | select(.check == "secret_command") | .status, .message'])).stdout;
    await keep(program('process.exit(1)'));
    expect(await doctor()).toBe(`ok\n${process.execPath} (profile default)\n`);
    await keep(['no-such-program']);
    expect(await doctor()).toBe('warning\nno-such-program of profile default was not found.\n');
  });
});

describe('a program that prints a secret', () => {
  const place = () => ({
    cwd: someone.folder,
    env: { PATH: process.env.PATH },
    interrupt: new AbortController().signal,
    canAnswer: false,
    isWatched: false,
  });
  const sh = (script: string) => ['sh', '-c', script];
  const long = 'x'.repeat(20_000);
  const notOneLine = { problem: 'printed something that is not one line of UTF-8 text' };
  const tooLong = { problem: 'did not end within 0.4 s' };

  it.each<[string, readonly string[], object]>([
    ['prints a line end of Windows', program(`process.stdout.write('a b\\r\\n')`), { secret: 'a b' }],
    ['prints a byte order mark', program(`process.stdout.write('\\ufeffa b\\r')`), { secret: 'a b' }],
    ['prints two line ends', program(`process.stdout.write('a\\n\\n')`), notOneLine],
    ['prints blanks around the secret', program(`process.stdout.write(' a ')`), { secret: ' a ' }],
    ['prints 20 KB', program(`process.stdout.write('x'.repeat(20000))`), { secret: long }],
    ['prints a word on stderr, too', program(`console.error('word'); console.log('a')`), { secret: 'a' }],
    [
      'reads to the end of standard input',
      program(`process.stdin.resume().on('end', () => console.log('a'))`),
      { secret: 'a' },
    ],
    ['closes standard input', program(`process.stdin.destroy(); console.log('a')`), { secret: 'a' }],
    ['leaves a process that keeps its output open', sh('sleep 60 & echo a'), { secret: 'a' }],
    ['prints nothing', program(''), { problem: 'printed nothing' }],
    ['prints a line end alone', program('console.log()'), { problem: 'printed nothing' }],
    ['prints too much', program(`process.stdout.write('x'.repeat(70000))`), { problem: 'printed more than 64 KiB' }],
    ['prints bytes that are not UTF-8', program('process.stdout.write(Buffer.of(255))'), notOneLine],
    [
      'fails after it has printed',
      program(`process.stdout.write('a'); process.exitCode = 3`),
      { problem: 'ended with exit code 3' },
    ],
    ['is killed', sh('kill -9 $$'), { problem: 'was ended by SIGKILL' }],
    ['does not exist', ['no-such-program'], { problem: 'was not found' }],
    ['is a folder', ['/'], { problem: 'could not be started (EACCES)' }],
    ['hangs', program('setInterval(() => {}, 9)'), tooLong],
    ['hangs in another program', sh('sleep 60; echo a'), tooLong],
    ['hangs and ignores SIGTERM', program(`process.on('SIGTERM', () => {}); setInterval(() => {}, 9)`), tooLong],
  ])('gives its secret or its problem if it %s', async (what, words, found) => {
    expect(await runForSecret(words, place(), what.startsWith('hangs') ? 400 : 30_000)).toEqual(found);
  });

  it('runs in the folder of the settings', async () => {
    const { secret } = { secret: '', ...(await runForSecret(program('console.log(process.cwd())'), place())) };
    expect(secret).toBe(realpathSync(someone.folder));
  });

  it('is stopped by Ctrl-C', async () => {
    const stop = new AbortController();
    const over = runForSecret(program('setInterval(() => {}, 9)'), { ...place(), interrupt: stop.signal });
    stop.abort(new Error('Ctrl-C'));
    await expect(over).rejects.toThrow('Ctrl-C');
  });
});
