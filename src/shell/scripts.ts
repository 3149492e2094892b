import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { powershellScript } from './powershell.ts';
import type { Shell } from './script-files.ts';
import { zshScript } from './zsh.ts';

/** The completion script of each shell: it calls `iiot __complete` and applies the answer. */
export const completionScripts: Readonly<Record<Shell, string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};
