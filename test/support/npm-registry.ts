/** An npm registry on this machine: it takes what `npm publish` sends, and gives it to `npm install`. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Published = {
  readonly name: string;
  readonly versions: Readonly<Record<string, { readonly dist: { tarball: string; readonly integrity: string } }>>;
  readonly 'dist-tags': Readonly<Record<string, string>>;
  readonly _attachments: Readonly<Record<string, { readonly data: string }>>;
};

export type Registry = {
  readonly address: string;
  /** Who has published what, in the order of the requests. */
  readonly published: readonly { readonly token: string | undefined; readonly document: Published }[];
  close(): Promise<void>;
};

export async function startRegistry(): Promise<Registry> {
  const published: { token: string | undefined; document: Published }[] = [];
  const packages = new Map<string, Published>();
  const tarballs = new Map<string, Buffer>();
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url ?? '').replace(/\?.*/, '');
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.method === 'PUT') {
      const document = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Published;
      published.push({ token: request.headers.authorization, document });
      for (const [name, { data }] of Object.entries(document._attachments))
        tarballs.set(`${path}/-/${name}`, Buffer.from(data, 'base64'));
      const before = packages.get(path);
      packages.set(path, {
        ...document,
        versions: { ...before?.versions, ...document.versions },
        'dist-tags': { ...before?.['dist-tags'], ...document['dist-tags'] },
      });
      return send(201, { ok: true });
    }
    const tarball = tarballs.get(path);
    if (tarball) return response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(tarball);
    const found = packages.get(path);
    return found ? send(200, { ...found, _attachments: undefined }) : send(404, { error: 'not found' });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    published,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
