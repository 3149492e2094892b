/** The words of a command line and its variables as they came, before anything reads them. */
import { ownWords, wrongBlank } from '../command/word.ts';
import { usage } from '../failure.ts';
import { type Environment, isLost } from '../text/environment.ts';
import { wrongStart } from '../text/shell-lines.ts';

/**
 * Refuses words and variables that are not UTF-8, and words before `--` that are options with a wrong dash, or begin with a typographic quote: taken
 * for values, they would change something else than was meant.
 * @param from where the command line begins in `argv`
 * @param env the variables that came with it; none for words from JSON, which are what they are
 * @throws usage
 */
export async function checkWords(argv: readonly string[], from = 0, env?: Environment): Promise<void> {
  const end = from + ownWords(argv.slice(from)).length;
  const isWrong = (word: string, at: number) =>
    (env && isLost(word)) || (at >= from && at < end && (wrongStart.test(word) || wrongBlank.test(word)));
  const at = argv.findIndex(isWrong);
  if (at >= 0) throw await (await import('./command-line-failure.ts')).wrongWord(argv, at, from);
  if (env) checkVariables(env);
}

function checkVariables(env: Environment): void {
  const read = env.IIOT_CONFIG_DIR ? /^IIOT_/ : /^(IIOT_|(XDG_CONFIG_HOME|APPDATA|HOME|USERPROFILE)$)/;
  const lost = Object.keys(env).find((name) => read.test(name) && isLost(env[name] ?? ''));
  if (lost === undefined) return;
  const own = 'Set it again from a UTF-8 terminal or script';
  throw usage(`${lost} is not UTF-8.`, lost.startsWith('IIOT_') ? own : 'Set IIOT_CONFIG_DIR to a path in UTF-8');
}
