import { command } from '../command.ts';
import { usage } from '../failure.ts';
import { type Shell, scriptFiles } from '../shell/script-files.ts';

const shellNames = Object.keys(scriptFiles) as Shell[]; // keys() widens the names

const completion = command({
  name: 'completion',
  summary: 'Print the completions for a shell',
  description:
    'Prints a script that teaches a shell what may follow on the line: commands, options, their values, and identifiers that this machine has seen or that ' +
    'the platform tells within half a second. Completions never ask, never renew a login and never report a failure.',
  arguments: { shell: { type: 'string', enum: shellNames, value: 'SHELL', description: shellNames.join(', ') } },
  examples: [
    { line: 'eval "$(iiot completion bash)"', says: 'bash: in ~/.bashrc' },
    { line: 'source <(iiot completion zsh)', says: 'zsh: in ~/.zshrc' },
    { line: 'iiot completion fish | source', says: 'fish: in ~/.config/fish/config.fish' },
    { line: 'iiot completion powershell | Out-String | Invoke-Expression', says: 'PowerShell: in the file $PROFILE' },
  ],
  async run({ shell }) {
    const known = shellNames.find((each) => each === shell);
    if (!known) throw usage(`There are no completions for "${shell}".`, `Shells: ${shellNames.join(', ')}`);
    const { completionScript } = await import('../shell/scripts.ts');
    return { kind: 'text', text: await completionScript(known) };
  },
});

export const commands = [completion];
