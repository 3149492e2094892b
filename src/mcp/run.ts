import { Readable, Writable } from 'node:stream';
import type { Context, World } from '../command/context.ts';
import { Failure } from '../failure.ts';
import { onAbort } from '../text/abort.ts';
import type { Line } from './line.ts';
import type { LineResult } from './tool-result.ts';

/** The largest answer, in bytes: an agent reads all of it. */
const largest = 1024 * 1024;

/**
 * Runs one command line in this process, without prompts and with its streams in memory.
 * @param agreed whether the user has agreed to it
 * @param cancelled ends it
 */
export async function runLine(
  line: Line,
  context: Context,
  agreed: boolean,
  cancelled: AbortSignal,
): Promise<LineResult> {
  const stdout = capture(largest);
  const stderr = capture(largest);
  const outputOptions = [...(agreed ? ['--yes'] : []), '--output=json', '--no-input'];
  const done = new AbortController();
  const world = worldOf(context.world, line, { stdout, stderr, cancelled, done: done.signal });
  // Removes the listeners that this call has added to objects that outlive it.
  const exit = await context.run(commandWords(line, context, outputOptions), world).finally(() => done.abort());
  if (!stdout.isWhole()) {
    const error = {
      error: { code: 'usage', message: 'The result is larger than 1 MiB.', hint: 'Ask for less: limit, skip, name' },
    };
    return { exit: 2, stdout: '', stderr: JSON.stringify(error) };
  }
  return { exit, stdout: stdout.text(), stderr: stderr.text() };
}

/**
 * The words of the command line that is run.
 * @param more options of ours
 */
export function commandWords(line: Line, context: Context, more: readonly string[] = []): string[] {
  const { words, options, positional } = line;
  // After "--" nothing is an option.
  const behind = positional.length > 0 ? ['--', ...positional] : [];
  return [...words, ...inherited(context, line), ...options, ...more, ...behind];
}

/** The options that `iiot mcp` itself was started with apply to every tool that takes them. */
function inherited({ options: given }: Context, { options: own, global }: Line): string[] {
  return global.flatMap(({ name, long }) => {
    const value = passedOn.has(name) ? given[name as keyof typeof given] : undefined; // its names are those of options
    return value === undefined || own.some((word) => word.startsWith(`--${long}=`)) ? [] : [`--${long}=${value}`];
  });
}

const passedOn = new Set(['profile', 'baseUrl', 'org', 'timeout', 'retries', 'caFile', 'clientCert', 'clientKey']);

type Streams = {
  readonly stdout: Capture;
  readonly stderr: Capture;
  readonly cancelled: AbortSignal;
  /** Aborted when the call is over. */
  readonly done: AbortSignal;
};

function worldOf(world: World, { stdin }: Line, { stdout, stderr, cancelled, done }: Streams): World {
  const { IIOT_OUTPUT: _shape, FORCE_COLOR: _color, ...env } = world.env;
  const stop = new AbortController();
  const passOn = (signal: AbortSignal, reason: () => unknown) => {
    const unsubscribe = onAbort(signal, () => stop.abort(reason()));
    onAbort(done, unsubscribe);
  };
  passOn(world.interrupt, () => world.interrupt.reason);
  passOn(cancelled, () => new Failure('interrupted', 'The client has cancelled it.'));
  // A spread would read `stdin`, and reading it opens standard input.
  return Object.create(world, {
    env: { value: { ...env, IIOT_NO_INPUT: '1' } },
    stdin: { value: Readable.from(stdin === undefined ? [] : [Buffer.from(stdin)]) },
    stdout: { value: stdout.stream },
    stderr: { value: stderr.stream },
    interrupt: { value: stop.signal },
  });
}

type Capture = { readonly stream: Writable; readonly text: () => string; readonly isWhole: () => boolean };

function capture(most: number): Capture {
  const chunks: Buffer[] = [];
  let size = 0;
  const stream = new Writable({
    write(chunk, _encoding, done) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size <= most) chunks.push(bytes);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8'), isWhole: () => size <= most };
}
