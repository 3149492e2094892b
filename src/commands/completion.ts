import { command } from '../command/command.ts';
import { Failure, usage } from '../failure.ts';
import { type Shell, scriptFiles } from '../shell/script-files.ts';

const shellNames = Object.keys(scriptFiles) as Shell[]; // keys() widens the names

const completion = command({
  name: 'completion',
  without: { agents: 'is for shells', formats: true },
  summary: 'Print the completions for a shell',
  description:
    'Prints a script that completes commands, options, their values, files, and IDs and names that this machine has used or that the ' +
    'platform returns within a third of a second. Completion never prompts, never renews a login and never reports a failure. ' +
    'Names are quoted for the shell; a name that cannot be quoted safely is not offered.',
  arguments: { shell: { type: 'string', enum: shellNames, value: 'SHELL', description: shellNames.join(', ') } },
  examples: {
    'eval "$(iiot completion bash)"': 'bash: in ~/.bashrc',
    'source <(iiot completion zsh)': 'zsh: in ~/.zshrc',
    'iiot completion fish > ~/.config/fish/completions/iiot.fish':
      'fish: once; this file overrides the completions that fish makes from man pages',
    'iiot completion powershell | Out-String | Invoke-Expression': 'PowerShell: in the file $PROFILE',
  },
  async run({ shell }, { world }) {
    const name = shellNames.find((each) => each === shell);
    if (!name) throw usage(`There are no completions for "${shell}".`, `Shells: ${shellNames.join(', ')}`);
    const text = world.text?.(`completions/${scriptFiles[name]}`);
    if (text === undefined) throw new Failure('internal', 'Completion files are missing: reinstall iiot.');
    return { kind: 'text', text };
  },
});

export const commands = [completion];
