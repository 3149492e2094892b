/** Questions that redraw their line, for capable terminals. The only file that loads @inquirer/prompts. */
import type { Writable } from 'node:stream';
import { PassThrough } from 'node:stream';
import { visible } from '../text/visible.ts';
import { type Choice, type Questions, type Terminal, withPunctuation } from './questions.ts';
import type { Input } from './streams.ts';

const codes = { bold: [1, 22], cyan: [36, 39], red: [31, 39], dim: [2, 22] } as const;

/** Questions with line editing, a default and, for choices, arrow keys. Drawn on stderr. */
export function drawnQuestions({ stdin, stderr, color }: Terminal): Questions {
  const theme = { prefix: '?', style: styles(color), icon: { cursor: '>' } };
  const draw = async <T>(signal: AbortSignal, run: (prompts: Prompts, world: World) => Promise<T>): Promise<T> => {
    const prompts = await import('@inquirer/prompts');
    // This is only used at a terminal, where stderr is one of Node's streams.
    return withKeyboard(stdin, (input) => run(prompts, { input, output: stderr as Writable, signal }));
  };
  return {
    ask(question, { default: preset, check }, signal) {
      const validate = (answer: string) => check(answer) ?? true;
      const preselected = preset === undefined ? {} : { default: preset };
      const config = { message: withPunctuation(question), validate, theme, ...preselected };
      return draw(signal, ({ input }, world) => input(config, world));
    },
    confirm(question, signal) {
      const config = { message: withPunctuation(question), default: false, theme };
      return draw(signal, ({ confirm }, world) => confirm(config, world));
    },
    choose<T extends string>(question: string, choices: readonly Choice<T>[], signal: AbortSignal): Promise<T> {
      const named = choices.map(({ value, says }) => ({ value, name: says }));
      const config = { message: withPunctuation(question), choices: named, theme };
      return draw(signal, ({ select }, world) => select<T>(config, world));
    },
  };
}

type Prompts = typeof import('@inquirer/prompts');
type World = { readonly input: Input; readonly output: Writable; readonly signal: AbortSignal };

/** Sets every style explicitly, because the package would decide by stdout, which carries the result and is not where questions are shown. */
function styles(color: boolean) {
  const paint = (name: keyof typeof codes) => (text: string) =>
    color ? `\u001b[${codes[name][0]}m${text}\u001b[${codes[name][1]}m` : text;
  return {
    message: paint('bold'),
    answer: (text: string) => paint('cyan')(visible(text)),
    error: paint('red'),
    defaultAnswer: (text: string) => paint('dim')(`(${visible(text)})`),
    help: paint('dim'),
    highlight: paint('cyan'),
    keysHelpTip: () => paint('dim')('Up and down to move, Enter to choose'),
  };
}

/**
 * Passes the terminal's keys to a package's prompt while `run` runs. The package's readline throws from deep inside when its input breaks, for
 * example when a closed window breaks stdin. So its input here only carries keys, and a break is reported by the signal that ends the question.
 */
async function withKeyboard<T>(stdin: Input, run: (keyboard: Input) => Promise<T>): Promise<T> {
  const keys = new PassThrough();
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
