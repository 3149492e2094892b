import type { IncomingMessage } from 'node:http';

/** The file that a page asks for, with values for its variables. */
type RenderRequest = { readonly file: string; readonly values: ReadonlyMap<string, string> };

/** Parses it from a request; undefined if it is something else. */
export async function readRenderRequest(request: IncomingMessage): Promise<RenderRequest | undefined> {
  return parseRenderRequest(await bodyOf(request));
}

/** Values and a name need far less than this. */
const largestBody = 1024 * 1024;

async function bodyOf(request: IncomingMessage): Promise<string> {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) return '';
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largestBody) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseRenderRequest(text: string): RenderRequest | undefined {
  try {
    const { file, values } = Object(JSON.parse(text)) as { file?: unknown; values?: unknown }; // checked below
    if (typeof file !== 'string') return undefined;
    const given = Object.entries(Object(values)).filter(
      (each): each is [string, string] => typeof each[1] === 'string',
    );
    // An empty field counts as no value.
    return { file, values: new Map(given.filter(([, value]) => value !== '')) };
  } catch {
    return undefined;
  }
}
