import { ownWords, wrongBlank } from '../command/word.ts';
import { usage } from '../failure.ts';
import { type Environment, isLost } from '../text/environment.ts';
import { wrongStart } from '../text/shell-lines.ts';

/**
 * Refuses words and variables that are not UTF-8, and words before `--` that begin with a wrong dash or a typographic quote. @throws usage
 * @param from where the command line begins in `argv` @param env the variables; absent for words from JSON, whose encoding is never wrong
 */
export async function checkWords(argv: readonly string[], from = 0, env?: Environment): Promise<void> {
  const end = from + ownWords(argv.slice(from)).length;
  const isWrong = (word: string, at: number) =>
    (env && isLost(word)) || (at >= from && at < end && (wrongStart.test(word) || wrongBlank.test(word)));
  const at = argv.findIndex(isWrong);
  if (at >= 0) throw await (await import('./command-line-failure.ts')).wrongWordFailure(argv, at, from);
  if (env) checkVariables(env);
}

function checkVariables(env: Environment): void {
  const read = env.IIOT_CONFIG_DIR ? /^IIOT_/ : /^(IIOT_|(XDG_CONFIG_HOME|APPDATA|HOME|USERPROFILE)$)/;
  const lost = Object.keys(env).find((name) => read.test(name) && isLost(env[name] ?? ''));
  if (lost === undefined) return;
  const setAgain = 'Set it again from a UTF-8 terminal or script';
  throw usage(`${lost} is not UTF-8.`, lost.startsWith('IIOT_') ? setAgain : 'Set IIOT_CONFIG_DIR to a path in UTF-8');
}
