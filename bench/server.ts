import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for the files of a measurement, and the base URL of its server. */
export type BenchServer = { readonly folder: string; readonly base: string };

/** Measures against a server in a process of its own, and cleans up. @param server source code that prints the port */
export async function withBenchServer<T>(server: string, measure: (bench: BenchServer) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const child = spawn(process.execPath, ['-e', server], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise<string>((done) => child.stdout.once('data', (bytes) => done(String(bytes).trim())));
  try {
    return await measure({ folder, base: `http://127.0.0.1:${port}` });
  } finally {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}
