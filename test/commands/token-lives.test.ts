/** How long a token is used, whatever its answer says of its life. */
import { beforeEach, expect, it } from 'vitest';
import { personForEach } from '../support/fixtures.ts';

const hour = 3_600_000;
const noon = Date.UTC(2026, 0, 1, 12);
const users = { totalCount: 1, items: [{ userId: 'u1', name: 'Ada', orgRole: 'admin' }] };
/** What the platform answers to who asks for a token, and how often it was asked. */
let token: object;
let asked: number;
beforeEach(() => {
  asked = 0;
});

const someone = personForEach({
  async fetch(url) {
    if (!url.includes('/connect/token')) return Response.json(users);
    asked += 1;
    return Response.json(token);
  },
  env: { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined },
});

const jwt = (claims: object) =>
  [{ alg: 'none' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
    .concat('.');
const inAnHour = '2026-01-01T13';
const endOfTime = '9999-12-31T23';

it.each<[string, object, string | undefined]>([
  ['for 3600 seconds', { access_token: 'opaque', expires_in: 3600 }, inAnHour],
  ['for "3600"', { access_token: 'opaque', expires_in: '3600' }, inAnHour],
  ['for 1e12', { access_token: 'opaque', expires_in: 1e12 }, endOfTime],
  ['for 0', { access_token: 'opaque', expires_in: 0 }, undefined],
  ['for -5', { access_token: 'opaque', expires_in: -5 }, undefined],
  ['for "NaN"', { access_token: 'opaque', expires_in: 'NaN' }, undefined],
  ['for null', { access_token: 'opaque', expires_in: null }, undefined],
  ['that does not say', { access_token: 'opaque' }, undefined],
  ['that is a JWT', { access_token: jwt({ exp: (noon + hour) / 1000 }) }, inAnHour],
  ['that is a JWT of milliseconds', { access_token: jwt({ exp: noon + hour }) }, inAnHour],
  ['that is a JWT for ages', { access_token: jwt({ exp: 9e15 }) }, endOfTime],
  ['that is a JWT without exp', { access_token: jwt({ sub: 'robot' }) }, undefined],
  ['that is a JWT of the past', { access_token: jwt({ exp: 1 }) }, undefined],
  ['whose claims are unreadable', { access_token: 'a.!!!.c' }, undefined],
  ['that says both', { access_token: jwt({ exp: noon / 1000 + 9e6 }), expires_in: 3600 }, inAnHour],
])('a token %s is used until it ends or is refused', async (_, answer, until) => {
  token = answer;
  const logIn = ['login', 'm2m', '--client-id', 'robot', '--client-secret-stdin', '-o', 'json'];
  const { expiresAt } = JSON.parse((await someone.iiot(logIn, { stdin: 'secret-1' })).stdout);
  expect(typeof expiresAt === 'string' ? expiresAt.slice(0, 13) : undefined).toBe(until);
  const list = ['orgs', 'users', 'list', '-o', 'id'];
  expect(await someone.iiot(list)).toEqual({ stdout: 'u1\n', stderr: '', exit: 0 });
  expect(asked).toBe(1);
});
