/** Runs commands in their own process groups, and passes signals on. A guardian process ends everything that they started, even if this process is killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFailure } from '../../files/file-failure.ts';
import { ignoreError } from '../../text/ignore-error.ts';
import type { Job } from './windows.ts';

// With SIGTSTP, so that Ctrl-Z also stops the command; without SIGQUIT (Ctrl-\), so that there is always a way out.
const forwardedSignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2', 'SIGTSTP', 'SIGCONT', 'SIGWINCH'] as const;

const shell = '/bin/sh';

/** Creates the temporary folder, and starts to pass signals on. */
export async function openGroups() {
  const folder = resolve(tmpdir(), `iiot-sandbox-${randomBytes(9).toString('base64url')}`);
  // Windows has no groups: Ctrl-C reaches every process of the terminal, and a signal would end the command at once.
  const isWindows = process.platform === 'win32';
  const hasGroups = !isWindows && existsSync(shell);
  // Started before the folder exists, so that the folder is never left behind.
  const guardian = hasGroups ? startGuardian(folder) : undefined;
  await mkdir(folder, { mode: 0o700 }).catch(async (error: unknown) => {
    await guardian?.end();
    throw temporaryFailure('create the temporary folder', folder, error);
  });
  let child: ChildProcess | undefined;
  const forward = (signal: NodeJS.Signals) => void (child && sendSignal(child, signal, hasGroups));
  for (const signal of forwardedSignals) process.on(signal, forward);
  return {
    /** A folder that only this user can access. `close` removes it. */
    folder,
    /** Runs a command to its end. Returns its exit code as a shell reports it; rejects with the system's error if it cannot be started. */
    run: async (job: Job) => {
      if (isWindows) return (await import('./windows.ts')).runOnWindows(job);
      child = hasGroups ? startGated(job) : spawnShell(job.file, job.args, job);
      try {
        if (child.pid !== undefined) guardian?.watch(child.pid);
        return await waitForExit(child, job.input);
      } finally {
        if (hasGroups) await endGroup(child);
        guardian?.watch(undefined);
        child = undefined;
      }
    },
    /** Removes the folder, and stops passing on signals. */
    close: async () => {
      await guardian?.end();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
      for (const signal of forwardedSignals) process.off(signal, forward);
    },
  };
}

/** Starts a shell in its own session that reads the number of the current group, line by line. When this process is gone, it kills that group and removes the folder. */
function startGuardian(folder: string) {
  const script = `while read -r group; do last=$group; done
[ -z "$last" ] || kill -s KILL -- "-$last"
rm -rf -- "$1" || { sleep 1; rm -rf -- "$1"; }`;
  const watcher = spawn(shell, ['-c', script, 'sh', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: { PATH: '/usr/bin:/bin' },
    cwd: '/',
  });
  // If it cannot be started, go on without a guardian.
  const exited = new Promise<void>((resolve) => {
    watcher.once('error', () => resolve());
    watcher.once('exit', () => resolve());
  });
  watcher.stdin.on('error', () => undefined);
  return {
    watch: (group: number | undefined) => void watcher.stdin.write(`${group ?? ''}\n`),
    end: async () => {
      watcher.stdin.end();
      await exited;
    },
  };
}

/** Starts a command that waits for a line before it runs. If this process is killed before the guardian knows of the command, it never runs. */
function startGated(job: Job): ChildProcess {
  const gate = 'read -r go <&3 || exit 125; exec 3<&-; exec "$@"';
  const child = spawnShell(shell, ['-c', gate, 'sh', job.file, ...job.args], job, ['pipe']);
  const opened = child.stdio[3];
  if (opened && 'end' in opened) {
    opened.on('error', () => undefined);
    // Later, so that the caller can first inform the guardian.
    setImmediate(() => opened.end('go\n'));
  }
  return child;
}

function spawnShell(file: string, args: readonly string[], job: Job, further: readonly 'pipe'[] = []): ChildProcess {
  return spawn(file, args, {
    stdio: [job.input === undefined ? 'inherit' : 'pipe', 'inherit', 'inherit', ...further],
    env: job.env,
    detached: further.length > 0,
    cwd: job.cwd,
  });
}

async function waitForExit(child: ChildProcess, input: string | undefined): Promise<number> {
  child.stdin?.on('error', () => undefined); // it may not read all of it
  child.stdin?.end(input);
  // `once` rejects on an 'error' event.
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]; // as Node documents the event
  // A shell reports 128 and the number of the signal.
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

/** Ends the processes that are left in the group: with SIGTERM, and after two seconds with SIGKILL. */
async function endGroup(child: ChildProcess): Promise<void> {
  if (!sendSignal(child, 'SIGTERM', true)) return;
  sendSignal(child, 'SIGCONT', true); // a stopped process handles no signals
  for (let waited = 0; waited < 2000; waited += 20) {
    if (!sendSignal(child, 0, true)) return;
    await sleep(20);
  }
  sendSignal(child, 'SIGKILL', true);
}

/** Sends a signal, or 0 to check for a process. @returns whether there was a process to send it to */
function sendSignal({ pid }: ChildProcess, signal: NodeJS.Signals | 0, toGroup: boolean): boolean {
  // The process may be gone, or belong to another user.
  return pid !== undefined && ignoreError(() => process.kill(toGroup ? -pid : pid, signal)) === true;
}
