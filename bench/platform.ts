/** A server that answers at once, so that only the program that sends requests is measured. */
import { spawn } from 'node:child_process';

export const org = '0b0f1a9e-5c7d-4e21-9a3b-6f1d2c3b4a50';
/** Has 100,000 users, and every other organization 20. */
export const largeOrg = '1a12e1a0-5c7d-4e21-9a3b-6f1d2c3b4a50';

const program = `
const user = (at) => ({ userId: 'user_' + at, name: 'Person ' + at, orgRole: at % 9 ? 'viewer' : 'admin' });
const pages = new Map();
require('node:http').createServer((request, response) => {
  request.resume().on('end', () => {
    if (request.method === 'PUT') return response.writeHead(204).end();
    const { pathname, searchParams } = new URL(request.url, 'http://platform');
    const total = pathname.includes('${largeOrg}') ? 100000 : 20;
    if (!pages.has(request.url)) {
      const skip = Number(searchParams.get('skipCount') ?? 0);
      const count = Math.max(0, Math.min(Number(searchParams.get('maxResultCount') ?? 20), total - skip));
      const items = Array.from({ length: count }, (_, at) => user(skip + at));
      const location = (at) => ({ id: at, name: 'place' + at, description: 'Place', network_zone: 'zone', country: 'DE', city: 'C' });
      const locations = { locations: Array.from({ length: 20 }, (_, at) => location(at + 1)), meta: { pagination: { page: 1, per_page: 50, total_entries: 20, last_page: 1 } } };
      const node = (at) => ({ id: 'node-red/node' + at, name: 'node' + at, types: ['type' + at], enabled: true, module: 'node-red', version: '4.0.0' });
      const ofOthers = { '/locations': locations, '/nodes': Array.from({ length: 20 }, (_, at) => node(at)) };
      pages.set(request.url, JSON.stringify(ofOthers[pathname] ?? { totalCount: total, items }));
    }
    const body = pages.get(request.url);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
  });
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;

/** Starts the server in a process of its own. */
export async function startPlatform(): Promise<{ readonly base: string; stop(): void }> {
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise<string>((done) => child.stdout.once('data', (bytes) => done(String(bytes).trim())));
  return { base: `http://127.0.0.1:${port}`, stop: () => void child.kill() };
}
