import { randomUUID } from 'node:crypto';
import { closeSync, lstatSync, readSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Context } from '../../command/context.ts';
import { readText } from '../../command/read-file.ts';
import { milliseconds } from '../../command/time.ts';
import { Failure, usage } from '../../failure.ts';
import { attemptTo, codeOf } from '../../files/file-failure.ts';
import { takeLock } from '../../files/lock.ts';
import { openToChange, readRegular, streamAt } from '../../files/open-regular.ts';
import { openPrivately, writePrivately } from '../../files/private-file.ts';
import { type SeenRequest, seenRequestOf } from '../../sandbox/expectations.ts';
import { type FaultRule, readFault } from '../../sandbox/faults.ts';
import { beginLogin } from '../../sandbox/identity/identity.ts';
import type { ObservedRequest } from '../../sandbox/outcome.ts';
import { type RunningServer, type ServerOptions, startServer } from '../../sandbox/server.ts';
import { isTranscript, layoutFor, type TranscriptFile, writeTranscript } from '../../sandbox/transcript.ts';
import { restore, type SavedState } from '../../sandbox/world/state.ts';
import { unreadableFailure } from '../../text/failure-sentence.ts';
import { removeCommand } from '../../text/shell-lines.ts';
import { decodeFile } from '../../text/utf8.ts';
import { version } from '../../version.ts';
import { type ListenOptions, portFailure } from '../../web/serve.ts';
import { readShift, type SandboxInput } from './flags.ts';

export type RunningSandbox = Awaited<ReturnType<typeof openSandbox>>;

/** Starts an embedded platform. @param remember whether to record every request @throws usage for a bad fault, port, address, latency, clock or file */
export async function openSandbox(
  input: SandboxInput,
  context: Context,
  { remember = false, place = {} }: { readonly remember?: boolean; readonly place?: ListenOptions } = {},
) {
  context.world.keepProgram?.();
  const faults = (input.faults ?? []).map(readRule);
  const latency = readDuration('--latency', input.latency);
  const refreshLeeway = readDuration('--refresh-leeway', input.refreshLeeway);
  const shift = input.clock === undefined ? 0 : readShift(input.clock, '--clock');
  const { state, import: imported, transcript: path, seed, users, devices, port, errors } = input;
  const release = state === undefined ? () => {} : await lockState(state, context);
  try {
    const ownState = state === undefined ? undefined : readState(state, '--state');
    if (ownState !== undefined && imported !== undefined) {
      const hint = 'Give one of them, or a new file to --state';
      throw usage(`--state ${state} already has a state, so --import cannot be used.`, hint);
    }
    const saved = ownState ?? (imported === undefined ? undefined : await readImport(imported, context));
    if (saved && (users ?? devices) !== undefined)
      context.notice(
        `${state ?? imported} already has its users and devices: --users and --devices apply only to a new one.`,
      );
    const transcript = path === undefined ? undefined : openTranscript(path);
    const requests: SeenRequest[] = [];
    const observe = (observed: ObservedRequest) => {
      if (remember) requests.push(seenRequestOf(observed));
      transcript?.observe(observed);
    };
    const options = {
      ...{ now: context.world.now, faults, latency, port, place, seed, users, devices, saved, moved: shift },
      ...{ errors, refreshLeeway },
      // With an ID of its own, nothing that was recorded of another sandbox at this address applies to this one.
      tenantId: randomUUID(),
      save: state === undefined ? undefined : async (text: string) => writePrivately(state, text),
      observe: transcript || remember ? observe : undefined,
    };
    const server = await listen(options, input);
    return {
      url: server.url,
      tenantId: server.platform.world.tenant.tenantId,
      /** Every request so far, if `remember` is set. */
      requests,
      /** Logs an account in without a request, which an injected fault could break. @returns its refresh token */
      logIn: (account: string) => beginLogin(server.platform, account).refreshToken,
      /** Stops the sandbox, and finishes saving its state. */
      close: () => closeSandbox(server, transcript, path).finally(release),
    };
  } catch (error) {
    release();
    throw error;
  }
}

function readRule(text: string): FaultRule {
  const rule = readFault(text);
  if (typeof rule === 'string') throw usage(`--fault "${text}": ${rule}`);
  return rule;
}

/** Reads a duration of at most an hour as milliseconds. */
function readDuration(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const duration = milliseconds(text);
  if (duration === undefined || duration > 3_600_000) throw usage(`${option} takes a duration such as 200ms or 2s.`);
  return duration;
}

function openTranscript(path: string): TranscriptFile {
  const layout = layoutFor(path, version);
  if (!isTranscript(attemptTo('write', path, () => readBeginning(path))))
    throw usage(
      `--transcript ${path} already exists and is not a transcript.`,
      `Name another file, or remove it first: ${removeCommand(path)}`,
    );
  return writeTranscript(openPrivately(path, layout.begin + layout.end), layout);
}

/** Reads the first characters of a file; '' if there is none. @throws the system's error, also for a link */
function readBeginning(path: string): string {
  if (!lstatSync(path, { throwIfNoEntry: false })) return '';
  const file = openToChange(path);
  const beginning = Buffer.alloc(100);
  const size = readSync(file, beginning);
  closeSync(file);
  return beginning.toString('latin1', 0, size);
}

async function listen(options: ServerOptions, { port, state }: SandboxInput): Promise<RunningServer> {
  try {
    return await startServer(options);
  } catch (error) {
    if (error instanceof Failure && state !== undefined)
      throw usage(`--state ${state}: ${error.message}`).with({ cause: error });
    if (codeOf(error) === 'EADDRNOTAVAIL')
      throw usage(`--host ${options.place?.host} is not an address of this machine.`).with({ cause: error });
    throw portFailure(error, port);
  }
}

async function closeSandbox(server: RunningServer, transcript: TranscriptFile | undefined, path: string | undefined) {
  await server.close();
  try {
    await transcript?.close();
  } catch (cause) {
    throw new Failure('io', `--transcript ${path} is not complete (${codeOf(cause) ?? 'unknown'}).`, { cause });
  }
}

/** Locks the file of --state, because two sandboxes would overwrite each other's state. @returns what releases it */
async function lockState(path: string, { notice, world }: Context): Promise<() => void> {
  const target = resolve(path);
  try {
    const onWait = (holder: string) => notice(`Waiting for ${holder} to release ${path}.`);
    const waiting = { wait: 0, onWait, signal: world.interrupt };
    const { release } = await takeLock(dirname(target), `${basename(target)}.lock`, path, waiting);
    return release;
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    if (error.kind !== 'unavailable') throw usage(`--state ${path}: ${error.message}`).with({ cause: error });
    throw usage(`--state ${path} is in use by another sandbox.`, 'Use another file, or stop that sandbox').with({
      cause: error,
    });
  }
}

async function readImport(path: string, context: Context): Promise<SavedState> {
  if (streamAt(path)) return restoreState(await readText(path, '--import', context, 'tool'), '--import', path);
  const state = readState(path, '--import');
  if (!state) throw usage(`--import ${path} does not exist.`);
  return state;
}

/** Reads a saved state; undefined if the file does not exist. Its size is not limited, so whatever was saved can be read. */
function readState(path: string, option: string): SavedState | undefined {
  try {
    const read = readRegular(path, { largest: Number.POSITIVE_INFINITY });
    if ('irregular' in read) throw usage(`${option} ${path} is not a regular file.`);
    return restoreState(decodeFile(read.bytes, `${option}: ${path}`), option, path);
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw unreadableFailure(`${option} ${path}`, error);
  }
}

function restoreState(text: string, option: string, name: string): SavedState {
  const state = restore(text);
  if (typeof state === 'string') throw usage(`${option} ${name}: ${state}`, 'See iiot sandbox export --help');
  return state;
}
