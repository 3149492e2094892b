import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

import { machineTokenKey } from '../../src/store/keys.ts';
import { listLeftoverRecoveries } from '../../src/store/recovery.ts';
import { failing, now, openFresh, user } from './opened.ts';
import { tidy } from './processes.ts';

afterAll(tidy);

describe('an empty store', () => {
  it('is not created by reading or deleting', async () => {
    const { store, folder } = openFresh();
    expect(store.readConfig()).toEqual({ version: 1, current: 'default', profiles: {} });
    expect(store.readLogin('default')).toBeUndefined();
    expect(store.readToken('key')).toBeUndefined();
    expect(await store.forgetLogin('default')).toBe(false);
    expect(await store.forgetAllLogins()).toBe(false);
    expect(existsSync(join(folder, '..'))).toBe(false);
  });
});

describe('stored profiles', () => {
  it('are readable by their owner only, under any umask', async () => {
    const { store, warnings, modeOf } = openFresh();
    const before = process.umask(0);
    const config = {
      version: 1,
      current: 'plant',
      profiles: { plant: { baseUrl: 'https://a.example', allowHttp: true } },
    };
    expect(await store.changeConfig(() => config)).toEqual(config);
    process.umask(before);
    expect(store.readConfig()).toEqual(config);
    expect([modeOf('.'), modeOf('config.json'), modeOf('locks')]).toEqual(['700', '600', '700']);
    expect(warnings).toEqual([]);
  });

  it('keep unknown fields', async () => {
    const { store, put, json } = openFresh();
    put('config.json', '{"later":[1],"profiles":{"a":{"tenant":"t","later":{"x":null}}}}');
    await store.changeConfig((config) => ({
      version: 1,
      current: 'a',
      profiles: { ...config.profiles, a: { ...config.profiles.a, org: 'o' } },
    }));
    expect(json('config.json')).toEqual({
      later: [1],
      version: 1,
      current: 'a',
      profiles: { a: { tenant: 't', later: { x: null }, org: 'o' } },
      __internal__: { migrations: { version: '1.0.0' } },
    });
  });

  it('are not written if the file would be too large to read', async () => {
    const { store, path } = openFresh();
    await store.changeConfig(() => ({ version: 1, current: 'a', profiles: { a: {} } }));
    const before = readFileSync(path('config.json'), 'utf8');
    const label = 'x'.repeat(16 * 1024 * 1024);
    await expect(store.changeConfig((config) => ({ ...config, profiles: { a: { label } } }))).rejects.toThrow(
      failing(
        `Could not write ${path('config.json')}: it would be larger than 16 MiB, and could not be read any more.`,
        'Remove what is not needed: iiot profiles delete, or iiot logout',
      ),
    );
    expect(readFileSync(path('config.json'), 'utf8')).toBe(before);
  });

  it('are not written if nothing changes', async () => {
    const { store, path } = openFresh();
    await store.changeConfig((config) => ({ ...config, current: 'plant' }));
    const { ino } = statSync(path('config.json'));
    await store.changeConfig((config) => ({ ...config, current: 'plant' }));
    expect(statSync(path('config.json')).ino).toBe(ino);
  });

  it('are read, but not changed if a newer version wrote them', async () => {
    const { store, path, put } = openFresh();
    const text = '{"version":2,"current":"a","profiles":{"a":{"tenant":"t"}},"regions":{}}';
    put('config.json', text);
    expect(store.readConfig().profiles.a).toEqual({ tenant: 't' });
    await expect(store.changeConfig((config) => ({ ...config, current: 'b' }), { setAside: true })).rejects.toThrow(
      failing(
        `Could not write ${path('config.json')}: a newer iiot wrote it (version 2, this one knows 1), and some of its data would be lost.`,
        'Update iiot, or set IIOT_CONFIG_DIR to another folder.',
      ),
    );
    expect(readFileSync(path('config.json'), 'utf8')).toBe(text);
  });

  it.each(['__proto__', '', '.hidden', '-x', 'a/b', 'a b', '..', 'ä', 'x'.repeat(65)])(
    'cannot have the name %j',
    async (name) => {
      const { store } = openFresh();
      const refusal = expect.objectContaining({
        kind: 'usage',
        message: `${JSON.stringify(name)} cannot be the name of a profile.`,
      });
      const adding = store.changeConfig((config) => ({ ...config, profiles: Object.fromEntries([[name, {}]]) }));
      await expect(adding).rejects.toThrow(refusal);
      expect(() => store.readLogin(name)).toThrow(refusal);
      await expect(store.writeLogin(name, user)).rejects.toThrow(refusal);
    },
  );

  it('may have names such as constructor and valueOf', async () => {
    const { store } = openFresh();
    await store.writeLogin('valueOf', user);
    expect([store.readConfig().profiles.constructor, store.readLogin('toString')]).toEqual([undefined, undefined]);
    expect(store.readLogin('valueOf')).toEqual(user);
  });
});

describe('the token cache', () => {
  it('keeps the token of a client until it expires', async () => {
    const { store, json, modeOf } = openFresh();
    const key = machineTokenKey('https://a.example', 'id', 'secret');
    await store.writeToken('old', { accessToken: 'old', expiresAt: now });
    await store.writeToken(key, { accessToken: 'token', expiresAt: now + 1 });
    await store.writeToken('endless', { accessToken: 'endless' });
    expect(store.readToken(key)).toEqual({ accessToken: 'token', expiresAt: now + 1 });
    expect(Object.keys(json('tokens.json').tokens)).toEqual([key, 'endless']);
    expect(modeOf('tokens.json')).toBe('600');
  });

  it('has different keys for different credentials, without their secrets', () => {
    const credentials = ['a id secret', 'b id secret', 'a ids ecret', 'a id rotated'].map((words) => words.split(' '));
    const keys = credentials.map(([host, id = '', secret = '']) =>
      machineTokenKey(`https://${host}.example`, id, secret),
    );
    expect(new Set(keys).size).toBe(4);
    expect(keys.join('')).toMatch(/^[0-9a-f]{256}$/);
  });

  it('is replaced without an error if it is broken', async () => {
    const { store, folder, warnings, put } = openFresh();
    put('tokens.json', '{"tokens":');
    expect(store.readToken('key')).toBeUndefined();
    await store.writeToken('key', { accessToken: 'token' });
    expect(store.readToken('key')).toEqual({ accessToken: 'token' });
    chmodSync(folder, 0o777);
    await store.writeToken('key', { accessToken: 'other' });
    expect(store.readToken('key')).toEqual({ accessToken: 'token' });
    expect([readdirSync(folder).sort(), warnings]).toEqual([['locks', 'tokens.json'], []]);
  });
});

describe('inspecting the store', () => {
  it('reports modes and problems, and no secret', async () => {
    const { store, folder, warnings, path, put, modeOf } = openFresh();
    await store.writeLogin('a', user);
    chmodSync(path('credentials.json'), 0o640);
    put('config.json', '{');
    put('config.json.broken-7', '');
    expect(store.inspect()).toEqual({
      folder: { path: folder, kind: 'folder', mode: '0700' },
      files: [
        {
          path: path('config.json'),
          kind: 'file',
          mode: '0600',
          problem: expect.stringMatching(/^Could not use .*config\.json: .* at byte 1, line 1\.$/),
          fix: 'Fix it with an editor, or move it away: iiot login then creates a new one.',
        },
        {
          path: path('credentials.json'),
          kind: 'file',
          mode: '0640',
          problem: `Others can read ${path('credentials.json')}.`,
          fix: `chmod 600 ${path('credentials.json')}`,
        },
        { path: path('tokens.json'), kind: 'missing' },
      ],
      setAside: [path('config.json.broken-7')],
    });
    expect(JSON.stringify(store.inspect())).not.toContain('CANARY');
    expect([modeOf('credentials.json'), warnings]).toEqual(['640', []]);
  });
});

describe('recovery files of killed runs', () => {
  it('are found, except pipes, folders and files that are too large', () => {
    const { folder, path, put } = openFresh();
    put('recovery-00000001.json', '{"owner":"","name":"robot"}');
    execFileSync('mkfifo', [path('recovery-00000002.json')]);
    mkdirSync(path('recovery-00000003.json'));
    put('recovery-00000004.json', `{"owner":"","name":"${'x'.repeat(1024 * 1024)}"}`);
    expect(listLeftoverRecoveries(folder, Number.MAX_SAFE_INTEGER)).toEqual([
      { path: path('recovery-00000001.json'), content: { owner: '', name: 'robot' } },
    ]);
  });
});
