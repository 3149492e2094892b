/**
 * Measures changes by rows: a thousand for each command, beside undici's bare pool and a loop of single commands, and the memory of a run.
 * Each figure is the median of runs that alternate.
 */
import { spawn } from 'node:child_process';
import { createWriteStream, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BenchRow } from './import.ts';
import { org } from './platform.ts';
import { type BenchServer, withBenchServer } from './server.ts';

const rows = 1000;
/** The commands that are measured of the loop, whose time is in proportion. */
const singles = 20;
const runs = 5;
const connections = 16;

/** Answers once a request is complete, like a platform that has created or changed something. */
const server = `
require('node:http').createServer((request, response) => {
  request.resume().on('end', () => {
    if (request.method === 'DELETE') return response.writeHead(204).end();
    const credential = JSON.stringify({ clientCredentialId: 'credential_1', clientId: 'client_1', clientSecret: 'secret' });
    const body = request.url.endsWith('client-credentials') ? credential : '{}';
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  });
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;

/** The simplest program for policies: rows in an array, undici's pool, and no response is read but its status. */
const bare = `
const { Pool } = require('undici');
const [base, file] = process.argv.slice(1);
const rows = require('node:fs').readFileSync(file, 'utf8').trimEnd().split('\\n').slice(1);
const pool = new Pool(base, { connections: ${connections} });
const headers = { authorization: 'Bearer token', 'content-type': 'application/json' };
let next = 0;
async function work() {
  while (next < rows.length) {
    const [id, alertLevel, delay] = rows[next++].split(',');
    const path = '/api/v1/orgs/${org}/alert-policies/' + id;
    const { statusCode, body } = await pool.request({ method: 'PATCH', path, headers, body: JSON.stringify({ alertLevel, delay: Number(delay) }) });
    await body.dump();
    if (statusCode !== 200) throw new Error(String(statusCode));
  }
}
Promise.all(Array.from({ length: ${connections} }, work)).then(() => pool.close());`;

const policy = (at: number) => `aaaaaaaa-0000-4000-8000-${String(at).padStart(12, '0')}`;
const policies = {
  words: 'policies update',
  header: 'alertPolicyId,alertLevel,delay',
  row: (at: number) => `${policy(at)},>${at % 90},5`,
};
const commands = [
  policies,
  { words: 'channels update', header: 'channelId,enabled', row: (at: number) => `channel_${at},no` },
  { words: 'templates update', header: 'templateId,tag', row: (at: number) => `template_${at},night` },
  {
    words: 'batches create',
    header: 'Name,cron,enabled,run-on-startup',
    row: (at: number) => `batch ${at},0 0 2 * * ?,yes,no`,
  },
  { words: 'credentials create', header: 'name,expires', row: (at: number) => `gateway-${at},90d` },
  { words: 'credentials delete', header: 'clientCredentialId', row: (at: number) => `credential_${at}` },
] as const;

export async function measureRowChanges(): Promise<{
  readonly speeds: readonly BenchRow[];
  readonly memory: readonly BenchRow[];
}> {
  return withBenchServer(server, async (bench) => ({
    speeds: await measureSpeeds(bench),
    memory: await measureMemory(bench),
  }));
}

async function measureSpeeds(bench: BenchServer): Promise<BenchRow[]> {
  const { folder, base } = bench;
  const files = await Promise.all(commands.map((command, at) => writeRows(command, rows, join(folder, `${at}.csv`))));
  const [first = ''] = files;
  const raw: number[] = [];
  const ours = commands.map((): number[] => []);
  for (let run = 0; run < runs; run += 1) {
    raw.push(await timeNode(['-e', bare, base, first], bench));
    for (const [at, { words }] of commands.entries()) ours[at]?.push(await timeRows(words, files[at] ?? '', bench));
  }
  const began = performance.now();
  for (let at = 0; at < singles; at += 1)
    await timeNode(
      [resolve('bin/iiot.js'), 'policies', 'update', policy(at), `--alert-level=>${at}`, '--delay=5', '-q'],
      bench,
    );
  const loop = ((performance.now() - began) / 1000 / singles) * rows;
  const least = median(raw);
  return [
    rowOf(`undici's bare pool, ${counted(rows)} policies`, least, least),
    ...commands.map(({ words }, at) =>
      rowOf(`iiot ${words} --rows, ${counted(rows)} rows`, median(ours[at] ?? []), least),
    ),
    rowOf(`a loop of iiot policies update, ${counted(rows)} policies, measured with ${singles}`, loop, least),
  ];
}

async function measureMemory(bench: BenchServer): Promise<BenchRow[]> {
  const found: BenchRow[] = [];
  let least = 0;
  for (const count of [10_000, 100_000]) {
    const told = join(bench.folder, 'memory');
    const file = await writeRows(policies, count, join(bench.folder, `${count}.csv`));
    await timeRows(policies.words, file, bench, told);
    const mebibytes = Number(readFileSync(told, 'utf8')) / 1024;
    least ||= mebibytes;
    found.push({
      what: `${counted(count)} policies`,
      figure: `${mebibytes.toFixed(0)} MiB`,
      ratio: `${(mebibytes - least).toFixed(0)} MiB`,
    });
  }
  return found;
}

async function writeRows({ header, row }: (typeof commands)[number], count: number, file: string): Promise<string> {
  const stream = createWriteStream(file);
  stream.write(`${header}\n`);
  for (let at = 0; at < count; at += 10_000) {
    const lines = Array.from({ length: Math.min(10_000, count - at) }, (_, index) => `${row(at + index)}\n`);
    if (!stream.write(lines.join(''))) await new Promise<void>((done) => stream.once('drain', done));
  }
  await new Promise<void>((done) => stream.end(done));
  return file;
}

/** Times a command with `--rows`, after removing the journal and the secrets of an earlier run. */
async function timeRows(
  words: string,
  file: string,
  bench: BenchServer,
  told = join(bench.folder, 'memory'),
): Promise<number> {
  const secrets = join(bench.folder, 'secrets');
  for (const left of [`${file}.iiot-journal`, secrets]) rmSync(left, { recursive: true, force: true });
  const own = words === 'credentials create' ? ['--secret-dir', secrets] : [];
  const line = [...words.split(' '), '--rows', file, '--yes', '-o', 'json', ...own];
  return timeNode(['-r', resolve('test/support/peak.cjs'), resolve('bin/iiot.js'), ...line], bench, {
    PEAK_FILE: told,
  });
}

/** Runs a Node process, and returns its seconds. @throws if it fails */
async function timeNode(words: readonly string[], { folder, base }: BenchServer, env = {}): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, words, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env.PATH, HOME: folder, IIOT_BASE_URL: base, IIOT_ORG: org, IIOT_TOKEN: 'token', ...env },
  });
  const exit = await new Promise((done) => child.once('close', done));
  if (exit !== 0) throw new Error(`node ${words.slice(-6).join(' ')} ended with ${exit}`);
  return (performance.now() - began) / 1000;
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

function rowOf(what: string, time: number, least: number): BenchRow {
  return { what, figure: `${time.toFixed(2)} s`, ratio: (time / least).toFixed(1) };
}

function counted(count: number): string {
  return count.toLocaleString('en-US');
}
