/** Transcripts of a shell: lines that begin with `$ ` are typed, the others are the expected output. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { startServer } from '../../src/sandbox/server.ts';
import { programFile, programWords, sharedCache } from './program.ts';

/**
 * Runs a transcript in bash against a new sandbox, with the built program as `iiot`, and returns it with the actual output: stdout as it is, stderr
 * after `! `, and an exit code other than 0 as `[5]`. Comments (`# `) and empty lines are kept.
 */
export async function played(transcript: string): Promise<string> {
  // A fixed clock, so that the platform's times are always the same.
  const server = await startServer({ devices: 5, now: () => Date.UTC(2026, 0, 1, 12) });
  const home = await mkdtemp(join(tmpdir(), 'iiot-test-'));
  try {
    await mkdir(join(home, 'bin'));
    const words = [programFile, ...programWords].map((word) => `'${word}'`).join(' ');
    await writeFile(join(home, 'bin', 'iiot'), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
    const env = {
      PATH: `${join(home, 'bin')}:${process.env.PATH}`,
      HOME: home,
      XDG_CACHE_HOME: sharedCache,
      IIOT_CONFIG_DIR: join(home, 'config'),
      IIOT_BASE_URL: server.url,
      IIOT_TENANT: 'factory',
      IIOT_APP: 'console',
      IIOT_ORG: '11111111-1111-4111-8111-111111111111',
    };
    const shell = (line: string) =>
      execa('/bin/bash', ['-c', line], { cwd: home, env, extendEnv: false, reject: false, input: '' });
    const out: string[] = [];
    for (const line of transcript.split('\n')) {
      if (line === '' || line.startsWith('# ')) out.push(line);
      if (!line.startsWith('$ ')) continue;
      const { stdout, stderr, exitCode } = await shell(line.slice(2));
      const errors = stderr.split('\n').map((each) => (stderr === '' ? '' : `! ${each}`));
      const seen = [...stdout.split('\n'), ...errors, exitCode === 0 ? '' : `[${exitCode}]`].filter(
        (each) => each !== '',
      );
      out.push(line, ...seen.map((each) => each.replaceAll(server.url, 'http://127.0.0.1:PORT')));
    }
    return out.join('\n');
  } finally {
    await server.close();
    await rm(home, { recursive: true, force: true });
  }
}
