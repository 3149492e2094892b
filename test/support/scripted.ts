import type { IncomingMessage, ServerResponse } from 'node:http';
import { listening } from './listening.ts';

/** A request as it was received. */
export type Received = {
  readonly method: string;
  /** As in the request line: percent-encoded, including the query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};

export type Reply = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
};

/** The request that must come next, and its response. 'lost': the connection ends without a response. */
export type Expected = {
  readonly method: string;
  readonly path: string;
  readonly answer: Reply | 'lost' | ((request: Received) => Reply | Promise<Reply>);
};

export type Scripted = Awaited<ReturnType<typeof scriptedPlatform>>;

/** A platform on loopback that follows a script: it answers each request in its turn, and no other. */
export async function scriptedPlatform() {
  const script: Expected[] = [];
  const received: Received[] = [];
  const complaints: string[] = [];
  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await read(message);
    received.push(request);
    const step = script.shift();
    if (step?.method !== request.method || step.path !== request.path) {
      const expected = step ? `${step.method} ${step.path}` : 'nothing';
      complaints.push(`expected ${expected}, and ${request.method} ${request.path} came`);
      response.writeHead(501).end();
      return;
    }
    if (step.answer === 'lost') {
      response.destroy();
      return;
    }
    const reply = typeof step.answer === 'function' ? await step.answer(request) : step.answer;
    for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
    response.writeHead(reply.status).end(reply.body);
  }

  const server = await listening(
    (message, response) =>
      void answer(message, response).catch((error: unknown) => {
        complaints.push(String(error));
        response.destroy();
      }),
    // A login sends back the cookies that it got, and node reads 16 KiB of headers unless told otherwise.
    { maxHeaderSize: 131_072 },
  );
  return {
    base: server.url,
    received: received as readonly Received[],
    expect: (...steps: readonly Expected[]) => void script.push(...steps),
    /** Closes the platform. Throws if an unexpected request came, or an expected one did not. */
    async done() {
      await server.close();
      complaints.push(...script.map(({ method, path }) => `${method} ${path} never came`));
      if (complaints.length > 0) throw new Error(complaints.join('\n'));
    },
  };
}

async function read(message: IncomingMessage): Promise<Received> {
  const { method = '', url = '', headers } = message;
  return { method, path: url, headers, body: Buffer.concat(await message.toArray()).toString() };
}

export function json(status: number, value: unknown, headers: Reply['headers'] = {}): Reply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

export function html(status: number, body: string, headers: Reply['headers'] = {}): Reply {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8', ...headers }, body };
}
