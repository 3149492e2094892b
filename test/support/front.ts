/** A sandbox whose responses a test can delay, drop or change. */
import type { SandboxOutcome } from '../../src/sandbox/outcome.ts';
import { startServer } from '../../src/sandbox/server.ts';

type Passing = { readonly method: string; readonly path: string; readonly body: string };

export type Front = Awaited<ReturnType<typeof openFront>>;

export async function openFront() {
  const { url, platform, close } = await startServer();
  const { respond } = platform;
  const requests: Passing[] = [];
  const front = {
    url,
    platform,
    requests: requests as readonly Passing[],
    /** Called before the platform; a response from here replaces the platform's. */
    before: (_: Passing): Promise<Response | undefined> | Response | undefined => undefined,
    /** Called before the platform's response is sent. */
    after: (_: Passing, _answer: Response): Promise<void> | void => undefined,
    close,
  };
  platform.respond = async (request): Promise<SandboxOutcome> => {
    const { pathname, search } = new URL(request.url);
    const passing = { method: request.method, path: pathname + search, body: await request.clone().text() };
    requests.push(passing);
    const own = await front.before(passing);
    if (own) return own;
    const answer = await respond(request);
    if (answer instanceof Response) await front.after(passing, answer);
    return answer;
  };
  return front;
}
