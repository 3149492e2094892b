/** Runs a program in a real terminal: types keys, and reads the screen. */
import { closeSync, constants, openSync } from 'node:fs';
import { type IPty, spawn } from '@lydell/node-pty';
import headless from '@xterm/headless';
import { isAlive } from './waiting.ts';

export type TerminalOptions = {
  /** The whole environment, except for PATH and the default TERM=xterm-256color. */
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
  readonly cwd?: string;
};

export type TerminalSession = ReturnType<typeof openTerminal>;

/** Starts a program with a pseudo-terminal as its stdin, stdout and stderr. */
export function openTerminal(command: string, args: readonly string[], options: TerminalOptions = {}) {
  const { columns = 80, rows = 24, cwd } = options;
  const env = { PATH: process.env.PATH, TERM: 'xterm-256color', ...options.env };
  const window = { cols: columns, rows };
  const child = spawn(command, [...args], { ...window, name: env.TERM, env, ...(cwd !== undefined && { cwd }) });
  const terminal = new headless.Terminal({ ...window, scrollback: 10_000, allowProposedApi: true });
  let written = '';
  child.onData((text) => {
    written += text;
    terminal.write(text);
  });
  // A program may ask for the cursor's position, and a terminal has to answer.
  terminal.onData((reply) => child.write(reply));
  const drawn = () => new Promise<void>((resolve) => terminal.write('', resolve));
  /** The lines of the screen, including those that have scrolled off, without trailing spaces and empty lines. */
  const screen = () => drawn().then(() => readScreen(terminal));
  holdOpen(child, () => written.length);
  const exit = new Promise<{ code: number; signal: number | undefined }>((resolve) => {
    child.onExit(({ exitCode, signal }) => resolve({ code: exitCode, signal }));
  });
  return {
    pid: child.pid,
    /** Keys as a terminal sends them: `\r` is Enter, `\x03` Ctrl-C, `\x04` Ctrl-D, `\x1b[B` the down key. */
    type: (text: string | Buffer) => child.write(text as string), // it takes bytes, too, though its types do not say so
    /** Waits until the screen shows the text; fails with the screen after `milliseconds`. */
    waitFor: (text: string | RegExp, milliseconds = 60_000) => waitUntil(screen, text, milliseconds),
    screen,
    /** Everything the program has written, including escape sequences. */
    written: () => written,
    cursor: () => drawn().then(() => ({ column: terminal.buffer.active.cursorX, hidden: isCursorHidden(written) })),
    /** Closes the window: the program gets SIGHUP, and its terminal disappears. */
    close: () => (child as Pty).destroy(),
    exit,
  };
}

/** What node-pty has, though its types do not say so. */
type Pty = IPty & { readonly ptsName: string; destroy(): void };

/**
 * Keeps the program's side of the terminal open until all that it wrote has been read: where that side closes, Node takes the first part of
 * the output for its end, and drops what is longer than one read of 4 KiB.
 */
function holdOpen(child: IPty, length: () => number): void {
  const side = openSync((child as Pty).ptsName, constants.O_RDWR | constants.O_NOCTTY);
  let seen = -1;
  const watch = setInterval(() => {
    if (isAlive(child.pid)) return;
    if (seen === length()) {
      clearInterval(watch);
      closeSync(side);
    }
    seen = length();
  }, 20);
}

async function waitUntil(screen: () => Promise<string>, text: string | RegExp, milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  for (;;) {
    const seen = await screen();
    if (typeof text === 'string' ? seen.includes(text) : text.test(seen)) return;
    if (performance.now() > end) throw new Error(`The screen never showed ${text}. It shows:\n${seen}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function readScreen(terminal: InstanceType<typeof headless.Terminal>): string {
  const buffer = terminal.buffer.active;
  const lines = Array.from({ length: buffer.length }, (_, row) => buffer.getLine(row)?.translateToString(true) ?? '');
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();
}

function isCursorHidden(written: string): boolean {
  return written.lastIndexOf('\u001b[?25l') > written.lastIndexOf('\u001b[?25h');
}
