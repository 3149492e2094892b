import { chmodSync, readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from '../support/failing.ts';
import { html, json, type Scripted, scriptedPlatform } from '../support/scripted.ts';
import { type FreshWorld, freshWorld, machine, machineTokens, noon, renewal, userLogin, userTokens } from './world.ts';

let platform: Scripted;
let world: FreshWorld;
beforeEach(async () => {
  platform = await scriptedPlatform();
  world = freshWorld();
});
afterEach(async () => {
  world.remove();
  await platform.done();
});

const hours = 3_600_000;
const later = noon + 3 * hours;
const save = (changed: Parameters<typeof userLogin>[1] = {}) =>
  world.store.writeLogin('default', userLogin(platform.base, changed));

describe('the login of a profile', () => {
  it('that is missing names the command to type', async () => {
    const session = await world.session(platform, { settings: { base: platform.base, profile: 'prod' } });
    expect(await failureOf(session.bearer())).toEqual({
      kind: 'unauthenticated',
      message: 'You are not logged in.',
      hint: 'Run: iiot login --profile prod',
    });
    expect(await session.status()).toEqual({
      signedIn: false,
      why: 'You are not logged in.',
      source: 'profile',
      profile: 'prod',
      renewable: false,
      base: platform.base,
    });
  });

  it('goes to no other origin, not even to be renewed', async () => {
    const elsewhere = await scriptedPlatform();
    await save({ expiresAt: noon - 1 });
    const session = await world.session(elsewhere);
    const message = `Not logged in to ${elsewhere.base}: the login of profile default belongs to ${platform.base}, and is never sent elsewhere.`;
    expect(await failureOf(session.bearer())).toMatchObject({ kind: 'unauthenticated', message });
    expect(await failureOf(session.after401('x'))).toMatchObject({ kind: 'unauthenticated' });
    expect(await failureOf(session.renew())).toMatchObject({ kind: 'unauthenticated' });
    expect(await session.status()).toMatchObject({ signedIn: false, why: message });
    await elsewhere.done();
  });

  it('is used for another path of its origin, and where no base URL is set', async () => {
    await save();
    expect(await (await world.session({ base: `${platform.base}/iot` })).bearer()).toMatchObject({ token: 'access-1' });
    const session = await world.session(platform, { settings: { profile: 'default' } });
    expect(await session.bearer()).toMatchObject({ token: 'access-1' });
  });

  it('tells who, where, which flow, until when, and whether it can be renewed', async () => {
    await save({ issuer: `${platform.base}/identity` });
    expect(await (await world.session(platform)).status()).toEqual({
      signedIn: true,
      source: 'profile',
      profile: 'default',
      base: platform.base,
      flow: 'user',
      account: 'ada@example.com',
      tenant: 'acme',
      app: 'console',
      issuer: `${platform.base}/identity`,
      expiresAt: noon + 2 * hours,
      renewable: true,
    });
  });
});

describe('a renewal', () => {
  it('comes a minute before the token expires, and is on disk before it is used', async () => {
    await save();
    const session = await world.session(platform);
    world.clock.time = noon + 2 * hours - 60_001;
    expect(await session.bearer()).toMatchObject({ token: 'access-1' });
    world.clock.time += 1;
    platform.expect(renewal(userTokens(2)));
    expect(await session.bearer()).toMatchObject({ token: 'access-2' });
    expect(world.store.readLogin('default')).toEqual(
      userLogin(platform.base, {
        accessToken: 'access-2',
        refreshToken: 'refresh-2',
        issuedAt: world.clock.time,
        expiresAt: world.clock.time + 2 * hours,
      }),
    );
    expect([...world.secrets].sort()).toEqual(['access-1', 'access-2', 'refresh-1', 'refresh-2']);
  });

  it('forgets the old expiry where the new one is not known', async () => {
    await save({ expiresAt: noon - 1 });
    platform.expect(renewal(json(200, { accessToken: 'access-2' })));
    await (await world.session(platform)).bearer();
    const { expiresAt: _, ...login } = userLogin(platform.base, { accessToken: 'access-2' });
    expect(world.store.readLogin('default')).toEqual(login);
  });

  it('is made once by all calls and all processes of a machine', async () => {
    await save({ expiresAt: noon - 1 });
    platform.expect(renewal(userTokens(2)));
    const sessions = await Promise.all(Array.from({ length: 10 }, () => world.session(platform)));
    const tokens = await Promise.all(
      sessions.flatMap((session) => [session.bearer(), session.bearer(), session.bearer()]),
    );
    expect(new Set(tokens.map(({ token }) => token))).toEqual(new Set(['access-2']));
  });

  it('is made once for all calls that are refused', async () => {
    await save();
    platform.expect(renewal(userTokens(2)));
    const session = await world.session(platform);
    await session.bearer();
    const tokens = await Promise.all(Array.from({ length: 16 }, () => session.after401('access-1')));
    expect(new Set(tokens)).toEqual(new Set(['access-2']));
    expect(await session.after401('access-1')).toBe('access-2');
    expect(await session.after401('access-2')).toBeUndefined();
    platform.expect(renewal(userTokens(3)));
    session.accepted('access-2');
    expect(await session.after401('access-2')).toBe('access-3');
    session.accepted('access-2');
    expect(await session.after401('access-3')).toBeUndefined();
  });

  it('is tried again for a refusal a minute later', async () => {
    await save();
    platform.expect(renewal(userTokens(2)), renewal(userTokens(3)));
    const session = await world.session(platform);
    expect(await session.after401('access-1')).toBe('access-2');
    world.clock.time += 60_000;
    expect(await session.after401('access-2')).toBe('access-3');
  });

  it('takes what another process got in the meantime', async () => {
    await save();
    platform.expect(renewal(userTokens(2)));
    const [one, other] = [await world.session(platform), await world.session(platform)];
    await one.bearer();
    await other.bearer();
    expect(await one.after401('access-1')).toBe('access-2');
    expect(await other.after401('access-1')).toBe('access-2');
    world.clock.time = later;
    platform.expect(renewal(userTokens(3)));
    expect(await one.bearer()).toMatchObject({ token: 'access-3' });
    expect(await other.bearer()).toMatchObject({ token: 'access-3' });
  });

  it('is made when asked for, needed or not', async () => {
    await save();
    platform.expect(renewal(userTokens(2)), renewal(userTokens(3)));
    const session = await world.session(platform);
    await session.renew();
    await session.renew();
    expect(await session.bearer()).toMatchObject({ token: 'access-3' });
  });

  it('waits for nobody while the token is good', async () => {
    await save();
    const session = await world.session(platform);
    const inside = world.store.withLock('default', () => session.bearer(), { wait: 100 });
    expect(await inside).toMatchObject({ token: 'access-1' });
  });

  it.each([
    ['life of two seconds', 2000, 999, 1000],
    ['life of a minute', 60_000, 29_999, 30_000],
  ])('of a token with a %s comes half-way', async (_, life, good, due) => {
    await save({ expiresAt: noon + life });
    const session = await world.session(platform);
    world.clock.time = noon + good;
    expect(await session.bearer()).toMatchObject({ token: 'access-1' });
    world.clock.time = noon + due;
    platform.expect(renewal(userTokens(2)));
    expect(await session.bearer()).toMatchObject({ token: 'access-2' });
  });
});

describe('a renewal that is refused', () => {
  const refused = json(400, { error: 'invalid_grant' });

  it('ends with the command to type, is not tried again, and deletes nothing', async () => {
    await save({ expiresAt: noon - 1 });
    platform.expect(renewal(refused));
    const session = await world.session(platform, { settings: { base: platform.base, profile: 'default' } });
    const failure = {
      kind: 'unauthenticated',
      message: 'The platform no longer renews the login, and says: invalid_grant.',
      hint: 'Log in again: iiot login',
    };
    expect(await failureOf(session.bearer())).toEqual(failure);
    expect(await failureOf(session.bearer())).toEqual(failure);
    expect(await failureOf(session.after401('access-1'))).toEqual(failure);
    const kept = userLogin(platform.base, { expiresAt: noon - 1, renewalRefusedAt: noon });
    expect(world.store.readLogin('default')).toEqual(kept);
  });

  it('is kept with the login: nobody shows the dead token again, and the status says so', async () => {
    await save({ expiresAt: noon - 1 });
    platform.expect(renewal(refused));
    await failureOf((await world.session(platform)).bearer());
    const later = await world.session(platform);
    const message = 'The platform refused to renew the login of profile default at 2026-05-01T12:00:00.000Z.';
    const failure = { kind: 'unauthenticated', message, hint: 'Log in again: iiot login' };
    expect(await failureOf(later.bearer())).toEqual(failure);
    expect(await later.status()).toMatchObject({ signedIn: false, renewable: false, why: message });
  });

  it('is the end of a login whose access token was refused as well', async () => {
    await save();
    platform.expect(renewal(refused));
    expect(await failureOf((await world.session(platform)).after401('access-1'))).toMatchObject({
      kind: 'unauthenticated',
    });
    expect(await (await world.session(platform)).status()).toMatchObject({ signedIn: false, renewable: false });
  });

  it('leaves an access token that serves, and can be tried again by who asks for it', async () => {
    await save();
    platform.expect(renewal(refused));
    expect(await failureOf((await world.session(platform)).renew())).toMatchObject({ kind: 'unauthenticated' });
    const session = await world.session(platform);
    expect(await session.bearer()).toMatchObject({ token: 'access-1' });
    const why = expect.stringContaining('refused to renew');
    expect(await session.status()).toMatchObject({ signedIn: true, renewable: false, why });
    platform.expect(renewal(userTokens(2)));
    await session.renew();
    const after = await (await world.session(platform)).status();
    expect([after.renewable, after.why, world.store.readLogin('default')?.renewalRefusedAt]).toEqual([
      true,
      undefined,
      undefined,
    ]);
  });

  it('is not kept where something other than the platform answers', async () => {
    await save({ expiresAt: noon - 1 });
    platform.expect(renewal(html(401, '<title>Gate</title>')), renewal(userTokens(2)));
    expect(await failureOf((await world.session(platform)).bearer())).toMatchObject({ kind: 'unauthenticated' });
    expect(await (await world.session(platform)).bearer()).toMatchObject({ token: 'access-2' });
  });

  it('takes what somebody got who did not wait for the lock', async () => {
    await save({ expiresAt: noon - 1 });
    const newer = userLogin(platform.base, { accessToken: 'access-9', refreshToken: 'refresh-9' });
    platform.expect({
      ...renewal(refused),
      answer: async () => {
        await world.store.writeLogin('default', newer);
        return refused;
      },
    });
    expect(await (await world.session(platform)).bearer()).toMatchObject({ token: 'access-9' });
    expect(world.store.readLogin('default')).toEqual(newer);
  });
});

describe('a renewal that fails', () => {
  it.each([
    ['503', { status: 503 }],
    ['a web page', html(200, '<p>')],
    ['nothing', { status: 200 }],
    ['404', { status: 404 }],
  ])('with %s lets a token that is still good serve, and says so once', async (_, answer) => {
    await save({ expiresAt: noon + 30_000, issuedAt: noon - 2 * hours });
    platform.expect(renewal(answer));
    const session = await world.session(platform);
    expect(await session.bearer()).toMatchObject({ token: 'access-1' });
    expect(await session.bearer()).toMatchObject({ token: 'access-1' });
    expect(world.notices.map((line) => line.split('. ').at(-1))).toEqual([
      'The token is not renewed yet, and works until it expires.',
    ]);
  });

  it('is unavailable where the token has expired', async () => {
    await save({ expiresAt: noon });
    platform.expect(renewal({ status: 503 }));
    expect(await failureOf((await world.session(platform)).bearer())).toMatchObject({ kind: 'unavailable' });
    expect(world.store.readLogin('default')).toEqual(userLogin(platform.base, { expiresAt: noon }));
  });

  it('is unavailable where the token was refused', async () => {
    await save();
    platform.expect(renewal({ status: 503 }));
    const session = await world.session(platform);
    expect(await failureOf(session.after401('access-1'))).toMatchObject({ kind: 'unavailable' });
  });

  it('gives no second token where there is no refresh token, and says so when asked', async () => {
    const { refreshToken: _, ...login } = userLogin(platform.base);
    await world.store.writeLogin('default', login);
    const session = await world.session(platform);
    expect(await session.after401('access-1')).toBeUndefined();
    world.clock.time = noon + 2 * hours - 1;
    expect(await session.bearer()).toMatchObject({ token: 'access-1' });
    expect(await session.status()).toMatchObject({ signedIn: true, renewable: false });
    world.clock.time += 1;
    expect(await failureOf((await world.session(platform)).bearer())).toEqual({
      kind: 'unauthenticated',
      message: 'The login of profile default has expired, and cannot be renewed: it has no refresh token.',
      hint: 'Log in again: iiot login',
    });
  });
});

describe('while a renewal is under way', () => {
  const meanwhile = (work: () => Promise<unknown>) =>
    platform.expect({
      ...renewal(userTokens(2)),
      answer: async () => {
        await work();
        return userTokens(2);
      },
    });

  it('a logout wins', async () => {
    await save({ expiresAt: noon - 1 });
    meanwhile(() => world.store.forgetLogin('default'));
    expect(await failureOf((await world.session(platform)).bearer())).toEqual({
      kind: 'unauthenticated',
      message: 'Profile default was logged out in the meantime.',
      hint: 'Log in: iiot login',
    });
    expect(world.store.readLogin('default')).toBeUndefined();
  });

  it('a new login wins', async () => {
    await save({ expiresAt: noon - 1 });
    const other = userLogin(platform.base, { account: 'eve@example.com', accessToken: 'eve-1', refreshToken: 'eve-2' });
    meanwhile(() => world.store.writeLogin('default', other));
    expect(await (await world.session(platform)).bearer()).toMatchObject({ token: 'eve-1' });
    expect(world.store.readLogin('default')).toEqual(other);
  });
});

it('goes on with a new token that cannot be kept, says so once, and renews from that one', async () => {
  await save({ expiresAt: noon - 1 });
  const session = await world.session(platform);
  platform.expect({
    ...renewal(userTokens(2)),
    answer: async () => {
      chmodSync(world.folder, 0o777); // a folder that everybody may write to takes no secrets
      return userTokens(2);
    },
  });
  expect(await session.bearer()).toMatchObject({ token: 'access-2' });
  expect(await session.bearer()).toMatchObject({ token: 'access-2' });
  world.clock.time = later;
  platform.expect(renewal(userTokens(3)));
  expect(await session.bearer()).toMatchObject({ token: 'access-3' });
  expect(platform.received.map(({ body }) => body)).toEqual([
    '{"refreshToken":"refresh-1"}',
    '{"refreshToken":"refresh-2"}',
  ]);
  const said = world.notices.filter((line) => line.startsWith('The new token could not be saved'));
  expect(said.map((line) => line.split('. ')[0])).toEqual([
    'The new token could not be saved, and works for this command only',
  ]);
  chmodSync(world.folder, 0o700);
  platform.expect(renewal(userTokens(4)));
  await session.renew();
  expect(world.store.readLogin('default')).toMatchObject({ accessToken: 'access-4', refreshToken: 'refresh-4' });
});

describe('where a new token could not be kept', () => {
  // A folder that everybody may write to takes no secrets.
  const spoil = () => chmodSync(world.folder, 0o777);

  it('a token that serves is not renewed, which is said', async () => {
    await save({ expiresAt: noon + 30_000, issuedAt: noon - 2 * hours });
    spoil();
    const session = await world.session(platform);
    expect(await session.bearer()).toMatchObject({ token: 'access-1' });
    expect(await session.bearer()).toMatchObject({ token: 'access-1' });
    const said = world.notices.filter((line) => line.endsWith('The token is not renewed, and works until it expires.'));
    expect([said.length, platform.received.length]).toEqual([1, 0]);
  });

  it('nothing is renewed for who asks for it, and that is a failure', async () => {
    await save();
    spoil();
    expect(await failureOf((await world.session(platform)).renew())).toMatchObject({
      kind: 'io',
      message: expect.stringContaining('The login was not renewed, because the new token could not be saved.'),
    });
    expect(platform.received).toEqual([]);
  });

  it('who asked for it hears of it also where that shows only afterwards', async () => {
    await save();
    platform.expect({
      ...renewal(userTokens(2)),
      answer: () => {
        spoil();
        return userTokens(2);
      },
    });
    expect(await failureOf((await world.session(platform)).renew())).toMatchObject({
      kind: 'io',
      message: expect.stringContaining('The login was renewed, but could not be saved.'),
    });
  });

  it('a token that has expired is renewed all the same', async () => {
    await save({ expiresAt: noon - 1 });
    spoil();
    platform.expect(renewal(userTokens(2)));
    expect(await (await world.session(platform)).bearer()).toMatchObject({ token: 'access-2' });
  });

  it('no file is left where the room was taken', async () => {
    await save({ expiresAt: noon - 1 });
    platform.expect(renewal(userTokens(2)));
    await (await world.session(platform)).bearer();
    expect(readdirSync(world.folder).sort()).toEqual(['credentials.json', 'locks']);
  });
});

describe("a machine's login", () => {
  const login = (changed: object = {}) => ({
    flow: 'm2m' as const,
    origin: platform.base,
    base: `${platform.base}/iot`,
    clientId: 'client-1',
    clientSecret: 'secret-1',
    ...changed,
  });
  const inFolder = { method: 'POST', path: '/iot/identity/connect/token' } as const;

  it('asks for its token once, keeps it, and asks anew when it is refused', async () => {
    await world.store.writeLogin('default', login());
    platform.expect({ ...inFolder, answer: machineTokens(1, 3600) }, { ...inFolder, answer: machineTokens(2) });
    const session = await world.session({ base: `${platform.base}/iot` });
    const tokens = await Promise.all([session.bearer(), session.bearer()]);
    expect(tokens.map(({ token }) => token)).toEqual(['machine-1', 'machine-1']);
    expect(world.store.readLogin('default')).toEqual(
      login({ accessToken: 'machine-1', issuedAt: noon, expiresAt: noon + hours }),
    );
    expect(await session.after401('machine-1')).toBe('machine-2');
    expect(world.store.readLogin('default')).toEqual(login({ accessToken: 'machine-2', issuedAt: noon }));
  });

  it('that is refused says that the credential may be gone', async () => {
    await world.store.writeLogin('default', login({ base: platform.base }));
    platform.expect(machine(json(400, { error: 'invalid_client' })));
    expect(await failureOf((await world.session(platform)).bearer())).toEqual({
      kind: 'unauthenticated',
      message:
        'The platform refuses the client credential client-1, which may have expired or been deleted, and says: invalid_client.',
      hint: 'Log in again: iiot login m2m',
    });
  });

  it('without its secret serves until its token is refused', async () => {
    await world.store.writeLogin('default', login({ clientSecret: '', accessToken: 'machine-1' }));
    const session = await world.session(platform);
    expect(await session.bearer()).toMatchObject({ token: 'machine-1' });
    expect(await session.after401('machine-1')).toBeUndefined();
    expect(await failureOf(session.renew())).toEqual({
      kind: 'unauthenticated',
      message: 'The login of profile default cannot be renewed: it has no client secret.',
      hint: 'Log in again: iiot login m2m',
    });
  });
});

describe('a clock that is wrong', () => {
  it('of a whole hour changes nothing for a login that was made with it', async () => {
    for (const skew of [-hours, hours]) {
      world.clock.time = noon + skew;
      await save({ issuedAt: noon + skew, expiresAt: noon + skew + 2 * hours });
      expect(await (await world.session(platform)).bearer()).toMatchObject({ token: 'access-1' });
    }
  });

  it('that jumps ahead costs one renewal', async () => {
    await save();
    const session = await world.session(platform);
    await session.bearer();
    world.clock.time = noon + 24 * 365 * hours;
    platform.expect(renewal(userTokens(2)));
    for (let count = 0; count < 5; count += 1) expect(await session.bearer()).toMatchObject({ token: 'access-2' });
  });

  it('that jumps back to 1970 costs none', async () => {
    await save();
    world.clock.time = 0;
    expect(await (await world.session(platform)).bearer()).toMatchObject({ token: 'access-1' });
  });
});
