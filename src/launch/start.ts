import type { World } from '../command/context.ts';
import { Failure } from '../failure.ts';
import { main } from '../main.ts';
import { ignoreError } from '../text/ignore-error.ts';
import { standardOutput } from './standard-output.ts';

/** Runs the command line of this process, and exits with its code once all output is written. @param self the words that run this program again */
export async function start(
  process: NodeJS.Process,
  self = [process.execPath, process.argv[1] ?? ''],
  text?: World['text'],
  keepProgram?: World['keepProgram'],
): Promise<void> {
  // A process that ends early must not report success.
  process.exitCode = 1;
  explainLackOfMemory(process);
  const streams: NodeJS.WriteStream[] = [];
  const track = (stream: NodeJS.WriteStream) => {
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
    stdout: standardOutput(1, () => track(process.stdout)),
    stderr: standardOutput(2, () => track(process.stderr)),
    now: Date.now,
    // `performance` would have to be loaded.
    monotonic() {
      const [seconds, nanoseconds] = process.hrtime();
      return seconds * 1000 + nanoseconds / 1e6;
    },
    random: Math.random,
    interrupt: listenForSignals(process),
    limitHeapGrowth: heap.limit,
  };
  process.exitCode = await main(process.argv.slice(2), world);
  await heap.end();
  // A normal exit would take its time, and wait for results that nobody needs any more, such as those of a name server after a Tab.
  if (streams.every(({ writableLength }) => writableLength === 0)) process.exit();
}

/** Aborts the returned signal on the first SIGINT, SIGTERM or SIGHUP; a second one ends the process at once. */
function listenForSignals(process: NodeJS.Process): AbortSignal {
  const interrupt = new AbortController();
  for (const [signal, exit] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    const onSignal = () => {
      // With nohup or in the background. Node forgets at its start that nohup ignores the signal.
      if (signal === 'SIGHUP' && !hasTerminal()) return;
      process.removeListener(signal, onSignal);
      interrupt.abort(new Failure('interrupted', `Stopped by ${signal}.`, { exit }));
    };
    process.on(signal, onSignal);
  }
  return interrupt.signal;
}

/** Handles the one expected error that no caller can catch: undici compiles its WebAssembly in the background. */
function explainLackOfMemory(process: NodeJS.Process): void {
  // With a listener, Node would write no report.
  if (process.report.reportOnUncaughtException) return;
  process.once('uncaughtException', (error) => {
    const lacksMemory = error instanceof RangeError && error.message.startsWith('WebAssembly');
    const sentence = 'error: This process may not use enough memory.\nhint: Raise the limit: ulimit -v unlimited';
    process.stderr.write(`${lacksMemory ? sentence : error.stack}\n`);
    process.exit(1);
  });
}

/** Whether one of the three streams is a terminal, or was one before it was closed. */
function hasTerminal(): boolean {
  const { fstatSync, statSync } = process.getBuiltinModule('node:fs');
  return [0, 1, 2].some((file) => {
    const found = ignoreError(() => fstatSync(file));
    return found?.isCharacterDevice() === true && found.rdev !== ignoreError(() => statSync('/dev/null'))?.rdev;
  });
}

/** The environment of the process. Hides NODE_TLS_REJECT_UNAUTHORIZED from Node, which would warn although it has no effect here. */
function environmentOf(process: NodeJS.Process): NodeJS.ProcessEnv {
  if (process.env.NODE_TLS_REJECT_UNAUTHORIZED === undefined) return process.env;
  const given = { ...process.env };
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  return given;
}

/** V8's defaults. Code that was cached with other values is rejected. */
const defaultFlags = ['--heap-growing-percent=0', '--semi-space-growth-factor=2'];

/** Enough memory for the young objects of several pages of a list, so that V8 does not collect garbage after each page. */
const youngSpaceBytes = 4 * 2 ** 20;

/** Keeps the heap small during long work: by default, V8 lets it grow to twice its size before it collects the garbage of a long list. */
function openHeapLimit() {
  let isLimited = false;
  let isYoungLimited = false;
  return {
    /** Call it after each page: the space of young objects is limited only once it has reached its size. */
    async limit(generations: 'old' | 'all'): Promise<void> {
      if (isYoungLimited || (isLimited && generations === 'old')) return;
      const { setFlagsFromString, getHeapSpaceStatistics } = await import('node:v8');
      if (!isLimited) setFlagsFromString('--heap-growing-percent=30');
      isLimited = true;
      if (generations === 'old') return;
      const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
      if (young && young.space_size < youngSpaceBytes) return;
      setFlagsFromString('--semi-space-growth-factor=1');
      isYoungLimited = true;
    },
    /** Restores the defaults. Call it before compiled code is cached. */
    async end(): Promise<void> {
      if (!isLimited) return;
      const { setFlagsFromString } = await import('node:v8');
      for (const flag of defaultFlags) setFlagsFromString(flag);
    },
  };
}
