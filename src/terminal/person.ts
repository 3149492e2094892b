/** The user at the terminal, if there is one. */
import { usage } from '../failure.ts';
import { wrapAnyWords } from '../output/text-width.ts';
import { type Environment, isLost, isOn } from '../text/environment.ts';
import { visible } from '../text/visible.ts';
import { readHidden } from './hidden.ts';
import { untilAnswered } from './interruption.ts';
import type { PickList } from './picker.ts';
import { type Check, drawnQuestions, plainQuestions, withPunctuation } from './questions.ts';
import { type Input, isPlain, type Output } from './streams.ts';

type PersonWorld = {
  readonly stdin: Input;
  readonly stderr: Output;
  readonly env: Environment;
  readonly noInput: boolean;
  /** Ends the current question, which throws the signal's reason if that is a `Failure`. */
  readonly signal?: AbortSignal;
  readonly label?: { readonly text: string; readonly painted: string } | undefined;
  /** Called before each question; returns a function that is called after it. */
  readonly begin?: () => () => void;
};

export type Person = {
  /** Whether somebody can answer. If not, callers name the missing option; asking anyway is a usage failure, and never waits. */
  readonly canAnswer: boolean;
  /** Why nobody can answer, as the end of a sentence: "not a terminal". Empty if somebody can. */
  readonly obstacle: string;
  /** The answer exactly as typed, not trimmed. `check` returns a sentence to refuse it. */
  ask(question: string, options?: { readonly check?: Check }): Promise<string>;
  /** A password or secret: never echoed, not even its length; not empty, and without a byte order mark. */
  secret(question: string): Promise<string>;
  /** Enter means no. */
  confirm(question: string): Promise<boolean>;
  /** The value of the row chosen from a list, which may be long and slow to read. Esc throws a `Failure` of kind interrupted. */
  pick<T>(question: string, list: PickList<T>): Promise<T>;
  /** Waits for Enter. If the terminal can redraw, the text is removed afterwards. */
  pause(text: string): Promise<void>;
};

/**
 * Asks the user, if somebody can answer. Loads and writes nothing before the first question. A question may contain texts of the platform, so control
 * and invisible characters are escaped here. Ctrl-C, Ctrl-D, the end of stdin and a closed terminal throw a `Failure` of kind interrupted, and the
 * terminal is restored.
 */
export function openPerson(world: PersonWorld): Person {
  const { stdin, stderr, env, signal, label } = world;
  const obstacle = promptObstacle(world);
  const canAnswer = obstacle === '';
  const questions = isPlain(env) ? plainQuestions(world) : drawnQuestions(world);
  const askGuarded = <T>(question: string, run: (shown: string, signal: AbortSignal) => Promise<T>): Promise<T> => {
    const shown = visible(question);
    if (!canAnswer) return Promise.reject(usage(`Cannot prompt for "${shown}": ${obstacle}.`, giveOptionHint));
    const end = world.begin?.();
    const answered = untilAnswered(shown, stdin, signal, async (stop) => {
      if (shown !== question) stderr.write(`${hiddenCharactersNotice}\n`);
      const room = Math.max((stderr.columns || 80) - questionMargin, 20);
      const lines = await wrapAnyWords(label ? `${label.text} ${shown}` : shown, room);
      const text = lines.join('\n');
      return run(label ? text.replace(label.text, () => label.painted) : text, stop);
    });
    return answered.finally(end);
  };
  return {
    canAnswer,
    obstacle,
    ask: (question, { check } = {}) =>
      askGuarded(question, (shown, stop) => {
        const refuse = (text: string) => {
          const refusal = isLost(text) ? lostAnswer : check?.(text);
          return refusal === undefined ? undefined : visible(refusal);
        };
        return questions.ask(shown, refuse, stop);
      }),
    secret: (question) =>
      askGuarded(question, async (shown, stop) => {
        const prompt = `${withPunctuation(isPlain(env) ? shown : `? ${shown}`)} (hidden) `;
        for (;;) {
          const secret = await readHidden(stdin, stop, () => stderr.write(prompt)).finally(() => stderr.write('\n'));
          if (secret !== '' && !isLost(secret)) return secret;
          stderr.write(`${secret === '' ? 'Nothing was typed.' : lostAnswer}\n`);
        }
      }),
    confirm: (question) => askGuarded(question, (shown, stop) => questions.confirm(shown, stop)),
    pick: (question, list) => askGuarded(question, (shown, stop) => questions.pick(shown, list, stop)),
    pause: (text) =>
      askGuarded(text, async (shown, stop) => {
        const erase = isPlain(env) ? '\n' : '\r\u001b[K';
        await readHidden(stdin, stop, () => stderr.write(`${shown} `)).finally(() => stderr.write(erase));
      }),
  };
}

/** The cells beside a question for its mark, and for "(hidden)" or the beginning of an answer. */
const questionMargin = 12;

const giveOptionHint = 'Give the answer as an option: iiot help COMMAND lists them.';
const hiddenCharactersNotice = 'The next question contains invisible characters; they are shown escaped.';

/**
 * Why nobody can answer, or ''. stdin and stderr have to be terminals, stdout need not be. With CI set nobody can, even if the job has a terminal: some
 * runners provide one, and a prompt would wait until the job is killed. gh treats CI in this way, too. `CI=` or `CI=false` enables prompts.
 */
function promptObstacle({ stdin, stderr, env, noInput }: PersonWorld): string {
  if (stdin.isTTY !== true || stderr.isTTY !== true) return 'not a terminal';
  if (noInput) return '--no-input is given';
  const variable = ['IIOT_NO_INPUT', 'CI'].find((name) => isOn(env[name]));
  return variable === undefined ? '' : `${variable} is set`;
}

const lostAnswer = 'The answer is not UTF-8: set the terminal to UTF-8.';
