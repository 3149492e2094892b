import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SessionParts } from '../../src/auth/session.ts';
import type { LockOptions } from '../../src/store/store.ts';
import { failureOf } from '../support/failing.ts';
import { madeForEach } from '../support/fixtures.ts';
import { json, scriptedPlatform } from '../support/scripted.ts';
import { freshWorld, machine, machineTokens, noon, tokenOf, worldForEach } from './world.ts';

const { platform, world, open, save, bearer } = worldForEach();

const client = { IIOT_CLIENT_ID: 'client-1', IIOT_CLIENT_SECRET: 'secret-1' };

describe('the login of a command', () => {
  beforeEach(() => save());

  it('comes from IIOT_TOKEN first', async () => {
    const session = await open({ env: { IIOT_TOKEN: 'bare-1', ...client } });
    expect(await session.bearer()).toMatchObject({ token: 'bare-1', from: 'IIOT_TOKEN' });
  });

  it('comes from the client credential before the profile', async () => {
    platform.expect(machine(machineTokens(1)));
    const session = await open({ env: client });
    const from = 'the client credential of IIOT_CLIENT_ID';
    expect(await session.bearer()).toMatchObject({ token: 'machine-1', from });
  });

  it('comes from the profile if the variables are empty', async () => {
    const env = { IIOT_TOKEN: '', IIOT_CLIENT_ID: '', IIOT_CLIENT_SECRET: '' };
    const session = await open({ env });
    expect(await session.bearer()).toMatchObject({ token: 'access-1', from: 'profile default' });
  });
});

describe('IIOT_TOKEN', () => {
  it('is not replaced by another login when it is refused', async () => {
    await save();
    const session = await open({ env: { IIOT_TOKEN: 'bare-1', ...client } });
    expect(await session.after401('bare-1')).toBeUndefined();
  });

  it('cannot be renewed', async () => {
    const session = await open({ env: { IIOT_TOKEN: 'bare-1' } });
    const message = 'iiot cannot renew the token in IIOT_TOKEN.';
    expect(await failureOf(session.renew())).toMatchObject({ kind: 'usage', message });
  });

  it('may have spaces around it, but not inside', async () => {
    expect(await bearer({ IIOT_TOKEN: ' bare-1\n' })).toBe('bare-1');
    expect(await bearer({ IIOT_TOKEN: '\ufeffBearer bare-1\r\n' })).toBe('bare-1');
    const failure = { kind: 'usage', message: 'IIOT_TOKEN holds no token.' };
    for (const IIOT_TOKEN of ['bare 1', 'Bearer ', 'bare\n1', 'bäre'])
      expect(await failureOf(bearer({ IIOT_TOKEN }))).toMatchObject(failure);
  });

  it('shows the account and the expiry inside it', async () => {
    const json = JSON.stringify({ email: 'ada@example.com', exp: noon / 1000 + 60 });
    const claims = Buffer.from(json).toString('base64url');
    const session = await open({ env: { IIOT_TOKEN: `e30.${claims}.x` } });
    expect(await session.status()).toEqual({
      loggedIn: true,
      source: 'IIOT_TOKEN',
      profile: 'default',
      flow: 'token',
      renewable: false,
      base: platform.base,
      account: 'ada@example.com',
      expiresAt: noon + 60_000,
    });
  });
});

describe('a client credential of the environment', () => {
  const inFile = (IIOT_CLIENT_SECRET_FILE: string) => ({ IIOT_CLIENT_ID: 'c', IIOT_CLIENT_SECRET_FILE });
  const sentSecret = () => new URLSearchParams(platform.received.at(-1)?.body).get('client_secret');
  const pipe = () => {
    execFileSync('mkfifo', [join(world.folder, 'pipe')]);
    return join(world.folder, 'pipe');
  };

  it('is not sent if its secret is not UTF-8', async () => {
    const file = join(world.folder, 'secret');
    writeFileSync(file, Buffer.from('s\u00fc\u00df', 'latin1'));
    const message = `IIOT_CLIENT_SECRET_FILE ${file} is not UTF-8 text.`;
    expect(await failureOf(bearer(inFile(file)))).toMatchObject({ kind: 'usage', message });
  });

  it('may have its secret in a pipe that is written late', async () => {
    const file = pipe();
    const late = 'exec 3<>"$1"; echo open; sleep 0.2; printf s-1 >&3; exec 3>&-';
    await once(spawn('/bin/sh', ['-c', late, 'sh', file]).stdout, 'data');
    platform.expect(machine(machineTokens(1)));
    await bearer(inFile(file));
    expect(sentSecret()).toBe('s-1');
  });

  it('is refused at once when nobody writes to the pipe of its secret', async () => {
    const file = pipe();
    const message = `IIOT_CLIENT_SECRET_FILE ${file} is empty.`;
    expect(await failureOf(bearer(inFile(file)))).toMatchObject({ kind: 'usage', message });
  });

  const secretAlone = 'A client secret is in the environment, but IIOT_CLIENT_ID is not set.';
  const twoSecrets = 'IIOT_CLIENT_SECRET and IIOT_CLIENT_SECRET_FILE are both set.';
  it.each([
    ['no base URL', client, 'IIOT_CLIENT_ID is set, but the base URL is not.', { profile: 'default' }],
    ['an ID but no secret', { IIOT_CLIENT_ID: 'c' }, 'IIOT_CLIENT_ID is set, but its secret is not.'],
    ['a secret but no ID', { IIOT_CLIENT_SECRET: 's' }, secretAlone],
    ['two secrets', { ...client, IIOT_CLIENT_SECRET_FILE: '/x' }, twoSecrets],
    ['a missing file', inFile('/missing/file'), 'IIOT_CLIENT_SECRET_FILE /missing/file does not exist.'],
    ['an empty file', inFile('/dev/null'), 'IIOT_CLIENT_SECRET_FILE /dev/null is empty.'],
    ['an endless file', inFile('/dev/zero'), 'IIOT_CLIENT_SECRET_FILE /dev/zero is larger than 64 KiB.'],
  ])('with %s is a usage error', async (_, env, message, settings?: SessionParts['settings']) => {
    const session = open({ env, ...(settings && { settings }) });
    expect(await failureOf(session)).toMatchObject({ kind: 'usage', message });
  });

  it('asks for one token for many calls and many processes', async () => {
    platform.expect(machine(machineTokens(1)));
    const sessions = await Promise.all(Array.from({ length: 8 }, () => open({ env: client })));
    const tokens = await Promise.all([...sessions, ...sessions].map(tokenOf));
    expect(new Set(tokens)).toEqual(new Set(['machine-1']));
    expect(await bearer(client)).toBe('machine-1');
  });

  const elsewhere = madeForEach(scriptedPlatform);
  it('asks for a new token for another secret, client or platform', async () => {
    platform.expect(machine(machineTokens(1)), machine(machineTokens(2)), machine(machineTokens(3)));
    elsewhere.expect(machine(machineTokens(4)));
    const tokens = [];
    for (const [at, changed] of [
      [platform, {}],
      [platform, { IIOT_CLIENT_ID: 'client-2' }],
      [platform, { IIOT_CLIENT_SECRET: 'secret-2' }],
      [elsewhere, {}],
    ] as const) {
      tokens.push((await (await world.session(at, { env: { ...client, ...changed } })).bearer()).token);
    }
    expect(tokens).toEqual(['machine-1', 'machine-2', 'machine-3', 'machine-4']);
  });

  it('asks for a new token before its token expires', async () => {
    platform.expect(machine(machineTokens(1, 3600)), machine(machineTokens(2, 3600)));
    const session = await open({ env: client });
    await session.bearer();
    world.clock.time = noon + 3_600_000 - 60_001;
    expect(await tokenOf(session)).toBe('machine-1');
    world.clock.time += 1;
    expect(await tokenOf(session)).toBe('machine-2');
  });

  it('asks for one new token when its token is refused', async () => {
    platform.expect(machine(machineTokens(1)), machine(machineTokens(2)));
    const session = await open({ env: client });
    await session.bearer();
    expect(await session.after401('machine-1')).toBe('machine-2');
    expect(await session.after401('machine-1')).toBe('machine-2');
    expect(await session.after401('machine-2')).toBeUndefined();
    expect(await bearer(client)).toBe('machine-2');
  });

  it('uses the token that another process got after a refusal', async () => {
    platform.expect(machine(machineTokens(1)), machine(machineTokens(2)));
    const [one, other] = [await open({ env: client }), await open({ env: client })];
    await one.bearer();
    await other.bearer();
    expect(await one.after401('machine-1')).toBe('machine-2');
    expect(await other.after401('machine-1')).toBe('machine-2');
  });

  it('has no new token if the platform returns the refused one', async () => {
    platform.expect(machine(machineTokens(1)), machine(machineTokens(1)));
    const session = await open({ env: client });
    await session.bearer();
    expect(await session.after401('machine-1')).toBeUndefined();
  });

  it('is never replaced by the profile when it is refused', async () => {
    await save();
    platform.expect(machine(json(401, { error: 'invalid_client' })));
    const session = await open({ env: client });
    expect(await failureOf(session.bearer())).toMatchObject({ kind: 'unauthenticated' });
    expect(await failureOf(session.bearer())).toMatchObject({ kind: 'unauthenticated' });
  });

  it.each(['/dev/null/nowhere', '/proc/nowhere', `/tmp/${'x'.repeat(300)}`])(
    'works where nothing can be stored, as in %s',
    async (folder) => {
      const bare = freshWorld(folder);
      platform.expect(machine(machineTokens(1)), machine(machineTokens(2)));
      const session = await bare.session(platform, { env: client });
      expect(await tokenOf(session)).toBe('machine-1');
      expect(await tokenOf(session)).toBe('machine-1');
      expect(await session.after401('machine-1')).toBe('machine-2');
      expect(bare.notices).toEqual([]);
    },
  );

  it('requests its own token when another process holds the lock for too long', async () => {
    platform.expect(machine(machineTokens(1)));
    let key = '';
    const store = {
      ...world.store,
      withLock: <T>(name: string, work: () => Promise<T>, options: LockOptions) => {
        key = name;
        return world.store.withLock(name, () => world.store.withLock(name, work, { ...options, wait: 100 }), {
          wait: 100,
        });
      },
    };
    const session = await open({ env: client, store });
    expect(await tokenOf(session)).toBe('machine-1');
    expect(key).toMatch(/^[0-9a-f]{64}$/);
  });

  it('shows its status without a request', async () => {
    const session = await open({ env: client });
    const known = {
      loggedIn: true,
      source: 'IIOT_CLIENT_ID',
      profile: 'default',
      flow: 'm2m',
      renewable: true,
      base: platform.base,
      clientId: 'client-1',
    };
    expect(await session.status()).toEqual(known);
    platform.expect(machine(machineTokens(1, 3600)));
    await session.bearer();
    expect(await session.status()).toEqual({ ...known, expiresAt: noon + 3_600_000 });
  });
});
