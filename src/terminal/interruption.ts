/** The ways a question ends without an answer, and the one failure that all of them become. */
import { emitKeypressEvents } from 'node:readline';
import { isatty } from 'node:tty';
import { Failure } from '../failure.ts';
import { onAbort } from '../text/abort.ts';
import type { Input } from './streams.ts';

const signals = {
  SIGINT: { by: undefined, exit: 130 },
  SIGHUP: { by: 'the terminal was closed', exit: 130 },
  SIGTERM: { by: 'it was asked to stop', exit: 143 },
} as const;

type Key = { readonly ctrl?: boolean; readonly name?: string };

/**
 * Runs one question until it is answered, and ends it on Ctrl-C, Ctrl-D, the end of stdin, SIGINT, SIGHUP, SIGTERM and `outer`.
 * `run` gets a signal, must let go of the terminal when it fires, and may then reject with whatever it likes: what is thrown
 * is `outer`'s reason where that is a `Failure`, else a `Failure` of kind interrupted (exit 130; 143 for SIGTERM).
 */
export async function untilAnswered<T>(
  question: string,
  stdin: Input,
  outer: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const control = new AbortController();
  const stop = (by?: string, exit = 130) => control.abort(unanswered(question, by, exit));
  const letGo = [listenToInput(stdin, stop), listenToSignals(stdin, stop)];
  if (outer) {
    const outerStop = () => (outer.reason instanceof Failure ? control.abort(outer.reason) : stop());
    letGo.push(onAbort(outer, outerStop));
  }
  try {
    if (stdin.readableEnded || stdin.destroyed) stop('the input has ended');
    control.signal.throwIfAborted();
    return await run(control.signal);
  } catch (error) {
    throw control.signal.aborted ? control.signal.reason : error;
  } finally {
    for (const release of letGo) release();
    // A stdin that flows keeps the process alive.
    stdin.pause();
  }
}

/** `by`: what ended it, where that was not the person. */
function unanswered(question: string, by: string | undefined, exit: number): Failure {
  const sentence = by === undefined ? 'Cancelled.' : `No answer to "${question}": ${by}.`;
  return new Failure('interrupted', sentence, { exit });
}

/**
 * In raw mode, Ctrl-C and Ctrl-D are keys. Ctrl-D always ends the question: readline would close on an empty line without telling
 * the prompt above it, which then waits for ever.
 */
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
 * A terminal that is closed ends stdin or breaks it, and sends SIGHUP, in any order and more than once. From the first of them on
 * the command ends by itself, and this keeps the others from killing it half-way. May be called again and again.
 */
function outliveHangUp(stdin: Input): void {
  if (process.listeners('SIGHUP').includes(ignore)) return;
  process.on('SIGHUP', ignore);
  stdin.on('error', ignore);
  process.once('exit', () => dieWithTerminal(stdin));
}

function ignore(): void {}
/**
 * Node restores the terminal's settings as the very last thing, and aborts with a core dump where that fails because there is no
 * terminal any more. By then the default end of a closed terminal is the better one.
 */
function dieWithTerminal(stdin: Input): void {
  if (stdin.isTTY !== true || isatty(0)) return;
  process.removeAllListeners('SIGHUP');
  process.kill(process.pid, 'SIGHUP');
}
