import { randomBytes } from 'node:crypto';
import { type LocalServer, serveLocally } from '../web/serve.ts';
import { fileNames, readFolder, readTemplateFile } from '../working-copy/folder.ts';
import type { FrontMatter } from '../working-copy/front-matter.ts';
import { folderState } from './folder-state.ts';
import { framePage } from './frame.ts';
import { previewPage } from './page.ts';
import { listedTemplates, renderTemplate } from './rendering.ts';

type PreviewOptions = {
  readonly dir: string;
  readonly frontMatter: FrontMatter;
  /** Initial values of the page's fields. */
  readonly values: ReadonlyMap<string, string>;
  /** 0 for any free port. */
  readonly port: number;
};

/**
 * Serves the page of a folder to whoever knows its address: the path is a secret, because every user of this machine can reach the port, and
 * every page in a browser. Rejects with the system's error if the port is not available.
 */
export async function startPreview(options: PreviewOptions): Promise<LocalServer> {
  const home = `/${randomBytes(16).toString('base64url')}/`;
  const server = await serveLocally(options.port, async (request) => {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith(home)) return refusal(403);
    return respond(request, pathname.slice(home.length), options).catch(() => refusal(500));
  });
  return { ...server, url: server.url + home };
}

async function respond(request: Request, name: string, { dir, frontMatter, values }: PreviewOptions) {
  switch (`${request.method} ${name}`) {
    case 'GET ':
      return pageResponse(dir, values);
    case 'GET templates': {
      const etag = folderState(dir);
      if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304 });
      return jsonResponse(listedTemplates((await readFolder(dir, frontMatter)) ?? []), { etag });
    }
    case 'POST render':
      return renderedResponse(Object(await request.json()), dir, frontMatter);
    default:
      return refusal(404);
  }
}

function pageResponse(dir: string, values: ReadonlyMap<string, string>): Response {
  const nonce = randomBytes(16).toString('base64url');
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy.join('; ') };
  return new Response(previewPage(dir, values, nonce), { headers: { ...careful, ...headers } });
}

async function renderedResponse(
  { file, values }: { file?: unknown; values?: unknown },
  dir: string,
  reader: FrontMatter,
) {
  // The name of a file could be a path, so only names from the folder are accepted.
  const name = fileNames(dir)?.find((each) => each === file);
  if (name === undefined) return refusal(404);
  // An empty field counts as no value.
  const given = Object.entries(Object(values)).flatMap(([key, value]) =>
    value ? [[key, String(value)] as const] : [],
  );
  const { kind, content, ...rest } = renderTemplate(readTemplateFile(dir, name, reader), new Map(given));
  return jsonResponse({ ...rest, frame: await framePage(kind, content) });
}

function jsonResponse(value: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json(value, { headers: { ...careful, ...headers } });
}

/** The browser must not cache the response, guess its type, tell its address, or give it to another page. */
const careful = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

function refusal(status: 403 | 404 | 500): Response {
  return new Response(null, { status });
}
