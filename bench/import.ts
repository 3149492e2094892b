/**
 * Measures how fast rows are imported, beside undici's bare pool with as many connections and beside shell lines, and how much memory an import takes.
 * Each figure is the median of runs that alternate.
 */
import { spawn } from 'node:child_process';
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type BenchServer, withBenchServer } from './server.ts';

export type BenchRow = { readonly what: string; readonly figure: string; readonly ratio: string };

const connections = 16;
const rows = 100_000;
/** Fewer rows for a process each, which is slow. */
const rowsOfCurls = 500;
const runs = 10;
const path = (device: string) => `/platform/solutions/api/v1/devices/${device}/custom-info`;

/** Answers 204 once a request is complete. */
const server = `
const server = require('node:http').createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(204).end());
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

/** The simplest program: rows in an array, undici's pool, and no response is read but its status. */
const bare = `
const { Pool } = require('undici');
const [base, file] = process.argv.slice(1);
const rows = require('node:fs').readFileSync(file, 'utf8').trimEnd().split('\\n').slice(1);
const pool = new Pool(base, { connections: ${connections} });
const headers = { authorization: 'Bearer token', 'content-type': 'application/json' };
let next = 0;
async function work() {
  while (next < rows.length) {
    const [device, line, plant] = rows[next++].split(',');
    const path = '/platform/solutions/api/v1/devices/' + encodeURIComponent(device) + '/custom-info';
    const { statusCode, body } = await pool.request({ method: 'PUT', path, headers, body: JSON.stringify({ line, plant }) });
    await body.dump();
    if (statusCode !== 204) throw new Error(String(statusCode));
  }
}
Promise.all(Array.from({ length: ${connections} }, work)).then(() => pool.close());`;

export async function measureImport(): Promise<{
  readonly speeds: readonly BenchRow[];
  readonly memory: readonly BenchRow[];
}> {
  return withBenchServer(server, async (bench) => ({
    speeds: await measureSpeeds(bench),
    memory: await measureMemory(bench),
  }));
}

async function measureSpeeds(bench: BenchServer): Promise<BenchRow[]> {
  const file = await writeFleet(bench, rows);
  const [raw, ours]: [number[], number[]] = [[], []];
  for (let count = 0; count < runs; count += 1) {
    raw.push(await timeProcess(process.execPath, ['-e', bare, bench.base, file], bench));
    ours.push(await timeImport(bench, file));
  }
  const [bareSpeed, ownSpeed] = [raw, ours].map((all) => rows / median(all)) as [number, number];
  return [
    rowOf(`undici's bare pool, ${counted(rows)} rows`, bareSpeed, bareSpeed),
    rowOf(`iiot, journal on, ${counted(rows)} rows`, ownSpeed, bareSpeed),
    ...(await measureShells(bench, bareSpeed)),
  ];
}

/** Measures shell lines for the same rows: a curl for each row, sixteen at a time, and one curl for all. */
async function measureShells(bench: BenchServer, bareSpeed: number): Promise<BenchRow[]> {
  const curl = `curl -s -o /dev/null -X PUT -H 'Authorization: Bearer token' -d '{"line":"3","plant":"north"}'`;
  const curlConfig = (url: string) =>
    `url = "${url}"\nrequest = "PUT"\ndata = "{\\"line\\":\\"3\\",\\"plant\\":\\"north\\"}"\noutput = "/dev/null"\n`;
  const [list, config] = [join(bench.folder, 'urls'), join(bench.folder, 'config')];
  const urls = (count: number) => Array.from({ length: count }, (_, at) => `${bench.base}${path(`press-${at}`)}`);
  writeFileSync(list, `${urls(rowsOfCurls).join('\n')}\n`);
  writeFileSync(config, urls(rows).map(curlConfig).join('next\n'));
  const lines = [
    [rows, 'curl --parallel', `curl -s --parallel --parallel-max ${connections} -K ${config} 2>/dev/null`],
    [rowsOfCurls, `xargs -P ${connections} curl`, `xargs -P ${connections} -n 1 ${curl} < ${list}`],
  ] as const;
  const found: BenchRow[] = [];
  for (const [count, what, line] of lines) {
    const once = () => timeProcess('sh', ['-c', line], bench);
    const speed = count / median([await once(), await once(), await once()]);
    found.push(rowOf(`${what}, ${counted(count)} rows`, speed, bareSpeed));
  }
  return found;
}

async function measureMemory(bench: BenchServer): Promise<BenchRow[]> {
  const found: BenchRow[] = [];
  let least = 0;
  for (const count of [10_000, 1_000_000]) {
    const told = join(bench.folder, 'memory');
    await timeImport(bench, await writeFleet(bench, count), told);
    const mebibytes = Number(readFileSync(told, 'utf8')) / 1024;
    least ||= mebibytes;
    found.push({
      what: `${counted(count)} rows`,
      figure: `${mebibytes.toFixed(0)} MiB`,
      ratio: `${(mebibytes - least).toFixed(0)} MiB`,
    });
  }
  return found;
}

async function writeFleet({ folder }: BenchServer, count: number): Promise<string> {
  const file = join(folder, `fleet-${count}.csv`);
  const stream = createWriteStream(file);
  stream.write('deviceId,line,plant\n');
  for (let at = 0; at < count; at += 10_000) {
    const lines = Array.from(
      { length: Math.min(10_000, count - at) },
      (_, index) => `press-${at + index},${index % 7},north\n`,
    );
    if (!stream.write(lines.join(''))) await new Promise<void>((done) => stream.once('drain', done));
  }
  await new Promise<void>((done) => stream.end(done));
  return file;
}

function timeImport(bench: BenchServer, file: string, told = join(bench.folder, 'memory')): Promise<number> {
  const words = [
    '-r',
    resolve('test/support/peak.cjs'),
    resolve('bin/iiot.js'),
    'devices',
    'custom-info',
    'import',
    '--yes',
    file,
    '-o',
    'json',
  ];
  return timeProcess(process.execPath, words, bench, { PEAK_FILE: told });
}

/** Runs a process, and returns its seconds. @throws if it fails */
async function timeProcess(
  program: string,
  words: readonly string[],
  { folder, base }: BenchServer,
  env = {},
): Promise<number> {
  const began = performance.now();
  const child = spawn(program, words, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env.PATH, HOME: folder, IIOT_BASE_URL: base, IIOT_TOKEN: 'token', ...env },
  });
  const exit = await new Promise((done) => child.once('close', done));
  if (exit !== 0) throw new Error(`${program} ended with ${exit}`);
  return (performance.now() - began) / 1000;
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

function rowOf(what: string, speed: number, bareSpeed: number): BenchRow {
  return { what, figure: counted(Math.round(speed)), ratio: (speed / bareSpeed).toFixed(2) };
}

function counted(count: number): string {
  return count.toLocaleString('en-US');
}
