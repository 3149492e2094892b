/** A platform that rotates refresh tokens and detects their reuse: whoever shows one twice has the whole login revoked. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export const org = '11111111-1111-4111-8111-111111111111';

/** The words of a call, and how it ends when all is well. */
export const call = ['orgs', 'users', 'list', '--org', org, '-o', 'id'];
export const good = { stdout: 'user-1\n', stderr: '', exit: 0 } as const;

/** Where a request for tokens is: nothing done yet, done and not told, told. */
export type Moment = 'asked' | 'granted' | 'answered';

export type RotatingPlatform = {
  /** http://127.0.0.1:port */
  readonly base: string;
  /** The refresh tokens that were shown, in their order. */
  readonly renewals: readonly string[];
  /** How many machine tokens were asked for. */
  readonly machines: () => number;
  readonly revoked: () => boolean;
  /** Is told of each moment; at `false` the connection ends there. */
  watch(watcher: (moment: Moment) => boolean): void;
  /** Answers the first request for tokens when `until` is over; calls `asked` when it has come. */
  hold(until: Promise<void>, asked: () => void): void;
  close(): Promise<void>;
};

/**
 * Begins with the tokens access-0 (refused) and refresh-0. `lenient`: the token before the last may be shown again, as platforms allow for
 * half a minute because an answer may be lost.
 */
export async function rotatingPlatform({ lenient = false } = {}): Promise<RotatingPlatform> {
  const renewals: string[] = [];
  const [good, spent] = [new Set(['refresh-0']), new Set<string>()];
  const bearers = new Set<string>();
  let [given, machines, revoked] = [0, 0, false];
  let watcher: (moment: Moment) => boolean = () => true;
  let [held, asked] = [Promise.resolve(), () => {}];

  function renew(shown: string): object | undefined {
    renewals.push(shown);
    if (!good.has(shown) && !(lenient && spent.has(shown))) revoked ||= spent.has(shown);
    if (revoked || !(good.has(shown) || spent.has(shown))) return undefined;
    spent.clear();
    spent.add(shown);
    good.delete(shown);
    given += 1;
    good.add(`refresh-${given}`);
    bearers.add(`access-${given}`);
    return { accessToken: `access-${given}`, refreshToken: `refresh-${given}`, expiresIn: 7200, tokenType: 'Bearer' };
  }

  function machine(): object {
    machines += 1;
    bearers.add(`machine-${machines}`);
    return { access_token: `machine-${machines}`, token_type: 'Bearer', expires_in: 3600 };
  }

  async function grant(response: ServerResponse, act: () => object | undefined): Promise<void> {
    if (!watcher('asked')) return void response.destroy();
    const tokens = act();
    asked();
    await sleep(50); // the others come meanwhile
    await held;
    if (!watcher('granted')) return void response.destroy();
    answer(response, tokens ? 200 : 400, tokens ?? { error: 'invalid_grant' });
    watcher('answered');
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    const wanted = `${request.method} ${request.url}`;
    if (wanted === 'POST /acme/console/api/v1/auth/tokens?grant_type=refresh_token') {
      return grant(response, () => renew(JSON.parse(body).refreshToken));
    }
    if (wanted === 'POST /identity/connect/token') {
      const known = body === 'grant_type=client_credentials&client_id=robot&client_secret=robot-secret';
      return known ? grant(response, machine) : answer(response, 400, { error: 'invalid_client' });
    }
    const bearer = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    if (revoked || !bearers.has(bearer)) return answer(response, 401, {});
    answer(response, 200, { items: [{ userId: 'user-1', name: 'Ada', orgRole: 'admin' }], totalCount: 1 });
  }

  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 1024, resolve));
  const { port } = server.address() as AddressInfo; // a TCP server that listens has one
  return {
    base: `http://127.0.0.1:${port}`,
    renewals,
    machines: () => machines,
    revoked: () => revoked,
    watch(next) {
      watcher = next;
    },
    hold(until, told) {
      [held, asked] = [until, told];
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
