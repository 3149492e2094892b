import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { type Grammar, readGrammar } from './grammar.ts';
import { powershellScript } from './powershell.ts';
import type { Shell } from './script-files.ts';
import { zshScript } from './zsh.ts';

/** What writes the completions of each shell. */
export const scriptWriters: Readonly<Record<Shell, (grammar: Grammar) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};

/** The completion script of a shell, from the definitions. */
export async function completionScript(shell: Shell): Promise<string> {
  return scriptWriters[shell](await readGrammar());
}
