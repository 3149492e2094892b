/** Ends questions without an answer: each way to interrupt one becomes the same kind of failure. */
import { emitKeypressEvents, type Key } from 'node:readline';
import { isatty } from 'node:tty';
import { Failure } from '../failure.ts';
import { onAbort } from '../text/abort.ts';
import type { Input } from './streams.ts';

const endingSignals = {
  SIGINT: { by: undefined, exit: 130 },
  SIGHUP: { by: 'the terminal was closed', exit: 130 },
  SIGTERM: { by: 'it was asked to stop', exit: 143 },
} as const;

/**
 * Runs one question until it is answered, and ends it on Ctrl-C, Ctrl-D, the end of stdin, SIGINT, SIGHUP, SIGTERM and `outer`.
 * @param run asks the question; when its signal fires, it must release the terminal and reject
 * @throws the reason of `outer` if that is a `Failure`, otherwise a `Failure` of kind interrupted (exit 130; 143 for SIGTERM)
 */
export async function untilAnswered<T>(
  question: string,
  stdin: Input,
  outer: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const control = new AbortController();
  /** `by`: what ended the question, unless the user did. */
  const stop = (by?: string, exit = 130) => {
    const sentence = by === undefined ? 'Cancelled.' : `No answer to "${question}": ${by}.`;
    control.abort(new Failure('interrupted', sentence, { exit }));
  };
  const releases = [listenToInput(stdin, stop), listenToSignals(stdin, stop)];
  if (outer) {
    const outerStop = () => (outer.reason instanceof Failure ? control.abort(outer.reason) : stop());
    releases.push(onAbort(outer, outerStop));
  }
  try {
    if (stdin.readableEnded || stdin.destroyed) stop('the input has ended');
    control.signal.throwIfAborted();
    return await run(control.signal);
  } catch (error) {
    throw control.signal.aborted ? control.signal.reason : error;
  } finally {
    for (const release of releases) release();
    // A flowing stdin keeps the process alive.
    stdin.pause();
  }
}

/** Stops at the end of stdin, and at Ctrl-C and Ctrl-D, which are keys in raw mode. On Ctrl-D readline would close, and the prompt would wait for ever. */
function listenToInput(stdin: Input, stop: (by?: string) => void): () => void {
  const onKey = (_text: string | undefined, key: Key) => {
    if (key.ctrl && (key.name === 'c' || key.name === 'd')) stop();
  };
  const onEnd = () => {
    outliveHangUp(stdin);
    stop('the input has ended');
  };
  const listeners = { keypress: onKey, end: onEnd, close: onEnd, error: onEnd };
  emitKeypressEvents(stdin);
  for (const [event, listener] of Object.entries(listeners)) stdin.on(event, listener);
  return () => {
    for (const [event, listener] of Object.entries(listeners)) stdin.removeListener(event, listener);
  };
}

function listenToSignals(stdin: Input, stop: (by: string | undefined, exit: number) => void): () => void {
  const listeners = Object.entries(endingSignals).map(([name, { by, exit }]) => {
    const listener = () => {
      if (name === 'SIGHUP') outliveHangUp(stdin);
      stop(by, exit);
    };
    return { name, listener };
  });
  for (const { name, listener } of listeners) process.on(name, listener);
  return () => {
    for (const { name, listener } of listeners) process.removeListener(name, listener);
  };
}

/**
 * Keeps the process alive when its terminal is closed, which ends or breaks stdin and sends SIGHUP, in any order and more than once. The first of these
 * ends the command, and the others must not kill it before. May be called repeatedly.
 */
function outliveHangUp(stdin: Input): void {
  if (process.listeners('SIGHUP').includes(ignore)) return;
  process.on('SIGHUP', ignore);
  stdin.on('error', ignore);
  process.once('exit', () => dieWithTerminal(stdin));
}

function ignore(): void {}

/** Ends the process by SIGHUP if the terminal is gone: at its very end, Node would restore the terminal's settings, and dump core. */
function dieWithTerminal(stdin: Input): void {
  if (stdin.isTTY !== true || isatty(0)) return;
  process.removeAllListeners('SIGHUP');
  process.kill(process.pid, 'SIGHUP');
}

/** Suspends the process group until the shell continues it, as the terminal does at Ctrl-Z outside of raw mode. */
export function suspendGroup(): void {
  if (process.platform !== 'win32') process.kill(0, 'SIGTSTP');
}

/** Ignores Ctrl-C, for another program at this terminal. Returns a function that restores the listeners. */
export function ignoreInterrupts(): () => void {
  const listeners = process.rawListeners('SIGINT') as NodeJS.SignalsListener[];
  process.removeAllListeners('SIGINT').on('SIGINT', ignore);
  return () => {
    process.removeListener('SIGINT', ignore);
    for (const listener of listeners) process.on('SIGINT', listener);
  };
}
