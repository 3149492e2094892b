import type { Context } from '../../command/context.ts';
import { milliseconds } from '../../command/duration.ts';
import { Failure, usage } from '../../failure.ts';
import { codeOf } from '../../files/file-failure.ts';
import type { SeenRequest } from '../../sandbox/expectations.ts';
import type { FaultRule } from '../../sandbox/faults.ts';
import type { ObservedRequest } from '../../sandbox/outcome.ts';
import type { RunningServer, ServerOptions } from '../../sandbox/server.ts';
import type { TranscriptFile } from '../../sandbox/transcript-file.ts';
import { openState, type SavedWorld } from './data-file.ts';
import type { SandboxInput } from './flags.ts';
import { readShift } from './flags.ts';

export type RunningSandbox = {
  /** The base URL. */
  readonly url: string;
  /** Every request so far, if `remember` is set. */
  readonly requests: readonly SeenRequest[];
  /** Logs an account in without a request, which an injected fault could break. @returns its refresh token */
  logIn(account: string): string;
  /** Stops the sandbox, and finishes saving its state. */
  close(): Promise<void>;
};

/**
 * Starts an embedded platform, which is loaded only now.
 * @param remember whether to record every request
 * @throws usage for a bad fault, port, latency, clock or file
 */
export async function openSandbox(input: SandboxInput, context: Context, remember = false): Promise<RunningSandbox> {
  const faults = await rulesOf(input.faults ?? []);
  const latency = latencyOf(input.latency);
  const shift = input.clock === undefined ? 0 : readShift(input.clock, '--clock');
  const { state, release } = await openState(input, context);
  try {
    if (state.saved) noticeUnused(input, context);
    const transcript = await transcriptOf(input.transcript);
    const requests: SeenRequest[] = [];
    const observe = await observing(transcript, remember ? requests : undefined);
    const { seed, users, devices, port } = input;
    const options = {
      now: context.world.now,
      faults,
      ...moved(state, shift),
      ...(observe && { observe }),
      ...(latency !== undefined && { latency }),
      ...(port !== undefined && { port }),
      ...(seed !== undefined && { seed }),
      ...(users !== undefined && { users }),
      ...(devices !== undefined && { devices }),
    };
    const server = await listening(options, input);
    const { beginLogin } = await import('../../sandbox/identity/identity.ts');
    const { identity, secrets } = server.platform;
    const logIn = (account: string) => beginLogin(identity, secrets, account).refreshToken;
    return { url: server.url, requests, logIn, close: () => closed(server, transcript, input).finally(release) };
  } catch (error) {
    release();
    throw error;
  }
}

async function rulesOf(texts: readonly string[]): Promise<FaultRule[]> {
  if (texts.length === 0) return [];
  const { readFault } = await import('../../sandbox/faults.ts');
  return texts.map((text) => {
    const rule = readFault(text);
    if (typeof rule === 'string') throw usage(`--fault "${text}": ${rule}`);
    return rule;
  });
}

function latencyOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const latency = milliseconds(text);
  if (latency === undefined || latency > 3_600_000) throw usage('--latency takes a duration such as 200ms or 2s.');
  return latency;
}

/** A shift of a saved clock is relative to its saved time. */
function moved({ saved, ...rest }: SavedWorld, shift: number): Partial<ServerOptions> {
  return saved ? { ...rest, saved: { ...saved, moved: saved.moved + shift } } : { ...rest, moved: shift };
}

function noticeUnused({ users, devices, data, from }: SandboxInput, { notice }: Context): void {
  if (users === undefined && devices === undefined) return;
  notice(`${data ?? from} already has its users and devices: --users and --devices apply only to a new one.`);
}

async function transcriptOf(path: string | undefined): Promise<TranscriptFile | undefined> {
  if (path === undefined) return undefined;
  const { openTranscriptFile } = await import('../../sandbox/transcript-file.ts');
  const { version } = await import('../../version.ts');
  try {
    return openTranscriptFile(path, version);
  } catch (cause) {
    throw new Failure('usage', `--transcript ${path} cannot be written (${codeOf(cause) ?? 'unknown'}).`, { cause });
  }
}

async function observing(
  transcript: TranscriptFile | undefined,
  requests: SeenRequest[] | undefined,
): Promise<((observed: ObservedRequest) => void) | undefined> {
  if (!transcript && !requests) return undefined;
  const { seenRequestOf } = await import('../../sandbox/expectations.ts');
  return (observed) => {
    requests?.push(seenRequestOf(observed));
    transcript?.observe(observed);
  };
}

async function listening(options: ServerOptions, { port, data }: SandboxInput): Promise<RunningServer> {
  const { startServer } = await import('../../sandbox/server.ts');
  try {
    return await startServer(options);
  } catch (error) {
    if (error instanceof Failure && data !== undefined)
      throw usage(`--data ${data}: ${error.message}`).with({ cause: error });
    const reason = { EADDRINUSE: 'is in use', EACCES: 'may not be used' }[codeOf(error) ?? ''];
    if (reason === undefined) throw error;
    throw new Failure('usage', `--port ${port} ${reason}.`, {
      hint: 'Leave out --port to use any free one',
      cause: error,
    });
  }
}

async function closed(server: RunningServer, transcript: TranscriptFile | undefined, input: SandboxInput) {
  await server.close();
  try {
    await transcript?.close();
  } catch (cause) {
    throw new Failure('io', `--transcript ${input.transcript} is not complete (${codeOf(cause) ?? 'unknown'}).`, {
      cause,
    });
  }
}
