/** A shell in a terminal with the completions loaded: types keys, Tab included, and reads the command line. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linkedFile, sharedCache } from './program.ts';
import { openTerminal, type TerminalSession } from './pseudo-terminal.ts';

export type ShellName = 'bash' | 'zsh' | 'fish';

export type Typist = Awaited<ReturnType<typeof openShell>>;

const prompt = 'ready> ';

/** Opens a shell without user settings. `env` is the program's environment, and `program` the file it finds as `iiot`. */
export async function openShell(shell: ShellName, env: Readonly<Record<string, string>>, program = linkedFile) {
  const folder = mkdtempSync(join(tmpdir(), `iiot-${shell}-`));
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'here'));
  symlinkSync(program, join(folder, 'bin', 'iiot'));
  const session = openTerminal(shell, starts[shell](folder), {
    columns: 120,
    rows: 50,
    cwd: join(folder, 'here'),
    env: {
      HOME: folder,
      ZDOTDIR: folder,
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      XDG_CACHE_HOME: sharedCache,
      LANG: 'C.UTF-8',
      ...env,
    },
  });
  await session.waitFor(/ready>$/);
  return {
    folder,
    /** Types a line and Tab at a new prompt, and waits until the screen shows `expected`. Gives the screen from that prompt on. */
    async tab(line: string, expected: string | RegExp): Promise<string> {
      await clean(session, shell);
      await typeAndWait(session, line);
      session.type('\t');
      await session.waitFor(expected);
      return session.screen();
    },
    /** The command line after a Tab, once it shows `expected` or has stopped changing. */
    async completed(line: string, expected: string): Promise<string> {
      await clean(session, shell);
      await typeAndWait(session, line);
      session.type('\t');
      await session.waitFor(prompt + expected).catch(() => undefined);
      return lineOf(await quiet(session));
    },
    /** Runs a command line and waits for the next prompt. */
    async run(line: string): Promise<string> {
      await clean(session, shell);
      session.type(`${line}\r`);
      await session.waitFor(/ready>[^\n]*\n[\s\S]*ready>$/);
      return session.screen();
    },
    type: session.type,
    shows: (expected: string | RegExp) => session.waitFor(expected),
    async end() {
      session.close();
      await session.exit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const starts: Readonly<Record<ShellName, (folder: string) => readonly string[]>> = {
  bash(folder) {
    const lines = [
      'bind "set bell-style none"',
      'bind "set show-all-if-ambiguous on"',
      `PS1='${prompt}'`,
      'eval "$(iiot completion bash)"',
    ];
    writeFileSync(join(folder, 'bashrc'), `${lines.join('\n')}\n`);
    return ['--noprofile', '--rcfile', join(folder, 'bashrc'), '-i'];
  },
  zsh(folder) {
    const lines = [
      'autoload -Uz compinit && compinit -u',
      `PROMPT='${prompt}'`,
      'unsetopt beep',
      'source <(iiot completion zsh)',
    ];
    writeFileSync(join(folder, '.zshrc'), `${lines.join('\n')}\n`);
    return ['-i'];
  },
  fish(folder) {
    mkdirSync(join(folder, '.config', 'fish', 'completions'), { recursive: true });
    // If this is missing, fish starts a process that reads every manual page of the machine, and outlives it.
    mkdirSync(join(folder, '.local', 'share', 'fish', 'generated_completions'), { recursive: true });
    const lines = [
      'set -g fish_greeting',
      'set -g fish_autosuggestion_enabled 0',
      `function fish_prompt; printf '%s' '${prompt}'; end`,
      'iiot completion fish > ~/.config/fish/completions/iiot.fish',
    ];
    writeFileSync(join(folder, '.config', 'fish', 'config.fish'), `${lines.join('\n')}\n`);
    return ['--private', '-i'];
  },
};

/**
 * Empties the line and the screen with keys that the shell reads in order: Ctrl-C would overtake them, and swallow others.
 * Escape closes fish's list.
 */
async function clean(session: TerminalSession, shell: ShellName): Promise<void> {
  // A busy machine may read Escape and what follows as one key.
  for (const milliseconds of [2000, 5000, 10_000, undefined]) {
    session.type(shell === 'fish' ? '\x1b' : '');
    if (shell === 'fish') await new Promise((done) => setTimeout(done, 60));
    session.type('\x15\x0c');
    const waiting = session.waitFor(/^ready>$/, milliseconds);
    if (milliseconds === undefined || (await waiting.then(() => true).catch(() => false))) return waiting;
  }
}

async function typeAndWait(session: TerminalSession, line: string): Promise<void> {
  session.type(line);
  await session.waitFor(prompt + line.trimEnd());
}

/** Waits until nothing has been written for a while, and returns the screen. */
async function quiet(session: TerminalSession): Promise<string> {
  for (let before = -1; ; ) {
    const length = session.written().length;
    if (length === before) return session.screen();
    before = length;
    await new Promise((done) => setTimeout(done, 80));
  }
}

function lineOf(screen: string): string {
  return screen.slice(screen.lastIndexOf(prompt) + prompt.length).split('\n')[0] ?? '';
}
