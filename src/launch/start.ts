import type { World } from '../command/context.ts';
import { Failure } from '../failure.ts';
import { main } from '../main.ts';
import { openHeapLimit } from './heap-limit.ts';
import { standardOutput } from './standard-output.ts';

/**
 * Runs the command line of this process, and exits with its exit code once all output is written.
 * @param self the words that call this program again
 * @param text returns a text that the build has written, by its path in the package
 */
export async function start(
  process: NodeJS.Process,
  self = [process.execPath, process.argv[1] ?? ''],
  text?: World['text'],
): Promise<void> {
  // A process that ends early must not report success.
  process.exitCode = 1;
  const interrupt = new AbortController();
  for (const [signal, exit] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 130],
  ] as const) {
    // Only once: a second signal ends the process at once, as it would without this handler.
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
    // Usually not called: most environments set the home folder.
    homedir: () => process.getBuiltinModule('node:os').homedir(),
    ...(process.getuid && { uid: process.getuid() }),
    nodeVersion: process.versions.node,
    self,
    ...(text && { text }),
    get stdin() {
      return process.stdin;
    },
    // A reader that goes away is not an error; the write itself reports what could not be written.
    stdout: standardOutput(1, () => opened(process.stdout)),
    stderr: standardOutput(2, () => opened(process.stderr)),
    now: Date.now,
    // `performance` would have to be loaded.
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
  // A normal exit would tear everything down piece by piece, and wait for results that nobody needs any more: after a Tab, for a name server that
  // does not answer.
  if (streams.every(({ writableLength }) => writableLength === 0)) process.exit();
}

/** The environment as it was given. NODE_TLS_REJECT_UNAUTHORIZED has no effect here, but Node would warn as if it had. */
function environmentOf(process: NodeJS.Process): NodeJS.ProcessEnv {
  if (process.env.NODE_TLS_REJECT_UNAUTHORIZED === undefined) return process.env;
  const given = { ...process.env };
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  return given;
}
