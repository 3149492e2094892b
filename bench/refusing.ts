/** Measures imports into platforms that refuse requests, by chance or above a limit. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { BenchRow } from './import.ts';

/** Requests per second of the server's clock, or in a bucket of one second. */
const limit = 1000;
const limitedRows = 10_000;
const chanceRows = 800;

/**
 * A server that refuses in the way that its first argument names, and answers a GET with its counts. By chance: 1 % of the requests are told to wait a
 * second, 5 % get 503, and 2 % are cut off; `calm` leaves out the first kind.
 */
const server = `
const [how] = process.argv.slice(1);
let [seed, window, admitted, level, filled, pauses, refused] = [7, 0, 0, ${limit}, Date.now(), 0, 0];
const dice = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
const refuse = (response) => { refused += 1; pauses += 1; response.writeHead(429, { 'retry-after': '1' }).end(); };
const ways = {
  chance(response) {
    const drawn = dice();
    if (drawn < 0.02) return response.socket.destroy();
    if (drawn < 0.07) return response.writeHead(503).end();
    if (drawn < 0.08 && how === 'chance') return refuse(response);
    response.writeHead(204).end();
  },
  window(response) {
    const now = Math.floor(Date.now() / 1000);
    if (now !== window) [window, admitted] = [now, 0];
    admitted += 1;
    return admitted > ${limit} ? refuse(response) : response.writeHead(204).end();
  },
  bucket(response) {
    const now = Date.now();
    level = Math.min(${limit}, level + (now - filled) / 1000 * ${limit});
    filled = now;
    if (level < 1) return refuse(response);
    level -= 1;
    response.writeHead(204).end();
  },
};
ways.calm = ways.chance;
const answering = require('node:http').createServer((request, response) => request.resume().on('end', () => {
  if (request.method === 'GET') return response.end(JSON.stringify({ pauses, refused }));
  ways[how](response);
}));
answering.listen(0, '127.0.0.1', () => console.log(answering.address().port));`;

export async function measureRefusals(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-refusing-'));
  try {
    const calm = await importInto('calm', chanceRows, folder);
    const chance = await importInto('chance', chanceRows, folder);
    const share = (chance.seconds - calm.seconds) / Math.max(1, chance.pauses);
    const limits = [];
    for (const how of ['window', 'bucket']) {
      const { seconds, refused } = await importInto(how, limitedRows, folder);
      limits.push({
        what: `${limit} a second admitted, by a ${how}: ${limitedRows} rows`,
        figure: `${Math.round(limitedRows / seconds)} rows a second, ${refused} refused`,
        ratio: `${(limitedRows / seconds / limit).toFixed(2)} of the limit`,
      });
    }
    const what = `1 % refused for a second beside 7 % other faults: ${chanceRows} rows`;
    const figure = `${chance.seconds.toFixed(1)} s; ${calm.seconds.toFixed(1)} s without the refusals`;
    return [{ what, figure, ratio: `${share.toFixed(2)} of the ${chance.pauses} s asked for` }, ...limits];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function importInto(how: string, rows: number, folder: string) {
  const child = spawn(process.execPath, ['-e', server, how], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise<string>((done) => child.stdout.once('data', (bytes) => done(String(bytes).trim())));
  const base = `http://127.0.0.1:${port}`;
  const file = join(folder, 'fleet.csv');
  const presses = Array.from({ length: rows }, (_, at) => `press-${at},3\n`);
  writeFileSync(file, `deviceId,line\n${presses.join('')}`);
  const began = performance.now();
  try {
    const words = [resolve('bin/iiot.js'), 'devices', 'custom-info', 'import', file, '-q', '-o', 'json'];
    const env = { PATH: process.env.PATH, HOME: folder, IIOT_BASE_URL: base, IIOT_TOKEN: 'token' };
    const importing = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'], env });
    const exit = await new Promise((done) => importing.once('close', done));
    if (exit !== 0) throw new Error(`the import ended with ${exit}`);
    const seconds = (performance.now() - began) / 1000;
    const told = (await (await fetch(base)).json()) as { pauses: number; refused: number }; // the server above
    return { seconds, ...told };
  } finally {
    child.kill();
  }
}
