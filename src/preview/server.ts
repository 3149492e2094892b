import { createHash, randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type LocalServer, serveLocally } from '../web/serve.ts';
import { kindOf } from '../working-copy/file-name.ts';
import { isGood, readFileNames, readFolder, readTemplateFile, type TemplateFile } from '../working-copy/folder.ts';
import { describeOddBraces, fillTemplate } from '../working-copy/variables.ts';
import { framePage } from './frame.ts';
import { previewPage } from './page.ts';

export type PreviewOptions = {
  readonly dir: string;
  /** Initial values of the page's fields. */
  readonly values: ReadonlyMap<string, string>;
  /** 0 for any free port. */
  readonly port: number;
};

/**
 * Serves the page of a folder. Its path is secret, because every user of this machine and every page in a browser can reach the port.
 * Rejects with the system's error if the port is not available.
 */
export async function startPreview(options: PreviewOptions): Promise<LocalServer> {
  const home = `/${randomBytes(16).toString('base64url')}/`;
  const server = await serveLocally(options.port, async (request) => {
    const { pathname, origin } = new URL(request.url);
    if (!pathname.startsWith(home) || isForeign(request.headers, origin)) return refusal(403);
    return respond(request, pathname.slice(home.length), options).catch(() => refusal(500));
  });
  return { ...server, url: server.url + home };
}

/** Whether the headers that browsers add say that another page makes the request. */
function isForeign(headers: Headers, own: string): boolean {
  const site = headers.get('sec-fetch-site') ?? 'none';
  return (headers.get('origin') ?? own) !== own || !['none', 'same-origin'].includes(site);
}

async function respond(request: Request, name: string, { dir, values }: PreviewOptions) {
  switch (`${request.method} ${name}`) {
    case 'GET ':
      return pageResponse(dir, values);
    case 'GET templates': {
      const etag = folderState(dir);
      if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304 });
      return jsonResponse(((await readFolder(dir)) ?? []).filter(({ template }) => template).map(fileEntry), { etag });
    }
    case 'POST render':
      return renderFile(Object(await request.json()), dir);
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
  return new Response(previewPage(dir, values, nonce), { headers: { ...commonHeaders, ...headers } });
}

/** An ETag that changes when a file of the folder does. */
function folderState(dir: string): string {
  const stamps = (readFileNames(dir) ?? []).map((name) => {
    const status = statSync(join(dir, name), { throwIfNoEntry: false });
    return `${name} ${status && `${status.mtimeMs} ${status.size} ${status.ino}`}`;
  });
  return `"${createHash('sha256').update(stamps.join('\n')).digest('base64url')}"`;
}

/** A file as the page shows it in its list. */
function fileEntry({ name, template }: TemplateFile) {
  if (template === undefined || 'wrong' in template)
    return { file: name, title: name, wrong: template?.wrong ?? 'it has no front matter' };
  return { file: name, title: String(template.fields.get('name') ?? template.templateId), wrong: null };
}

async function renderFile({ file, values }: { file?: unknown; values?: unknown }, dir: string) {
  // The name of a file could be a path, so only names from the folder are accepted.
  const name = readFileNames(dir)?.find((each) => each === file);
  if (name === undefined) return refusal(404);
  const read = await readTemplateFile(dir, name);
  const template = isGood(read) ? read.template : { templateId: '', fields: new Map(), content: '' };
  // An empty field counts as no value.
  const filledIn = Object.entries(Object(values)).flatMap(([key, value]) =>
    value ? [[key, String(value)] as const] : [],
  );
  const { content, subject, variables, notUnderstood } = fillTemplate(template, new Map(filledIn));
  return jsonResponse({
    ...fileEntry(read),
    subject,
    variables,
    notUnderstood: notUnderstood.map(describeOddBraces),
    // The template decides its kind, not its values, which may look like a tag.
    frame: await framePage(kindOf(template.content), content),
  });
}

function jsonResponse(value: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json(value, { headers: { ...commonHeaders, ...headers } });
}

/** The browser must not cache the response, guess its type, tell its address, or give it to another page. */
const commonHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

function refusal(status: 403 | 404 | 500): Response {
  return new Response(null, { status });
}
