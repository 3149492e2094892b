/** The program with recognisable secrets about it, timed: whatever it says, and whatever it leaves in its folder, is searched for them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { filesIn, leaks } from '../support/canary.ts';
import { runOnNetwork } from '../support/here.ts';
import { type ProgramOptions, type ProgramRun, runProgram } from '../support/program.ts';

export const org = '0b0f2a1c-1111-4222-8333-444455556666';
export const users = '{"totalCount":1,"items":[{"userId":"u1","name":"Ada","orgRole":"admin"}]}';

export const secrets = {
  token: 'acc3ss-CANARY/t0ken+w1th=signs',
  clientSecret: 'cl13nt-CANARY "s3cret" &ü+%',
  password: 'pässw0rd-CANARY "with" /every+thing%',
  proxyPassword: 'pr0xy-CANARY-w0rd',
} as const;

/** Milliseconds beyond its --timeout that a program may need on a busy machine. */
const slack = 4000;

type Guarding = ProgramOptions & { readonly within?: number };
type Guarded = ProgramRun & { readonly took: number };

/** Runs the program to its end with IIOT_TOKEN; fails where a secret comes out, or where it takes much longer than `within` milliseconds. */
export function guarded(words: readonly string[], options: Guarding = {}): Promise<Guarded> {
  return watched(runProgram, words, options);
}

/** The same in this process. */
export function guardedHere(words: readonly string[], options: Guarding = {}): Promise<Guarded> {
  return watched(runOnNetwork, words, options);
}

async function watched(
  start: typeof runProgram,
  words: readonly string[],
  { env = {}, within = 1000, ...options }: Guarding,
): Promise<Guarded> {
  const folder = mkdtempSync(join(tmpdir(), 'iiot-guarded-'));
  const began = performance.now();
  try {
    const run = await start(words, {
      ...options,
      env: { IIOT_CONFIG_DIR: folder, IIOT_ORG: org, IIOT_TOKEN: secrets.token, ...env },
    });
    const took = performance.now() - began;
    const places = [{ place: 'stdout', text: run.stdout }, { place: 'stderr', text: run.stderr }, ...filesIn(folder)];
    expect(leaks(secrets, places)).toEqual([]);
    expect(took).toBeLessThan(within + slack);
    return { ...run, took };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
