/** Questions as plain lines that never redraw: for screen readers (ACCESSIBLE) and simple terminals (TERM=dumb). */
import { createInterface } from 'node:readline';
import { onAbort } from '../text/abort.ts';
import { visible } from '../text/visible.ts';
import { discardTyped } from './hidden.ts';
import { type Choice, type Questions, type Terminal, withPunctuation } from './questions.ts';
import type { Input } from './streams.ts';

const answers: Readonly<Record<string, boolean>> = { y: true, yes: true, n: false, no: false, '': false };

/** Questions read line by line; the terminal itself echoes and edits. A refused answer is explained on a line, and the question is repeated. */
export function plainQuestions({ stdin, stderr }: Terminal): Questions {
  /** `accept` turns a line into an answer, or into a sentence that says what is wrong with it. */
  async function repeat<T>(
    prompt: string,
    accept: (line: string) => AnswerOrRefusal<T>,
    signal: AbortSignal,
  ): Promise<T> {
    await discardTyped(stdin);
    for (;;) {
      stderr.write(`${prompt} `);
      const accepted = accept(await readLine(stdin, signal).catch(endLine));
      if ('answer' in accepted) return accepted.answer;
      stderr.write(`${accepted.refusal}\n`);
    }
  }
  /** Starts a new line, so that the next output does not continue the line of an unanswered question. */
  function endLine(reason: unknown): never {
    stderr.write('\n');
    throw reason;
  }
  return {
    ask(question, { default: preset, check }, signal) {
      const accept = (line: string): AnswerOrRefusal<string> => {
        const answer = line === '' ? (preset ?? '') : line;
        const refusal = check(answer);
        return refusal === undefined ? { answer } : { refusal };
      };
      const shown = preset === undefined ? question : `${question} (default: ${visible(preset)})`;
      return repeat(withPunctuation(shown), accept, signal);
    },
    confirm(question, signal) {
      return repeat(`${withPunctuation(question)} (y/N)`, acceptYesOrNo, signal);
    },
    choose<T extends string>(question: string, choices: readonly Choice<T>[], signal: AbortSignal): Promise<T> {
      stderr.write(`${withPunctuation(question)}\n`);
      for (const [index, { says }] of choices.entries()) stderr.write(`${index + 1}) ${says}\n`);
      return repeat('Enter a number:', (line) => acceptNumber(line, choices), signal);
    },
  };
}

type AnswerOrRefusal<T> = { readonly answer: T } | { readonly refusal: string };

function acceptYesOrNo(line: string): AnswerOrRefusal<boolean> {
  const answer = answers[line.trim().toLowerCase()];
  return answer === undefined ? { refusal: 'Answer y or n.' } : { answer };
}

function acceptNumber<T extends string>(line: string, choices: readonly Choice<T>[]): AnswerOrRefusal<T> {
  const chosen = /^\s*\d+\s*$/.test(line) ? choices[Number(line) - 1] : undefined;
  return chosen ? { answer: chosen.value } : { refusal: `That is not a number from 1 to ${choices.length}.` };
}

function readLine(stdin: Input, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: stdin, terminal: false, crlfDelay: Number.POSITIVE_INFINITY });
    const close = () => lines.removeAllListeners('line').close();
    // The signal already ends the question when stdin breaks; readline would throw, too.
    lines.on('error', () => {});
    lines.once('line', (line) => {
      unsubscribe();
      close();
      resolve(line);
    });
    const unsubscribe = onAbort(signal, () => {
      close();
      reject(signal.reason);
    });
  });
}
