/** The program with recognisable secrets about it: whatever it says, and whatever it leaves in its folder, is searched for them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { filesIn, leaks } from './canary.ts';
import { runOnNetwork } from './here.ts';
import type { ProgramOptions, ProgramRun } from './program.ts';

export const org = '0b0f2a1c-1111-4222-8333-444455556666';
export const users = '{"totalCount":1,"items":[{"userId":"u1","name":"Ada","orgRole":"admin"}]}';

export const secrets = {
  token: 'acc3ss-CANARY/t0ken+w1th=signs',
  clientSecret: 'cl13nt-CANARY "s3cret" &ü+%',
  password: 'pässw0rd-CANARY "with" /every+thing%',
  proxyPassword: 'pr0xy-CANARY-w0rd',
} as const;

/** Runs it in this process to its end with IIOT_TOKEN; fails where a secret comes out. */
export async function guarded(words: readonly string[], { env }: ProgramOptions = {}): Promise<ProgramRun> {
  const folder = mkdtempSync(join(tmpdir(), 'iiot-guarded-'));
  try {
    const run = await runOnNetwork(words, {
      env: { IIOT_CONFIG_DIR: folder, IIOT_ORG: org, IIOT_TOKEN: secrets.token, ...env },
    });
    const places = [{ place: 'stdout', text: run.stdout }, { place: 'stderr', text: run.stderr }, ...filesIn(folder)];
    expect(leaks(secrets, places)).toEqual([]);
    return run;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
