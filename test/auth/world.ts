import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSession } from '../../src/auth/open-session.ts';
import type { Session, SessionParts } from '../../src/auth/session.ts';
import type { Login } from '../../src/store/credentials.ts';
import { openStore } from '../../src/store/store.ts';
import { realExchange } from '../support/exchange.ts';
import { madeForEach } from '../support/fixtures.ts';
import { type Expected, json, type Reply, type Scripted, scriptedPlatform } from '../support/scripted.ts';

/** Epoch milliseconds of the clock below until a test moves it. */
export const noon = Date.parse('2026-05-01T12:00:00Z');

/** A machine of its own: a clock, a fresh folder for the store, and what the person was told. */
export function freshWorld(folder = mkdtempSync(join(tmpdir(), 'auth-'))) {
  const clock = { time: noon };
  const notices: string[] = [];
  const secrets = new Set<string>();
  const store = openStore({
    env: { IIOT_CONFIG_DIR: folder },
    platform: process.platform,
    homedir: () => folder,
    now: () => clock.time,
    warn: (line) => void notices.push(line),
    uid: process.getuid?.(),
  });
  return {
    clock,
    notices,
    secrets,
    store,
    folder,
    /** A new process, as it were: a session that knows only what is on disk. */
    session: async ({ base }: Pick<Scripted, 'base'>, changed: Partial<SessionParts> = {}) =>
      openSession({
        settings: { base, profile: 'default' },
        env: {},
        store,
        exchange: await realExchange(),
        now: () => clock.time,
        sleep: () => Promise.resolve(),
        notice: (line) => void notices.push(line),
        remember: (secret) => void secrets.add(secret),
        ...changed,
      }),
    leave: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** For each test a world and a platform, where the person of `save` is logged in, and the credential of `client` is known. */
export function worldForEach() {
  const platform = madeForEach(scriptedPlatform);
  const world = madeForEach(() => freshWorld());
  const open = (changed: Partial<SessionParts> = {}) => world.session(platform, changed);
  return {
    platform,
    world,
    open,
    save: (changed: Partial<Login> = {}) => world.store.writeLogin('default', userLogin(platform.base, changed)),
    stored: () => world.store.readLogin('default'),
    /** The token of a new process. */
    bearer: async (env: SessionParts['env'] = {}) => tokenOf(await open({ env })),
  };
}

export async function tokenOf(session: Session): Promise<string> {
  return (await session.bearer()).token;
}

/** A failure of a login, and what to do. */
export function loggedOutBy(message: string, hint: string) {
  return { kind: 'unauthenticated', message, hint };
}

/** An answer before which something else happens. */
export function answeredAfter(work: () => unknown, reply: Reply) {
  return async () => {
    await work();
    return reply;
  };
}

/** A person's login: two hours long, begun now. */
export function userLogin(base: string, changed: Partial<Login> = {}): Login {
  return {
    flow: 'user',
    origin: new URL(base).origin,
    base,
    tenant: 'acme',
    app: 'console',
    account: 'ada@example.com',
    accessToken: 'access-1',
    refreshToken: 'refresh-1',
    issuedAt: noon,
    expiresAt: noon + 7_200_000,
    ...changed,
  };
}

/** The request that renews a person's login, and an answer. */
export function renewal(answer: Expected['answer']) {
  return { method: 'POST', path: '/acme/console/api/v1/auth/tokens?grant_type=refresh_token', answer } as const;
}

/** The request for a machine's token, and an answer. */
export function machine(answer: Expected['answer']) {
  return { method: 'POST', path: '/identity/connect/token', answer } as const;
}

export function userTokens(count: number): Reply {
  return json(200, {
    accessToken: `access-${count}`,
    refreshToken: `refresh-${count}`,
    expiresIn: 7200,
    tokenType: 'Bearer',
  });
}

export function machineTokens(count: number, expiresIn?: number): Reply {
  return json(200, { access_token: `machine-${count}`, token_type: 'Bearer', expires_in: expiresIn });
}
