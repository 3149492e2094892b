/** The ways a question can end without an answer, all turned into one kind of failure. */
import { emitKeypressEvents, type Key } from 'node:readline';
import { isatty } from 'node:tty';
import { Failure } from '../failure.ts';
import { onAbort } from '../text/abort.ts';
import type { Input } from './streams.ts';

const signals = {
  SIGINT: { by: undefined, exit: 130 },
  SIGHUP: { by: 'the terminal was closed', exit: 130 },
  SIGTERM: { by: 'it was asked to stop', exit: 143 },
} as const;

/**
 * Runs one question until it is answered, and ends it on Ctrl-C, Ctrl-D, the end of stdin, SIGINT, SIGHUP, SIGTERM and `outer`.
 * When `run`'s signal fires, it must release the terminal, and may reject with anything: this function throws `outer`'s reason if that is a
 * `Failure`, otherwise a `Failure` of kind interrupted (exit 130; 143 for SIGTERM).
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

/** In raw mode, Ctrl-C and Ctrl-D are keys. Ctrl-D always ends the question: on an empty line, readline would close, and the prompt wait for ever. */
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
  const listeners = Object.entries(signals).map(([name, { by, exit }]) => {
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
 * Closing a terminal ends or breaks stdin and sends SIGHUP, in any order and more than once. After the first of these the command ends by itself, and
 * this keeps the others from killing it before that. May be called repeatedly.
 */
function outliveHangUp(stdin: Input): void {
  if (process.listeners('SIGHUP').includes(ignore)) return;
  process.on('SIGHUP', ignore);
  stdin.on('error', ignore);
  process.once('exit', () => dieWithTerminal(stdin));
}

function ignore(): void {}

/** Node restores the terminal's settings at the very end, and dumps core if the terminal is gone. Then it is better to die from SIGHUP. */
function dieWithTerminal(stdin: Input): void {
  if (stdin.isTTY !== true || isatty(0)) return;
  process.removeAllListeners('SIGHUP');
  process.kill(process.pid, 'SIGHUP');
}

/** Stops, until a shell continues it, as the terminal does with Ctrl-Z in its other mode: what is typed next is a command, and no answer. */
export function stopGroup(): void {
  if (process.platform !== 'win32') process.kill(0, 'SIGTSTP');
}

/** Leaves Ctrl-C to another program at this terminal. Returns a function that listens again as before. */
export function ignoreInterrupts(): () => void {
  const listeners = process.rawListeners('SIGINT') as NodeJS.SignalsListener[];
  process.removeAllListeners('SIGINT').on('SIGINT', ignore);
  return () => {
    process.removeListener('SIGINT', ignore);
    for (const listener of listeners) process.on('SIGINT', listener);
  };
}
