import type { World } from '../command/context.ts';
import { Failure } from '../failure.ts';
import { main } from '../main.ts';
import { openHeapLimit } from './heap-limit.ts';
import { standardOutput } from './standard-output.ts';

/**
 * Runs the command line of this process, and ends it with its exit code once everything is written.
 * @param self how this program is called again, before its own words
 * @param text gives what the build has written, by its path in the package
 */
export async function start(
  process: NodeJS.Process,
  self = [process.execPath, process.argv[1] ?? ''],
  text?: World['text'],
): Promise<void> {
  // Whatever ends this process early has not succeeded.
  process.exitCode = 1;
  const interrupt = new AbortController();
  for (const [signal, exit] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 130],
  ] as const) {
    // Once: a second signal ends the process at once, as it would without us.
    process.once(signal, () => interrupt.abort(new Failure('interrupted', `Stopped by ${signal}.`, { exit })));
  }
  const streams: NodeJS.WriteStream[] = [];
  const opened = (stream: NodeJS.WriteStream) => {
    streams.push(stream);
    return stream.on('error', () => undefined);
  };
  const heap = openHeapLimit();
  const world: World = {
    env: environmentOf(process),
    platform: process.platform,
    // Most environments tell it by themselves.
    homedir: () => process.getBuiltinModule('node:os').homedir(),
    ...(process.getuid && { uid: process.getuid() }),
    nodeVersion: process.versions.node,
    self,
    ...(text && { text }),
    get stdin() {
      return process.stdin;
    },
    // A reader that goes away is no error; what could not be written is told by the write itself.
    stdout: standardOutput(1, () => opened(process.stdout)),
    stderr: standardOutput(2, () => opened(process.stderr)),
    now: Date.now,
    // `performance` would be loaded for it.
    monotonic() {
      const [seconds, nanoseconds] = process.hrtime();
      return seconds * 1000 + nanoseconds / 1e6;
    },
    random: Math.random,
    interrupt: interrupt.signal,
    limitHeapGrowth: heap.limit,
  };
  process.exitCode = await main(process.argv.slice(2), world);
  await heap.end();
  // Without being told to, Node takes everything down piece by piece first, and waits for what nobody wants any more: for who has pressed Tab, a
  // name server that gives no answer.
  if (streams.every(({ writableLength }) => writableLength === 0)) process.exit();
}

/** The environment as it was given. NODE_TLS_REJECT_UNAUTHORIZED has no effect here, and Node would warn as if it had. */
function environmentOf(process: NodeJS.Process): NodeJS.ProcessEnv {
  if (process.env.NODE_TLS_REJECT_UNAUTHORIZED === undefined) return process.env;
  const given = { ...process.env };
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  return given;
}
