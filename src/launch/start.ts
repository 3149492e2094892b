import type { World } from '../command/context.ts';
import { Failure } from '../failure.ts';
import { main } from '../main.ts';
import { ignoreError } from '../text/ignore-error.ts';
import { standardOutput } from './standard-output.ts';

/** Runs the command line of this process, and exits with its code once all output is written. @param self the words that call this program again */
export async function start(
  process: NodeJS.Process,
  self = [process.execPath, process.argv[1] ?? ''],
  text?: World['text'],
  keepProgram?: World['keepProgram'],
): Promise<void> {
  // A process that ends early must not report success.
  process.exitCode = 1;
  const interrupt = new AbortController();
  for (const [signal, exit] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    const onSignal = () => {
      // What nohup and a background job have: Node forgets at its start that nohup ignores the signal.
      if (signal === 'SIGHUP' && !hasTerminal()) return;
      // Only once: a second signal ends the process at once, as it would without this handler.
      process.removeListener(signal, onSignal);
      interrupt.abort(new Failure('interrupted', `Stopped by ${signal}.`, { exit }));
    };
    process.on(signal, onSignal);
  }
  // undici begins to compile its WebAssembly where no caller can catch it. With a listener, Node would write no report.
  if (!process.report.reportOnUncaughtException)
    process.once('uncaughtException', (error) => {
      const lacksMemory = error instanceof RangeError && error.message.startsWith('WebAssembly');
      const sentence = 'error: This process may not use enough memory.\nhint: Raise the limit: ulimit -v unlimited';
      process.stderr.write(`${lacksMemory ? sentence : error.stack}\n`);
      process.exit(1);
    });
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
    accountHome: () => process.getBuiltinModule('node:os').userInfo().homedir,
    ...(process.getuid && { uid: process.getuid() }),
    nodeVersion: process.versions.node,
    self,
    ...(text && { text }),
    ...(keepProgram && { keepProgram }),
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

/** Whether one of the three streams is a terminal, or was one before it was closed. */
function hasTerminal(): boolean {
  const { fstatSync, statSync } = process.getBuiltinModule('node:fs');
  return [0, 1, 2].some((file) => {
    const found = ignoreError(() => fstatSync(file));
    return found?.isCharacterDevice() === true && found.rdev !== ignoreError(() => statSync('/dev/null'))?.rdev;
  });
}

/** The environment as it was given. NODE_TLS_REJECT_UNAUTHORIZED has no effect here, but Node would warn as if it had. */
function environmentOf(process: NodeJS.Process): NodeJS.ProcessEnv {
  if (process.env.NODE_TLS_REJECT_UNAUTHORIZED === undefined) return process.env;
  const given = { ...process.env };
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  return given;
}

/** V8's defaults. Cached code runs only with the same values. */
const usual = ['--heap-growing-percent=0', '--semi-space-growth-factor=2'];

/** The memory of young objects that may be in use, in bytes: several pages of a list, so that not each of them is followed by a collection. */
const enoughForTheYoung = 4 * 2 ** 20;

/** Keeps the heap small until the end of the work: V8 lets it grow to twice what one page needs before it collects what a long list leaves behind. */
function openHeapLimit() {
  let isLimited = false;
  let isYoungLimited = false;
  return {
    /** May be called again and again: young objects are limited only once they have enough. */
    async limit(what: 'old' | 'all'): Promise<void> {
      if (isYoungLimited || (isLimited && what === 'old')) return;
      const { setFlagsFromString, getHeapSpaceStatistics } = await import('node:v8');
      if (!isLimited) setFlagsFromString('--heap-growing-percent=30');
      isLimited = true;
      if (what === 'old') return;
      const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
      if (young && young.space_size < enoughForTheYoung) return;
      setFlagsFromString('--semi-space-growth-factor=1');
      isYoungLimited = true;
    },
    /** Call this before compiled code is cached. */
    async end(): Promise<void> {
      if (!isLimited) return;
      const { setFlagsFromString } = await import('node:v8');
      for (const flag of usual) setFlagsFromString(flag);
    },
  };
}
