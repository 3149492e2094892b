import type { Session } from '../auth/session.ts';
import type { Operation } from '../contract/operation.ts';
import { target, type WireRequest } from '../contract/wire.ts';
import { Failure } from '../failure.ts';
import type { Exchange } from '../fetch.ts';
import { follow } from './redirect.ts';
import { type Reply, readReply } from './reply.ts';

export type { Reply } from './reply.ts';

export type Platform = {
  /** The base URL without a slash at its end. */
  readonly base: string;
  /**
   * Calls one operation with this tool's login.
   * @throws Failure for everything that is not a 2xx with a readable body
   */
  send(operation: Operation, request: WireRequest, extra?: SendExtra): Promise<Reply>;
};

export type SendExtra = {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** An answer that says it is a text and no JSON is given as that text. */
  readonly anyText?: boolean;
};

export type PlatformParts = {
  readonly base: string;
  readonly exchange: Exchange;
  readonly session: Pick<Session, 'bearer' | 'after401'>;
};

export function openPlatform({ base, exchange, session }: PlatformParts): Platform {
  const send: Platform['send'] = async (operation, request, { headers = {}, anyText = false } = {}) => {
    const { token, from, remedy } = await session.bearer();
    const ask = (bearer: string) =>
      follow(exchange, {
        method: request.method,
        url: base + target(request),
        headers: { ...headers, authorization: `Bearer ${bearer}` },
        credential: from,
        ...(request.body && { body: request.body }),
        ...(operation.repeat && { repeat: operation.repeat }),
      });
    const first = await ask(token);
    // "A 401 with a token that can be renewed is renewed once and repeated once": it also means that nothing was done.
    const fresh = first.status === 401 ? await session.after401(token) : undefined;
    const last = fresh === undefined ? first : await ask(fresh);
    return readReply(operation, request, last, anyText).catch((error: unknown) => {
      const isRefused = error instanceof Failure && error.kind === 'unauthenticated';
      throw isRefused && remedy ? error.with({ hint: remedy() }) : error;
    });
  };
  return { base, send };
}
