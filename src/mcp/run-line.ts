/** Runs the command line of a tool. */
import { Readable, Writable } from 'node:stream';
import type { Context, World } from '../command/context.ts';
import { Failure } from '../failure.ts';
import { onAbort } from '../text/abort.ts';
import type { ToolLine } from './line.ts';

/** What a command line ended with, and what it printed. */
export type LineResult = { readonly exit: number; readonly stdout: string; readonly stderr: string };

/** In bytes. An agent reads all of an answer. */
const largestAnswer = 1024 * 1024;

/** Runs one command line in this process, without prompts and with its streams in memory. @param cancelled ends it */
export async function runLine(line: ToolLine, context: Context, cancelled: AbortSignal): Promise<LineResult> {
  const stdout = captureOutput(largestAnswer);
  const stderr = captureOutput(largestAnswer);
  const { world } = context;
  const { IIOT_OUTPUT: _shape, FORCE_COLOR: _color, ...env } = world.env;
  const stop = new AbortController();
  const stopListening = [
    onAbort(world.interrupt, () => stop.abort(world.interrupt.reason)),
    onAbort(cancelled, () => stop.abort(new Failure('interrupted', 'The client has cancelled it.'))),
  ];
  // A spread would read `stdin`, and reading it opens standard input.
  const innerWorld: World = Object.create(world, {
    env: { value: { ...env, IIOT_NO_INPUT: '1' } },
    stdin: { value: Readable.from(line.stdin === undefined ? [] : [Buffer.from(line.stdin)]) },
    stdout: { value: stdout.stream },
    stderr: { value: stderr.stream },
    interrupt: { value: stop.signal },
  });
  const exit = await context
    .run(commandWords(line, context, ['--output=json', '--no-input']), innerWorld)
    .finally(() => {
      for (const end of stopListening) end();
    });
  if (!stdout.isWhole()) {
    const error = {
      error: { code: 'usage', message: 'The result is larger than 1 MiB.', hint: 'Ask for less: limit, skip, name' },
    };
    return { exit: 2, stdout: '', stderr: JSON.stringify(error) };
  }
  return { exit, stdout: stdout.text(), stderr: stderr.text() };
}

/** The words of the command line to run. @param more options that the agent does not choose */
export function commandWords(line: ToolLine, context: Context, more: readonly string[] = []): string[] {
  const { words, options, positional } = line;
  // After "--" nothing is an option.
  const operands = positional.length > 0 ? ['--', ...positional] : [];
  return [...words, ...inheritedOptions(context, line), ...options, ...more, ...operands];
}

/** Options of `iiot mcp` itself that apply to each tool that takes them. */
const inheritable = new Set(
  'profile baseUrl org requestTimeout retries caFile clientCert clientKey readOnly'.split(' '),
);

function inheritedOptions({ options, settings }: Context, { options: given, global }: ToolLine): string[] {
  const own = { ...options, profile: settings.profile.value };
  return global.flatMap(({ name, long }) => {
    const value = inheritable.has(name) ? own[name as keyof typeof own] : undefined; // its names are those of options
    if (value === true) return [`--${long}`];
    return value === undefined || given.some((word) => word.startsWith(`--${long}=`)) ? [] : [`--${long}=${value}`];
  });
}

/** A stream that keeps what is written to it. @param limit in bytes: what is longer is cut off */
function captureOutput(limit: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  const stream = new Writable({
    write(chunk, _encoding, done) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size <= limit) chunks.push(bytes);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8'), isWhole: () => size <= limit };
}
