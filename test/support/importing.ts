import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HistoryEntry } from '../../src/store/history-entry.ts';
import { cleanEnvironment, programFile, programWords } from './program.ts';
import { openTerminal, type TerminalOptions, type TerminalSession } from './pseudo-terminal.ts';

/** A line of `-o ndjson`. */
type RowLine = {
  readonly line: number;
  readonly deviceId: string;
  readonly status: string;
  readonly error: string | null;
};

type Importing = {
  readonly child: ChildProcess;
  /** What has been printed so far; a last line that is cut short is none. */
  readonly lines: () => RowLine[];
  /** How many of them have that status. */
  readonly count: (status: string) => number;
  readonly stderr: () => string;
  readonly ended: Promise<{ readonly exit: number | null; readonly signal: string | null }>;
};

export type Desk = {
  readonly folder: string;
  /** Writes a fleet of devices into a CSV file, and returns its path; each gets the same text as its key `round`. */
  readonly fleet: (devices: readonly string[], round: string) => string;
  /** Without a terminal, so with --yes. */
  readonly begin: (url: string, words: readonly string[], env?: Readonly<Record<string, string>>) => Importing;
  /** What the history says of its runs, the latest first. */
  readonly history: () => readonly HistoryEntry[];
  /** The same in a terminal. */
  readonly terminal: (url: string, words: readonly string[], options?: TerminalOptions) => TerminalSession;
  readonly leave: () => void;
};

/** A folder with a home in it, from which imports are begun as processes. */
export function desk(): Desk {
  const folder = mkdtempSync(join(tmpdir(), 'importing-'));
  const children = new Set<ChildProcess>();
  return {
    folder,
    fleet(devices, round) {
      const path = join(folder, 'fleet.csv');
      writeFileSync(path, `deviceId,round\n${devices.map((device) => `${device},${round}\n`).join('')}`);
      return path;
    },
    begin(url, words, env = {}) {
      const child = spawn(programFile, [...programWords, 'devices', 'custom-info', 'import', '--yes', ...words], {
        env: { ...cleanEnvironment(folder), ...machine(url), ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      children.add(child);
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (bytes) => (stdout += bytes));
      child.stderr.on('data', (bytes) => (stderr += bytes));
      const ended: Importing['ended'] = new Promise((resolve) => {
        child.on('close', (exit, signal) => resolve({ exit, signal }));
      });
      const lines = () =>
        stdout
          .slice(0, stdout.lastIndexOf('\n') + 1)
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as RowLine); // the test's own expectation
      const count = (wanted: string) => lines().filter(({ status }) => status === wanted).length;
      return { child, lines, count, stderr: () => stderr, ended };
    },
    history() {
      const words = [...programWords, 'history', '-o', 'json'];
      return JSON.parse(execFileSync(programFile, words, { env: cleanEnvironment(folder), encoding: 'utf8' }));
    },
    terminal: (url, words, options = {}) =>
      openTerminal(programFile, [...programWords, 'devices', 'custom-info', 'import', ...words], {
        env: { ...machine(url), IIOT_CONFIG_DIR: folder },
        ...options,
      }),
    leave() {
      for (const child of children) child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function machine(url: string): Readonly<Record<string, string>> {
  return { IIOT_BASE_URL: url, IIOT_CLIENT_ID: 'sandbox-machine', IIOT_CLIENT_SECRET: 'sandbox-secret' };
}

/** press-0001 and on, as the sandbox names them. */
export function presses(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `press-${String(index + 1).padStart(4, '0')}`);
}

type Answering = (request: { path: string; token: string }, response: ServerResponse) => void;

/** A platform that gives a token and answers as a test says, once a request has come whole. Closes with `close`. */
export async function answering(
  answer: Answering,
  giveToken: (response: ServerResponse) => void = (response) => response.end('{"access_token":"t","expires_in":3600}'),
): Promise<{ url: string; close: () => void }> {
  const server: Server = createServer((message: IncomingMessage, response) => {
    message.resume();
    message.on('end', () => {
      const token = message.headers.authorization?.replace('Bearer ', '') ?? '';
      if (message.method === 'POST') giveToken(response);
      else answer({ path: message.url ?? '', token }, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
