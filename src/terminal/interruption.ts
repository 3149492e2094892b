/** The ways a question ends without an answer, and the one failure that all of them become. */
import { emitKeypressEvents } from 'node:readline';
import { Failure } from '../failure.ts';
import { outliveHangUp } from './hang-up.ts';
import type { Input } from './streams.ts';

const signals = {
  SIGINT: { by: 'it was interrupted', exit: 130 },
  SIGHUP: { by: 'the terminal was closed', exit: 130 },
  SIGTERM: { by: 'it was told to end', exit: 143 },
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
  const stop = (by: string, exit = 130) => control.abort(unanswered(question, by, exit));
  const outerStop = () => (outer?.reason instanceof Failure ? control.abort(outer.reason) : stop('it was interrupted'));
  const letGo = [listenToInput(stdin, stop), listenToSignals(stdin, stop)];
  outer?.addEventListener('abort', outerStop, { once: true });
  try {
    if (outer?.aborted) outerStop();
    if (stdin.readableEnded || stdin.destroyed) stop('the input has ended');
    control.signal.throwIfAborted();
    return await run(control.signal);
  } catch (error) {
    throw control.signal.aborted ? control.signal.reason : error;
  } finally {
    outer?.removeEventListener('abort', outerStop);
    for (const release of letGo) release();
    // A stdin that flows keeps the process alive.
    stdin.pause();
  }
}

function unanswered(question: string, by: string, exit: number): Failure {
  return new Failure('interrupted', `The question "${question}" was not answered: ${by}.`, { exit });
}

/**
 * In raw mode, Ctrl-C and Ctrl-D are keys. Ctrl-D always ends the question: readline would close on an empty line without telling
 * the prompt above it, which then waits for ever.
 */
function listenToInput(stdin: Input, stop: (by: string) => void): () => void {
  const onKey = (_text: string | undefined, key: Key) => {
    if (key.ctrl && key.name === 'c') stop('Ctrl-C was pressed');
    if (key.ctrl && key.name === 'd') stop('Ctrl-D was pressed');
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

function listenToSignals(stdin: Input, stop: (by: string, exit: number) => void): () => void {
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
