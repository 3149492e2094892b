import { chmodSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/failure.ts';
import { realExchange } from '../support/exchange.ts';
import { failureOf } from '../support/failing.ts';
import { madeForEach } from '../support/fixtures.ts';
import { html, json, scriptedPlatform } from '../support/scripted.ts';
import {
  answeredAfter,
  loggedOutBy,
  machineTokens,
  noon,
  renewal,
  tokenOf,
  userLogin,
  userTokens,
  worldForEach,
} from './world.ts';

const { platform, world, open, save, stored, bearer } = worldForEach();

const hours = 3_600_000;
const later = noon + 3 * hours;
const expired = { expiresAt: noon - 1 };
/** A login whose token is due, and works for half a minute more. */
const due = { expiresAt: noon + 30_000, issuedAt: noon - 2 * hours };
const again = expect.stringMatching(/again.*: iiot login$/);

describe('the login of a profile', () => {
  it('is reported as missing, with the command to log in', async () => {
    const session = await open({ settings: { base: platform.base, profile: 'prod' } });
    const why = 'You are not logged in.';
    expect(await failureOf(session.bearer())).toEqual(loggedOutBy(why, 'Run: iiot login --profile prod'));
    expect(await session.status()).toEqual({
      loggedIn: false,
      why,
      source: 'profile',
      profile: 'prod',
      renewable: false,
      base: platform.base,
    });
  });

  const elsewhere = madeForEach(scriptedPlatform);
  const belongs = () => `the login of profile default belongs to ${platform.base}, and is never sent elsewhere.`;
  it('is never sent to another origin, even to be renewed', async () => {
    await save(expired);
    const session = await world.session(elsewhere);
    const message = `Not logged in to ${elsewhere.base}: ${belongs()}`;
    expect(await failureOf(session.bearer())).toMatchObject({ kind: 'unauthenticated', message });
    expect(await failureOf(session.after401('x'))).toMatchObject({ kind: 'unauthenticated' });
    expect(await failureOf(session.renew())).toMatchObject({ kind: 'unauthenticated' });
    expect(await session.status()).toMatchObject({ loggedIn: false, why: message });
  });

  it('is used without a base URL, but not for another path of its origin', async () => {
    await save();
    expect(await tokenOf(await open({ settings: { profile: 'default' } }))).toBe('access-1');
    const session = await world.session({ base: `${platform.base}/iot` });
    expect((await failureOf(session.bearer())).message).toBe(`Not logged in to ${platform.base}/iot: ${belongs()}`);
  });

  it.each([
    ['tenant', { tenant: { value: 'globex', from: 'IIOT_TENANT' } }, 'tenant globex (IIOT_TENANT)'],
    ['account', { account: 'eve@example.com' }, 'eve@example.com (account of the profile)'],
  ])('is refused at once if the settings name another %s', async (_, own, words) => {
    await save();
    const session = await open({ settings: { profile: 'default', base: platform.base, ...own } });
    const message = `Profile default is logged in to ${platform.base}, tenant acme, as ada@example.com, and not for ${words}.`;
    expect(await failureOf(session.bearer())).toMatchObject({ kind: 'unauthenticated', message });
    expect(await session.status()).toMatchObject({ loggedIn: false, why: message });
  });

  it('without a refresh token lasts until its token expires', async () => {
    const { refreshToken: _, ...login } = userLogin(platform.base);
    await world.store.writeLogin('default', login);
    const session = await open();
    expect(await session.after401('access-1')).toBeUndefined();
    world.clock.time = noon + 2 * hours - 1;
    expect(await tokenOf(session)).toBe('access-1');
    expect(await session.status()).toMatchObject({ loggedIn: true, renewable: false });
    world.clock.time += 1;
    const message = 'The login of profile default has expired, and cannot be renewed: it has no refresh token.';
    expect(await failureOf(bearer())).toEqual(loggedOutBy(message, again));
  });

  it('shows account, place, flow, expiry and whether it can be renewed', async () => {
    await save({ issuer: `${platform.base}/identity` });
    expect(await (await open()).status()).toEqual({
      loggedIn: true,
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
  it('happens a minute before the token expires, and is stored', async () => {
    await save();
    const session = await open();
    world.clock.time = noon + 2 * hours - 60_001;
    expect(await tokenOf(session)).toBe('access-1');
    world.clock.time += 1;
    platform.expect(renewal(userTokens(2)));
    expect(await tokenOf(session)).toBe('access-2');
    expect(stored()).toEqual(
      userLogin(platform.base, {
        accessToken: 'access-2',
        refreshToken: 'refresh-2',
        issuedAt: world.clock.time,
        expiresAt: world.clock.time + 2 * hours,
      }),
    );
    expect([...world.secrets].sort()).toEqual(['access-1', 'access-2', 'refresh-1', 'refresh-2']);
  });

  it('removes the old expiry if the new token has none', async () => {
    await save(expired);
    platform.expect(renewal(json(200, { accessToken: 'access-2' })));
    await bearer();
    const { expiresAt: _, ...login } = userLogin(platform.base, { accessToken: 'access-2' });
    expect(stored()).toEqual(login);
  });

  it('happens once for all calls and all processes of a machine', async () => {
    await save(expired);
    platform.expect(renewal(userTokens(2)));
    const sessions = await Promise.all(Array.from({ length: 10 }, () => open()));
    const tokens = await Promise.all([...sessions, ...sessions, ...sessions].map(tokenOf));
    expect(new Set(tokens)).toEqual(new Set(['access-2']));
  });

  it('happens once for all calls whose token is refused', async () => {
    await save();
    platform.expect(renewal(userTokens(2)));
    const session = await open();
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

  it('happens again when the new token is refused a minute later', async () => {
    await save();
    platform.expect(renewal(userTokens(2)), renewal(userTokens(3)));
    const session = await open();
    expect(await session.after401('access-1')).toBe('access-2');
    world.clock.time += 60_000;
    expect(await session.after401('access-2')).toBe('access-3');
  });

  it('takes the token that another process got meanwhile', async () => {
    await save();
    platform.expect(renewal(userTokens(2)));
    const [one, other] = [await open(), await open()];
    await one.bearer();
    await other.bearer();
    expect(await one.after401('access-1')).toBe('access-2');
    expect(await other.after401('access-1')).toBe('access-2');
    world.clock.time = later;
    platform.expect(renewal(userTokens(3)));
    expect(await tokenOf(one)).toBe('access-3');
    expect(await tokenOf(other)).toBe('access-3');
  });

  it('is not waited for while the token is good', async () => {
    await save();
    const session = await open();
    const inside = world.store.withLock('default', () => session.bearer(), { wait: 100 });
    expect(await inside).toMatchObject({ token: 'access-1' });
  });

  it.each([
    ['two seconds', 2000, 999, 1000],
    ['a minute', 60_000, 29_999, 30_000],
  ])('happens halfway through a life of %s', async (_, life, good, due) => {
    await save({ expiresAt: noon + life });
    const session = await open();
    world.clock.time = noon + good;
    expect(await tokenOf(session)).toBe('access-1');
    world.clock.time = noon + due;
    platform.expect(renewal(userTokens(2)));
    expect(await tokenOf(session)).toBe('access-2');
  });

  it('clears the record of an earlier renewal that was cut off, and leaves no temporary file', async () => {
    await save({ ...expired, renewalSentAt: noon - 1 });
    platform.expect(renewal(userTokens(2)));
    expect(await bearer()).toBe('access-2');
    expect(stored()).not.toHaveProperty('renewalSentAt');
    expect(readdirSync(world.folder).sort()).toEqual(['credentials.json', 'locks']);
  });

  it('whose token is refused is shown in the status until a token is accepted', async () => {
    await save();
    platform.expect(renewal(userTokens(2)));
    const session = await open();
    expect(await session.after401('access-1')).toBe('access-2');
    expect(await session.after401('access-2')).toBeUndefined();
    const why = expect.stringContaining('right after it was renewed');
    expect(await (await open()).status()).toMatchObject({ loggedIn: false, why });
    const next = await open();
    next.accepted(await tokenOf(next));
    await expect.poll(() => stored()?.refusedInVainAt).toBeUndefined();
    expect(await (await open()).status()).toMatchObject({ loggedIn: true });
  });

  it('does not begin after an interruption, and the request is reported as not sent', async () => {
    await save(expired);
    const interrupt = AbortSignal.abort(new Failure('interrupted', 'Stopped.'));
    const failure: unknown = await (await open({ interrupt })).bearer().catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'interrupted', facts: { fate: 'not_sent' } });
  });
});

const refused = json(400, { error: 'invalid_grant' });
const loggedOut = loggedOutBy('Profile default was logged out in the meantime.', 'Log in: iiot login');

describe('a renewal that is refused', () => {
  it('asks for a new login, is not tried again, and deletes nothing', async () => {
    await save(expired);
    platform.expect(renewal(refused));
    const session = await open({ settings: { base: platform.base, profile: 'default' } });
    const failure = loggedOutBy(expect.stringContaining('invalid_grant'), again);
    expect(await failureOf(session.bearer())).toEqual(failure);
    expect(await failureOf(session.bearer())).toEqual(failure);
    expect(await failureOf(session.after401('access-1'))).toEqual(failure);
    const kept = userLogin(platform.base, { expiresAt: noon - 1, renewalRefusedAt: noon });
    expect(stored()).toEqual(kept);
  });

  it('is recorded, so that the dead token is not sent again', async () => {
    await save(expired);
    platform.expect(renewal(refused));
    await failureOf(bearer());
    const later = await open();
    const message = 'The platform refused to renew the login of profile default at 2026-05-01T12:00:00.000Z.';
    expect(await failureOf(later.bearer())).toEqual(loggedOutBy(message, again));
    expect(await later.status()).toMatchObject({ loggedIn: false, renewable: false, why: message });
  });

  it('ends a login whose access token was refused as well', async () => {
    await save();
    platform.expect(renewal(refused));
    const session = await open();
    expect(await failureOf(session.after401('access-1'))).toMatchObject({ kind: 'unauthenticated' });
    expect(await (await open()).status()).toMatchObject({ loggedIn: false, renewable: false });
  });

  it('leaves a working access token in use, and can be retried on request', async () => {
    await save();
    platform.expect(renewal(refused));
    expect(await failureOf((await open()).renew())).toMatchObject({ kind: 'unauthenticated' });
    const session = await open();
    expect(await tokenOf(session)).toBe('access-1');
    const why = expect.stringContaining('refused to renew');
    expect(await session.status()).toMatchObject({ loggedIn: true, renewable: false, why });
    platform.expect(renewal(userTokens(2)));
    await session.renew();
    const { renewable, why: reason } = await (await open()).status();
    expect([renewable, reason, stored()?.renewalRefusedAt]).toEqual([true, undefined, undefined]);
  });

  it.each([
    ['the page of another server', html(401, '<title>Gate</title>')],
    ['an unknown client', json(401, { error: 'invalid_client' })],
    ['a bare 400', { status: 400 }],
    ['a bare 401', { status: 401 }],
  ])('with %s is not recorded, and a good token stays in use', async (_, answer) => {
    await save(due);
    platform.expect(renewal(answer));
    expect(await bearer()).toBe('access-1');
    await save(expired);
    platform.expect(renewal(answer), renewal(userTokens(2)));
    expect(await failureOf(bearer())).toMatchObject({ kind: 'unauthenticated' });
    expect(await (await open()).status()).toMatchObject({ loggedIn: true, renewable: true });
    expect(await bearer()).toBe('access-2');
  });

  it('is explained by an earlier renewal that was cut off', async () => {
    const cut = ' A renewal was cut off at 2026-05-01T12:00:00.000Z; its response never came.';
    await save(expired);
    platform.expect(renewal(answeredAfter(() => expect(stored()?.renewalSentAt).toBe(noon), { status: 504 })));
    platform.expect(renewal('lost'));
    expect(await failureOf(bearer())).toMatchObject({ kind: 'unavailable' });
    world.clock.time = later;
    platform.expect(renewal({ status: 503 }), renewal(refused));
    expect(await failureOf(bearer())).toMatchObject({ kind: 'unavailable' });
    expect(await failureOf(bearer())).toMatchObject({ message: expect.stringContaining(cut), hint: again });
    expect((await (await open()).status()).why).toContain(cut);
    expect((await failureOf(bearer())).message).toContain(cut);
  });

  it('says that a login cannot be shared if somebody else used its token', async () => {
    await save(expired);
    const words = 'The token has already been redeemed.';
    platform.expect(renewal(json(400, { error: 'invalid_grant', error_description: words })));
    expect(await failureOf(bearer())).toMatchObject({ hint: expect.stringContaining('A login cannot be shared') });
  });

  it('after a lost response ends the login once the access token is refused', async () => {
    await save();
    platform.expect(renewal('lost'), renewal(refused));
    expect(await failureOf((await open()).renew())).toMatchObject({ kind: 'unauthenticated' });
    expect(await (await open()).status()).toMatchObject({ loggedIn: true, renewable: false });
    expect(await (await open()).after401('access-1')).toBeUndefined();
    const { message } = await failureOf(bearer());
    expect(await (await open()).status()).toMatchObject({ loggedIn: false, why: message });
  });
});

describe('a renewal that fails', () => {
  it.each([
    ['503', { status: 503 }],
    ['a web page for a client', html(403, '<p>')],
    ['nothing', { status: 200 }],
    ['404', { status: 404 }],
  ])('with %s leaves a good token in use, and says so once', async (_, answer) => {
    await save(due);
    platform.expect(renewal(answer));
    const session = await open();
    expect(await tokenOf(session)).toBe('access-1');
    expect(await tokenOf(session)).toBe('access-1');
    expect(world.notices.map((line) => line.split('. ').at(-1))).toEqual([
      'The token is not renewed yet, and works until it expires.',
    ]);
  });

  it('is reported as unavailable if the token has expired or was refused', async () => {
    await save({ expiresAt: noon });
    platform.expect(renewal({ status: 503 }), renewal({ status: 503 }));
    expect(await failureOf(bearer())).toMatchObject({ kind: 'unavailable' });
    expect(stored()).toEqual(userLogin(platform.base, { expiresAt: noon }));
    await save();
    expect(await failureOf((await open()).after401('access-1'))).toMatchObject({ kind: 'unavailable' });
  });
});

describe('a renewal in progress', () => {
  it('is finished by an interrupted command, which keeps the new tokens', async () => {
    await save(expired);
    const stopping = new AbortController();
    const interrupt = stopping.signal;
    const stop = () => stopping.abort(new Failure('interrupted', 'Stopped.'));
    platform.expect(renewal(answeredAfter(stop, userTokens(2))));
    const exchange = await realExchange(0, undefined, interrupt);
    expect(await tokenOf(await open({ interrupt, exchange }))).toBe('access-2');
    expect(stored()).toMatchObject({ accessToken: 'access-2', refreshToken: 'refresh-2' });
    expect(world.notices).toEqual(['Finishing the renewal of the login, for up to 5 s.']);
  });

  it('gives way to a logout', async () => {
    await save(expired);
    platform.expect(renewal(answeredAfter(() => world.store.forgetLogin('default'), userTokens(2))));
    expect(await failureOf(bearer())).toEqual(loggedOut);
    expect(stored()).toBeUndefined();
  });

  it.each([
    ['a renewal that succeeds', userTokens(2)],
    ['a renewal that is refused', refused],
  ])('gives way to a new login of the same account: %s', async (_, answer) => {
    await save(expired);
    const other = userLogin(platform.base, { accessToken: 'other-1', refreshToken: 'other-2' });
    platform.expect(renewal(answeredAfter(() => world.store.writeLogin('default', other), answer)));
    expect(await bearer()).toBe('other-1');
    expect(stored()).toEqual(other);
  });

  it.each([
    ['as another account', { account: 'eve@example.com' }, 'tenant acme, as eve@example.com'],
    ['in another tenant', { tenant: 'other' }, 'tenant other, as ada@example.com'],
  ])('gives way to a new login %s, and its command ends', async (_, own, words) => {
    await save(expired);
    const other = userLogin(platform.base, { accessToken: 'eve-1', refreshToken: 'eve-2', ...own });
    platform.expect(renewal(answeredAfter(() => world.store.writeLogin('default', other), userTokens(2))));
    expect((await failureOf(bearer())).message).toBe(
      `Profile default was logged in anew meanwhile: this command began at ${platform.base}, tenant acme, as ada@example.com; now it is ${platform.base}, ${words}.`,
    );
    expect(stored()).toEqual(other);
  });
});

describe('a profile that is renamed while a command runs', () => {
  const said = 'Profile default was renamed to plant meanwhile. This command goes on with it.';

  it('is followed with one notice, and its renewals are stored under the new name', async () => {
    await save();
    const session = await open();
    await tokenOf(session);
    await world.store.renameLogin('default', 'plant');
    for (const count of [2, 3]) {
      world.clock.time += 3 * hours;
      platform.expect(renewal(userTokens(count)));
      expect(await tokenOf(session)).toBe(`access-${count}`);
    }
    expect([stored(), world.store.readLogin('plant')?.accessToken]).toEqual([undefined, 'access-3']);
    expect(world.notices).toEqual([said]);
    expect(await session.status()).toMatchObject({ loggedIn: true, account: 'ada@example.com' });
  });

  it('gives the token that another command has renewed since', async () => {
    await save();
    const session = await open();
    await tokenOf(session);
    await world.store.renameLogin('default', 'plant');
    world.clock.time = later;
    const renewed = { accessToken: 'access-2', refreshToken: 'refresh-2', expiresAt: later + 2 * hours };
    await world.store.changeLogin('plant', (login) => login && { ...login, ...renewed });
    expect(await tokenOf(session)).toBe('access-2');
    expect(platform.received).toEqual([]);
  });

  it('is followed while the command waits for its lock', async () => {
    await save();
    const session = await open();
    await tokenOf(session);
    world.clock.time = later;
    let renewing = Promise.resolve('');
    await world.store.withLock(
      'default',
      async () => {
        renewing = tokenOf(session);
        await world.store.renameLogin('default', 'plant');
      },
      { wait: 0 },
    );
    platform.expect(renewal(userTokens(2)));
    expect(await renewing).toBe('access-2');
    expect(world.notices).toContain(said);
  });

  it.each([
    ['new name if another', { account: 'eve@example.com' }, 'plant'],
    ['old name if the same', {}, 'default'],
  ])('is renewed under its %s account took the old one', async (_, own, name) => {
    await save();
    const session = await open();
    await tokenOf(session);
    await world.store.renameLogin('default', 'plant');
    await save({ ...own, accessToken: 'other-1' });
    world.clock.time = later;
    platform.expect(renewal(userTokens(2)));
    expect(await tokenOf(session)).toBe('access-2');
    expect(world.store.readLogin(name)?.accessToken).toBe('access-2');
  });
});

it.each([
  ['is logged out', undefined],
  ['was renamed earlier and is logged out', { renamedFrom: 'default', renamedAt: noon - 1 }],
])('a command ends when its profile %s, and still knows the account', async (_, other) => {
  await save();
  if (other) await world.store.writeLogin('plant', userLogin(platform.base, other));
  const session = await open();
  await tokenOf(session);
  await world.store.forgetLogin('default');
  world.clock.time = later;
  expect(await failureOf(session.bearer())).toEqual(loggedOut);
  expect(await session.status()).toMatchObject({ loggedIn: false, account: 'ada@example.com', flow: 'user' });
});

// A folder that everybody may write to takes no secrets.
const spoil = () => chmodSync(world.folder, 0o777);

it('a command goes on with a token that cannot be saved, and renews it once it can', async () => {
  await save(expired);
  const session = await open();
  platform.expect(renewal(answeredAfter(spoil, userTokens(2))));
  expect(await tokenOf(session)).toBe('access-2');
  expect(await tokenOf(session)).toBe('access-2');
  world.clock.time = later;
  await expect(tokenOf(session)).rejects.toMatchObject({ kind: 'io', message: expect.stringMatching(notRenewed) });
  const said = world.notices.filter((line) => line.startsWith('The new token could not be saved'));
  expect(said).toEqual([
    expect.stringMatching(/^The new token could not be saved, and works for this command only\. /),
  ]);
  chmodSync(world.folder, 0o700);
  platform.expect(renewal(userTokens(3)));
  await session.renew();
  expect(stored()).toMatchObject({ accessToken: 'access-3', refreshToken: 'refresh-3' });
  const sent = platform.received.map(({ body }) => body);
  expect(sent).toEqual(['{"refreshToken":"refresh-1"}', '{"refreshToken":"refresh-2"}']);
});

const notRenewed = /^The login was not renewed, because the new token could not be saved\. /;

describe('where a new token cannot be saved', () => {
  it('a working token is not renewed, and one notice says so', async () => {
    await save(due);
    spoil();
    const session = await open();
    expect(await tokenOf(session)).toBe('access-1');
    expect(await tokenOf(session)).toBe('access-1');
    const said = world.notices.filter((line) => line.endsWith('The token is not renewed, and works until it expires.'));
    expect([said.length, platform.received.length]).toEqual([1, 0]);
  });

  it('a renewal on request fails and sends nothing', async () => {
    await save();
    spoil();
    const message = expect.stringContaining('The login was not renewed, because the new token could not be saved.');
    expect(await failureOf((await open()).renew())).toMatchObject({ kind: 'io', message });
    expect(platform.received).toEqual([]);
  });

  it('a requested renewal says that it was not saved if saving fails after the response', async () => {
    await save();
    platform.expect(renewal(answeredAfter(spoil, userTokens(2))));
    const message = expect.stringContaining('The login was renewed, but could not be saved.');
    expect(await failureOf((await open()).renew())).toMatchObject({ kind: 'io', message });
  });

  it('an expired token is not renewed, so that its refresh token is not used up', async () => {
    await save(expired);
    spoil();
    await expect(bearer()).rejects.toMatchObject({ kind: 'io', message: expect.stringMatching(notRenewed) });
    expect(platform.received).toEqual([]);
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
  const againAsMachine = expect.stringMatching(/: iiot login m2m$/);

  it('asks for its token once, and again when it is refused', async () => {
    await world.store.writeLogin('default', login());
    platform.expect({ ...inFolder, answer: machineTokens(1, 3600) }, { ...inFolder, answer: machineTokens(2) });
    const session = await world.session({ base: `${platform.base}/iot` });
    expect(await Promise.all([session, session].map(tokenOf))).toEqual(['machine-1', 'machine-1']);
    expect(stored()).toEqual(login({ accessToken: 'machine-1', issuedAt: noon, expiresAt: noon + hours }));
    expect(await session.after401('machine-1')).toBe('machine-2');
    expect(stored()).toEqual(login({ accessToken: 'machine-2', issuedAt: noon }));
  });

  it('works without its secret until its token is refused', async () => {
    await world.store.writeLogin('default', login({ clientSecret: '', accessToken: 'machine-1' }));
    const session = await world.session({ base: `${platform.base}/iot` });
    expect(await tokenOf(session)).toBe('machine-1');
    expect(await session.after401('machine-1')).toBeUndefined();
    const message = expect.stringContaining('no client secret');
    expect(await failureOf(session.renew())).toEqual(loggedOutBy(message, againAsMachine));
  });
});

describe('a wrong clock', () => {
  it('that is an hour off changes nothing for a login made with it', async () => {
    for (const skew of [-hours, hours]) {
      world.clock.time = noon + skew;
      await save({ issuedAt: noon + skew, expiresAt: noon + skew + 2 * hours });
      expect(await bearer()).toBe('access-1');
    }
  });

  it('that jumps ahead costs one renewal', async () => {
    await save();
    const session = await open();
    await session.bearer();
    world.clock.time = noon + 24 * 365 * hours;
    platform.expect(renewal(userTokens(2)));
    for (let count = 0; count < 5; count += 1) expect(await tokenOf(session)).toBe('access-2');
  });

  it('that jumps back to 1970 costs no renewal', async () => {
    await save();
    world.clock.time = 0;
    expect(await bearer()).toBe('access-1');
  });
});
