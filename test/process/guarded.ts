/** The program with recognisable secrets about it: whatever it says, and whatever it leaves in its folder, is searched for them. */
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

/** Runs the program to its end with IIOT_TOKEN; fails where a secret comes out. */
export function guarded(words: readonly string[], options: ProgramOptions = {}): Promise<ProgramRun> {
  return watched(runProgram, words, options);
}

/** The same in this process. */
export function guardedHere(words: readonly string[], options: ProgramOptions = {}): Promise<ProgramRun> {
  return watched(runOnNetwork, words, options);
}

async function watched(
  start: typeof runProgram,
  words: readonly string[],
  { env = {}, ...options }: ProgramOptions,
): Promise<ProgramRun> {
  const folder = mkdtempSync(join(tmpdir(), 'iiot-guarded-'));
  try {
    const run = await start(words, {
      ...options,
      env: { IIOT_CONFIG_DIR: folder, IIOT_ORG: org, IIOT_TOKEN: secrets.token, ...env },
    });
    const places = [{ place: 'stdout', text: run.stdout }, { place: 'stderr', text: run.stderr }, ...filesIn(folder)];
    expect(leaks(secrets, places)).toEqual([]);
    return run;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
