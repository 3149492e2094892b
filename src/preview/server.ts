import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileNames, readFolder, readTemplateFile } from '../working-copy/folder.ts';
import type { FrontMatter } from '../working-copy/front-matter.ts';
import { framePage } from './frame.ts';
import { previewPage } from './page.ts';
import { readRenderRequest } from './render-request.ts';
import { listedTemplates, renderTemplate } from './rendering.ts';
import { refuse, send, sendJson } from './send.ts';
import { type Watch, watchFolder } from './watch.ts';

type PreviewOptions = {
  readonly dir: string;
  readonly frontMatter: FrontMatter;
  /** Initial values of the page's fields. */
  readonly values: ReadonlyMap<string, string>;
  /** 0 for any free port. */
  readonly port: number;
};

export type PreviewServer = { readonly url: string; readonly close: () => Promise<void> };

type PreviewState = PreviewOptions & { readonly watch: Watch; readonly frames: Map<string, string> };

/** Serves the page of a folder to this machine only. Rejects with the system's error if the port is not available. */
export async function startPreview(options: PreviewOptions): Promise<PreviewServer> {
  const state = { ...options, watch: watchFolder(options.dir), frames: new Map<string, string>() };
  const server = createServer((request, response) => {
    respond(request, response, state, port()).catch(() => refuse(response, 500));
  });
  const port = () => (server.address() as AddressInfo).port; // listens on a port, not on a pipe
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${port()}/`,
    async close() {
      state.watch.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  state: PreviewState,
  port: number,
): Promise<void> {
  const { method, url = '/' } = request;
  if (!isOurs(request, port)) return refuse(response, 403);
  if (method === 'GET' && url === '/') return sendPage(response, state);
  if (method === 'GET' && url === '/templates')
    return sendJson(response, listedTemplates(readFolder(state.dir, state.frontMatter) ?? []));
  if (method === 'GET' && url === '/changes') return state.watch.subscribe(response);
  if (method === 'GET' && url.startsWith('/frame/')) return sendFrame(response, state.frames.get(url.slice(7)));
  if (method === 'POST' && url === '/render') return sendRendered(request, response, state);
  refuse(response, 404);
}

/**
 * Rejects foreign pages: one with a host name that resolves to this machine sends its own name as Host, and one that posts here sends its own Origin.
 */
function isOurs({ headers }: IncomingMessage, port: number): boolean {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!hosts.includes(headers.host ?? '')) return false;
  if (headers.origin !== undefined && !hosts.some((host) => headers.origin === `http://${host}`)) return false;
  return !['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']));
}

function sendPage(response: ServerResponse, { dir, values }: PreviewState): void {
  const nonce = randomBytes(16).toString('base64url');
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  send(response, 'text/html; charset=utf-8', previewPage(dir, values, nonce), policy);
}

async function sendRendered(request: IncomingMessage, response: ServerResponse, state: PreviewState): Promise<void> {
  const wanted = await readRenderRequest(request);
  if (!wanted) return refuse(response, 400);
  // The name of a file could be a path, so only names from the folder are accepted.
  if (!fileNames(state.dir)?.includes(wanted.file)) return refuse(response, 404);
  const template = renderTemplate(readTemplateFile(state.dir, wanted.file, state.frontMatter), wanted.values);
  const frame = randomBytes(16).toString('base64url');
  state.frames.set(frame, framePage(template.kind, template.content));
  // The oldest frames, which no page shows any more.
  for (const old of [...state.frames.keys()].slice(0, -mostFrames)) state.frames.delete(old);
  sendJson(response, { ...template, frame: `/frame/${frame}` });
}

const mostFrames = 20;

/** Sends a rendered template: no script, no network, no form, and a separate origin. */
function sendFrame(response: ServerResponse, html: string | undefined): void {
  if (html === undefined) {
    refuse(response, 404);
    return;
  }
  const policy = [
    'sandbox',
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ];
  send(response, 'text/html; charset=utf-8', html, policy);
}
