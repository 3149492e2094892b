import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

import { newOwnerName } from '../../src/files/owner.ts';
import { failing, machine, now, openFresh, user } from './opened.ts';
import { freshFolder, tidy } from './processes.ts';

const loginHint =
  'Run: iiot login (it sets this file aside and creates a new one), or iiot logout --all (it removes it)';

afterAll(tidy);

describe('stored logins', () => {
  it('are stored, changed and deleted by profile name', async () => {
    const { store, json } = openFresh();
    await store.writeLogin('a', user);
    await store.writeLogin('b', machine);
    const renewed = await store.changeLogin('a', (current) => current && { ...current, accessToken: 'renewed' });
    expect(renewed).toEqual({ ...user, accessToken: 'renewed' });
    expect(json('credentials.json')).toEqual({ version: 1, logins: { b: machine, a: renewed } });
    expect(await store.forgetLogin('a')).toBe(true);
    expect(json('credentials.json')).toEqual({ version: 1, logins: { b: machine } });
  });

  it('are not restored by a change after their deletion', async () => {
    const { store, json } = openFresh();
    await store.writeLogin('a', user);
    await store.forgetLogin('a');
    expect(await store.changeLogin('a', (current) => current && user)).toBeUndefined();
    expect(json('credentials.json')).toEqual({ version: 1, logins: {} });
  });

  it('are deleted with tokens and remains of killed processes, and broken copies are named', async () => {
    const { store, folder, warnings, path, put } = openFresh();
    await store.writeLogin('a', user);
    put(`.iiot-${newOwnerName().replace(/^\d+/, '4194399')}`, 'CANARY');
    await store.writeToken('key', { accessToken: 'CANARY' });
    put('credentials.json.broken-1', 'CANARY');
    put('credentials.json', '{"logins":"CANARY');
    expect(await store.forgetAllLogins()).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(['credentials.json.broken-1', 'locks']);
    expect(warnings).toEqual([`Files that were kept may still hold secrets: ${path('credentials.json.broken-1')}`]);
  });

  it('are never read from a truncated file, and the error quotes nothing of it', async () => {
    const { store, path, put } = openFresh();
    await store.writeLogin('a', user);
    await store.writeLogin('b', machine);
    const whole = readFileSync(path('credentials.json'), 'utf8');
    const answers = new Set<string>();
    for (let length = 0; length < whole.length - 1; length += 1) {
      put('credentials.json', whole.slice(0, length));
      try {
        answers.add(`read: ${store.readLogin('a')}`);
      } catch (error) {
        answers.add(`${error}`.replace(/at byte \d+, line \d+/, 'at byte N'));
      }
    }
    const failures = ['empty', 'not valid JSON at byte N'].map(
      (wrong) => `Failure: Could not use ${path('credentials.json')}: it is ${wrong}.`,
    );
    expect([...answers].sort()).toEqual(failures);
  });

  const notNumber = '"expiresAt" of a login is not a number';
  const notObject = 'it is not a JSON object';
  it.each([
    ['[]', notObject],
    ['null', notObject],
    ['{"version":"CANARY"}', '"version" is not a number'],
    ['{"logins":[]}', '"logins" is not an object'],
    ['{"logins":{"a":"CANARY"}}', 'a login is not an object'],
    ['{"logins":{"a":{"flow":"user","origin":"CANARY"}}}', '"base" of a login is not text'],
    ['{"logins":{"a":{"flow":"CANARY","base":"b","origin":"o"}}}', '"flow" of a login is not user or m2m'],
    ['{"logins":{"a":{"flow":"m2m","base":"","origin":"","expiresAt":"CANARY"}}}', notNumber],
    ['\xff\xfe{', 'it is not UTF-8 text'],
  ])('cannot be read from %s', (text, wrong) => {
    const { store, path, put } = openFresh();
    put('credentials.json', '');
    writeFileSync(path('credentials.json'), text, 'latin1');
    const refusal = failing(`Could not use ${path('credentials.json')}: ${wrong}.`, loginHint);
    expect(() => store.readLogin('a')).toThrow(refusal);
  });

  it('are read whole or refused if a byte of their file is changed, and the file stays unchanged', async () => {
    const { store, path } = openFresh();
    await store.writeLogin('a', user);
    const whole = readFileSync(path('credentials.json'));
    for (let turn = 0; turn < 500; turn += 1) {
      const spoilt = Buffer.from(whole);
      spoilt[(turn * 7919) % whole.length] = (turn * 104_729) % 256;
      writeFileSync(path('credentials.json'), spoilt);
      const refused = await store.changeLogin('a', (current) => current).catch((error: unknown) => error);
      if (refused instanceof Error) {
        expect(refused).toEqual(expect.objectContaining({ kind: 'io', facts: { hint: expect.any(String) } }));
        expect(refused.message).not.toContain('CANARY');
      }
      expect(readFileSync(path('credentials.json'))).toEqual(spoilt);
    }
  });

  it('are read with a byte order mark', () => {
    const { store, put } = openFresh();
    put('credentials.json', `\uFEFF${JSON.stringify({ version: 1, logins: { a: machine } })}`);
    expect(store.readLogin('a')).toEqual(machine);
  });

  it('stay in a broken file except for a new login, which renames that file', async () => {
    const { store, warnings, path, put } = openFresh();
    put('credentials.json', '{"logins":CANARY');
    const broken = `Could not use ${path('credentials.json')}: `;
    await expect(store.changeLogin('a', () => user)).rejects.toThrow(broken);
    await expect(store.forgetLogin('a')).rejects.toThrow(broken);
    expect([readFileSync(path('credentials.json'), 'utf8'), warnings]).toEqual(['{"logins":CANARY', []]);

    await store.writeLogin('a', user);
    const aside = path(`credentials.json.broken-${now}`);
    expect([store.readLogin('a'), readFileSync(aside, 'utf8')]).toEqual([user, '{"logins":CANARY']);
    const [warning = '', ...others] = warnings;
    expect([warning.startsWith(broken), others]).toEqual([true, []]);
    expect(warning).toMatch(new RegExp(`at byte 10, line 1\\. Kept it as ${aside} and created a new one\\.$`));
  });

  it('are made private again with one notice if others can read them', async () => {
    const { store, folder, warnings, path, modeOf } = openFresh();
    await store.writeLogin('a', user);
    chmodSync(path('credentials.json'), 0o644);
    chmodSync(folder, 0o755);
    expect([store.readLogin('a'), store.readLogin('a')]).toEqual([user, user]);
    expect([modeOf('.'), modeOf('credentials.json')]).toEqual(['700', '600']);
    expect(warnings).toEqual([
      `Made ${folder} private: its mode was 0755, now it is 0700.`,
      `Made ${path('credentials.json')} private: its mode was 0644, now it is 0600.`,
    ]);
  });

  it.each([0o777, 0o770, 0o1777])('are not written into a folder with mode %o', async (mode) => {
    const { store, folder } = openFresh();
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, mode);
    const sentence = `Others can write into ${folder} (mode 0${(mode & 0o777).toString(8)}), so no secret is kept there.`;
    await expect(store.writeLogin('a', user)).rejects.toThrow(failing(sentence, `Run: chmod 700 ${folder}`));
    expect(readdirSync(folder)).toEqual([]);
  });

  it('are not written through a link into a folder that others can change', async () => {
    const { store, folder, path } = openFresh();
    const shared = freshFolder();
    chmodSync(shared, 0o777);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    symlinkSync(join(shared, 'there.json'), path('credentials.json'));
    await expect(store.writeLogin('a', user)).rejects.toThrow(`Others can write into ${shared} (mode 0777)`);
    expect(readdirSync(shared)).toEqual([]);
  });

  it('are written to the target of a link, which is kept', async () => {
    const { store, folder, path } = openFresh();
    const elsewhere = freshFolder();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    symlinkSync(join(elsewhere, 'there.json'), path('credentials.json'));
    await store.writeLogin('a', user);
    expect(lstatSync(path('credentials.json')).isSymbolicLink()).toBe(true);
    expect(readdirSync(elsewhere)).toEqual(['there.json']);
    expect(store.readLogin('a')).toEqual(user);
  });

  it.each([
    ['before the file was touched', (whole: string) => whole],
    ['in the middle of the file', (whole: string) => whole.slice(0, 40)],
    ['at its beginning', () => ''],
  ])('are read from the new copy if writing was interrupted %s', async (_, cut) => {
    const { store, folder, path, put, json } = openFresh();
    await store.writeLogin('a', user);
    const whole = readFileSync(path('credentials.json'), 'utf8');
    put('credentials.json', cut(whole));
    put('credentials.json.iiot-new', whole.replace('refresh-CANARY', 'refresh-2'));
    expect(store.readLogin('a')?.refreshToken).toBe('refresh-2');
    (await store.reserveSpace())();
    expect(json('credentials.json').logins.a.refreshToken).toBe('refresh-2');
    expect(readdirSync(folder).sort()).toEqual(['credentials.json', 'locks']);
    put('credentials.json.iiot-new', whole);
    await store.forgetAllLogins();
    expect([store.readLogin('a'), readdirSync(folder)]).toEqual([undefined, ['locks']]);
  });

  it.each([
    ['a pipe', (at: string) => execFileSync('mkfifo', [at]), 'a device or a pipe'],
    ['a device', (at: string) => symlinkSync('/dev/zero', at), 'a device or a pipe'],
    ['a folder', (at: string) => mkdirSync(at), 'a folder'],
  ])('are refused at once if %s stands in place of their file', async (_what, make, why) => {
    const { store, folder, path } = openFresh();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    make(path('credentials.json'));
    const refusal = `Could not read ${path('credentials.json')}: it is ${why}.`;
    expect(() => store.readLogin('a')).toThrow(refusal);
    await expect(store.writeLogin('a', user)).rejects.toThrow(refusal);
    expect(readdirSync(folder).sort()).toEqual(['credentials.json', 'locks']);
  });
});
