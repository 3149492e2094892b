/** Asks questions, either on a line that is redrawn, or in plain lines for screen readers (ACCESSIBLE) and simple terminals (TERM=dumb). */
import { createInterface } from 'node:readline/promises';
import { visible } from '../text/visible.ts';
import { discardTyped } from './hidden.ts';
import type { PickList } from './picker.ts';
import type { Input, Output, PromptStreams } from './streams.ts';
import { dropResponses } from './typed.ts';

type Terminal = { readonly stdin: Input; readonly stderr: Output };

export type Check = (answer: string) => string | undefined;

/** Asks questions whose texts are safe to show. Each function rejects when `signal` fires, and restores the terminal. */
export type Questions = {
  ask(question: string, check: Check, signal: AbortSignal): Promise<string>;
  confirm(question: string, signal: AbortSignal): Promise<boolean>;
  pick<T>(question: string, list: PickList<T>, signal: AbortSignal): Promise<T>;
};

/** "Tenant path" becomes "Tenant path:"; a question with its own punctuation keeps it. */
export function withPunctuation(question: string): string {
  return /[?:.!]$/.test(question) ? question : `${question}:`;
}

/** Questions with line editing and, for lists, arrow keys. Drawn on stderr. */
export function drawnQuestions({ stdin, stderr }: Terminal): Questions {
  // This is only used at a terminal, where stderr is one of Node's streams.
  const output = stderr as PromptStreams['output'];
  const draw = async <T>(signal: AbortSignal, run: (prompts: Prompts, world: PromptStreams) => Promise<T>) => {
    const prompts = await import('@inquirer/prompts');
    return withKeyboard(stdin, (input) => run(prompts, { input, output, signal }));
  };
  return {
    ask(question, check, signal) {
      const validate = (answer: string) => check(answer) ?? true;
      const config = { message: withPunctuation(question), validate, theme };
      return draw(signal, ({ input }, world) => input(config, world));
    },
    confirm(question, signal) {
      const config = { message: withPunctuation(question), default: false, theme };
      return draw(signal, ({ confirm }, world) => confirm(config, world));
    },
    async pick(question, list, signal) {
      const { pickFromDrawing } = await import('./picker.ts');
      return withKeyboard(stdin, (input) =>
        pickFromDrawing(withPunctuation(question), list, { input, output, signal }),
      );
    },
  };
}

type Prompts = typeof import('@inquirer/prompts');

const unstyled = (text: string) => text;

/** Sets every style. The package would decide on colours by stdout, but questions are shown on stderr. */
const theme = {
  prefix: '?',
  style: {
    message: unstyled,
    answer: (text: string) => visible(text),
    error: unstyled,
    defaultAnswer: (text: string) => `(${text})`,
  },
};

/**
 * Passes the terminal's keys to a package's prompt while `run` runs. The package's readline would throw from deep inside when stdin breaks, as it does
 * when a window is closed. So it reads from a stream of keys that never breaks, and a signal ends the question.
 */
async function withKeyboard<T>(stdin: Input, run: (keyboard: Input) => Promise<T>): Promise<T> {
  const keys = dropResponses();
  const keyboard = Object.assign(keys, {
    isTTY: true,
    setRawMode: (raw: boolean) => stdin.setRawMode?.(raw),
  });
  // After Ctrl-Z and `fg`, readline leaves its input paused.
  const onContinue = () => setImmediate(() => keys.resume());
  process.on('SIGCONT', onContinue);
  stdin.pipe(keys);
  try {
    return await run(keyboard);
  } finally {
    process.removeListener('SIGCONT', onContinue);
    stdin.unpipe(keys);
  }
}

/** Questions in plain lines, which the terminal itself echoes and edits. After a refused answer, a line says why, and the question is repeated. */
export function plainQuestions({ stdin, stderr }: Terminal): Questions {
  async function askUntilAccepted(prompt: string, check: Check, signal: AbortSignal): Promise<string> {
    await discardTyped(stdin);
    for (;;) {
      stderr.write(`${prompt} `);
      const line = await readPlainLine(stdin, signal).catch(endLine);
      const refusal = check(line);
      if (refusal === undefined) return line;
      stderr.write(`${refusal}\n`);
    }
  }
  /** Starts a new line, so that the next output does not continue the line of an unanswered question. */
  function endLine(reason: unknown): never {
    stderr.write('\n');
    throw reason;
  }
  return {
    ask: (question, check, signal) => askUntilAccepted(withPunctuation(question), check, signal),
    async confirm(question, signal) {
      const check = (line: string) => (/^(y|yes|n|no)?$/i.test(line.trim()) ? undefined : 'Answer y or n.');
      const answer = await askUntilAccepted(`${withPunctuation(question)} (y/N)`, check, signal);
      return /^y/i.test(answer.trim());
    },
    async pick(question, list, signal) {
      const { pickFromLines } = await import('./picker.ts');
      stderr.write(`${withPunctuation(question)}\n`);
      const ask = (prompt: string) => askUntilAccepted(prompt, () => undefined, signal);
      return pickFromLines(list, { stderr, signal, ask });
    },
  };
}

async function readPlainLine(input: Input, signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input, terminal: false, crlfDelay: Number.POSITIVE_INFINITY });
  // The signal already ends the question when stdin breaks; readline would throw, too.
  lines.on('error', () => {});
  return lines.question('', { signal }).finally(() => lines.close());
}
