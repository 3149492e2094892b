import { Readable, Writable } from 'node:stream';
import type { Context, World } from '../context.ts';
import { Failure } from '../failure.ts';
import type { Ran } from './answer.ts';
import type { Line } from './line.ts';

/** The most that one answer may hold, in bytes: an agent reads all of it. */
const largest = 1024 * 1024;

/**
 * Runs one command line in this process, with nobody to ask and its streams in memory.
 * @param agreed whether the person has agreed to it
 * @param cancelled ends it
 */
export async function runLine(line: Line, context: Context, agreed: boolean, cancelled: AbortSignal): Promise<Ran> {
  const stdout = collected(largest);
  const stderr = collected(largest);
  const { words, options, positional } = line;
  const agreement = agreed ? ['--yes'] : [];
  const behind = positional.length > 0 ? ['--', ...positional] : [];
  const argv = [
    ...words,
    ...inherited(context, options),
    ...options,
    ...agreement,
    '--output=json',
    '--no-input',
    ...behind,
  ];
  const exit = await context.run(argv, worldOf(context.world, line, { stdout, stderr, cancelled }));
  if (!stdout.isWhole()) {
    const error = {
      error: { code: 'usage', message: 'The result is larger than 1 MiB.', hint: 'Ask for less: limit, skip, name' },
    };
    return { exit: 2, stdout: '', stderr: JSON.stringify(error) };
  }
  return { exit, stdout: stdout.text(), stderr: stderr.text() };
}

/** The options that `iiot mcp` itself was started with hold for every tool. */
function inherited({ options }: Context, own: readonly string[]): string[] {
  const { profile, baseUrl, org, timeout, retries, caFile } = options;
  const given = { profile, 'base-url': baseUrl, org, timeout, retries, 'ca-file': caFile };
  return Object.entries(given)
    .filter(([name, value]) => value !== undefined && !own.some((word) => word.startsWith(`--${name}=`)))
    .map(([name, value]) => `--${name}=${value}`);
}

type Streams = { readonly stdout: Collected; readonly stderr: Collected; readonly cancelled: AbortSignal };

function worldOf(world: World, { stdin }: Line, { stdout, stderr, cancelled }: Streams): World {
  const { IIOT_OUTPUT: _shape, FORCE_COLOR: _color, ...env } = world.env;
  const stop = new AbortController();
  const passOn = (signal: AbortSignal, reason: () => unknown) => {
    if (signal.aborted) stop.abort(reason());
    signal.addEventListener('abort', () => stop.abort(reason()), { once: true });
  };
  passOn(world.interrupt, () => world.interrupt.reason);
  passOn(cancelled, () => new Failure('interrupted', 'The client has cancelled it.'));
  // Not by spreading: standard input opens as soon as it is looked at.
  return Object.create(world, {
    env: { value: { ...env, IIOT_NO_INPUT: '1' } },
    stdin: { value: Readable.from(stdin === undefined ? [] : [Buffer.from(stdin)]) },
    stdout: { value: stdout.stream },
    stderr: { value: stderr.stream },
    interrupt: { value: stop.signal },
  });
}

type Collected = { readonly stream: Writable; readonly text: () => string; readonly isWhole: () => boolean };

function collected(most: number): Collected {
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
