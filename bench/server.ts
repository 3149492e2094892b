import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where a bench runs: a folder for its files, and the base URL of its server. */
export type BenchPlace = { readonly folder: string; readonly base: string };

/** Measures against a server in a process of its own, and cleans up. @param server its source, which prints its port */
export async function atPlace<T>(server: string, measure: (place: BenchPlace) => Promise<T>): Promise<T> {
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
