/** The embedded platform behind a server of the test, which can delay, drop or change responses. */

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EmbeddedPlatform } from '../../src/sandbox/handler.ts';
import { createPlatform, type PlatformOptions } from '../../src/sandbox/platform.ts';
import { platformFetch } from './platform-fetch.ts';

/** The request that is passed on. */
type Passing = { readonly method: string; readonly path: string; readonly body: string };

export type Front = {
  /** http://127.0.0.1:port */
  readonly url: string;
  readonly platform: EmbeddedPlatform;
  readonly requests: readonly Passing[];
  /** Called before the platform; a response from here replaces the platform's. */
  before: (request: Passing) => Promise<Response | undefined> | Response | undefined;
  /** Called before the platform's response is sent. */
  after: (request: Passing, answer: Response) => Promise<void> | void;
  close(): Promise<void>;
};

export async function openFront(options: Partial<PlatformOptions> = {}): Promise<Front> {
  const platform = createPlatform({ now: Date.now, ...options });
  const requests: Passing[] = [];
  const server = createServer(async (message, response) => {
    const { method = '', url = '', headers } = message;
    const request = { method, path: url, body: Buffer.concat(await message.toArray()).toString() };
    requests.push(request);
    const own = await front.before(request);
    const init = { method, headers: headers as Record<string, string>, ...(request.body && { body: request.body }) }; // no header comes twice here
    const answer = own ?? (await platformFetch(platform, new Request(new URL(url, front.url), init)));
    if (!own) await front.after(request, answer);
    await send(answer, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a server that listens has one
  const front: Front = {
    url: `http://127.0.0.1:${port}`,
    platform,
    requests,
    before: () => undefined,
    after: () => undefined,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return front;
}

async function send(answer: Response, response: ServerResponse): Promise<void> {
  const cookies = answer.headers.getSetCookie();
  for (const [name, value] of answer.headers) if (name !== 'set-cookie') response.setHeader(name, value);
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
  response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
}
