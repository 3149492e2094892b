/** Texts that a person changes in an editor, in a file that stays until its text has been sent. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask } from '../command/confirm.ts';
import type { Context } from '../command/context.ts';
import { Failure, usage } from '../failure.ts';
import { createPrivate, writePrivately } from '../files/private-file.ts';
import type { Result } from '../output/result.ts';
import { onAbort } from '../text/abort.ts';
import { quoteForShell } from '../text/shell-lines.ts';
import { decodeUtf8 } from '../text/utf8.ts';

type Draft<T> = {
  /** Of the file. */
  readonly name: string;
  readonly text: string;
  /** What begins a line of comment. */
  readonly mark: '#' | '//';
  /** @returns undefined if there is nothing to send. @throws usage for a text that is wrong */
  readonly read: (text: string) => T | undefined;
  /** What is sent if the text is saved as it was. */
  readonly typed?: T | undefined;
  /** The result if nothing is sent. */
  readonly unchanged: Result;
};

/**
 * Opens a text in the person's editor, again with the reason on top as long as it is wrong, and sends it.
 * @throws usage if nobody is there; what `send` throws, with the file that has the text
 */
export async function edited<T>(
  draft: Draft<T>,
  context: Context,
  send: (value: T) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'iiot-edit-'));
  const path = join(folder, draft.name);
  createPrivate(path, draft.text);
  try {
    const value = await readEdited(draft, path, context);
    const result = value === undefined ? draft.unchanged : await send(value);
    if (value === undefined || !context.options.dryRun) rmSync(folder, { recursive: true, force: true });
    return result;
  } finally {
    const saved = bytesAt(path);
    if (saved && !saved.equals(Buffer.from(draft.text))) context.warn(`Your text is kept in ${quoteForShell(path)}`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

async function readEdited<T>(
  { text, typed, mark, read }: Draft<T>,
  path: string,
  context: Context,
): Promise<T | undefined> {
  const reasons = new RegExp(`^(${mark} iiot: .*\n)+`);
  const began = context.world.monotonic();
  for (let opened = text, wrong: Failure | undefined; ; ) {
    await openEditor(path, context);
    const saved = decodeUtf8(bytesAt(path) ?? Buffer.of(), 'keep');
    if (saved === undefined) throw usage('The text is not UTF-8.');
    if (saved.trim() === '') return undefined;
    if (saved === text) {
      const isQuick = context.world.monotonic() - began < quick;
      if (isQuick) context.warn('The editor ended at once. One that opens a window has to wait: EDITOR="code --wait"');
      if (isQuick && typed !== undefined && !context.options.yes) await ask('Send it as it was typed?', context);
      return typed;
    }
    if (wrong && saved === opened) throw wrong;
    const own = saved.replace(reasons, '');
    try {
      return read(own);
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== 'usage') throw error;
      wrong = error;
      opened = `${mark} iiot: ${error.message.replaceAll('\n', ' ')}\n${own}`;
      writePrivately(path, opened);
    }
  }
}

/** Faster than somebody reads, in milliseconds. */
const quick = 1000;

/** @throws usage unless somebody can use an editor */
export async function requireEditor(instead: string, context: Context): Promise<void> {
  const { canAnswer, obstacle } = await context.person();
  if (!canAnswer) throw usage(`Cannot open an editor: ${obstacle}.`, instead);
}

/** Undefined if it was removed in the editor. */
function bytesAt(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

async function openEditor(path: string, { world, waiting }: Context): Promise<void> {
  const usual = world.platform === 'win32' ? 'notepad' : 'vi';
  const words = (world.env.VISUAL || world.env.EDITOR || usual).match(/"[^"]*"|'[^']*'|\S+/g) ?? [usual];
  const [editor = usual, ...args] = words.map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));
  const { execa } = await import('execa');
  waiting.hide();
  // Ctrl-C is for the editor, as with git.
  const listeners = process.rawListeners('SIGINT') as NodeJS.SignalsListener[];
  process.removeAllListeners('SIGINT').on('SIGINT', ignore);
  // The result goes to stdout, which need not be the terminal.
  const running = execa(editor, [...args, path], { stdio: ['inherit', 2, 2], reject: false, windowsHide: false });
  const release = onAbort(world.interrupt, () => running.kill());
  const { exitCode, signal } = await running;
  release();
  process.removeListener('SIGINT', ignore);
  for (const listener of listeners) process.on('SIGINT', listener);
  world.interrupt.throwIfAborted();
  if (exitCode === undefined && signal === undefined)
    throw usage(`The editor ${editor} cannot be started.`, 'Set VISUAL or EDITOR to the command of an editor');
  if (exitCode === 0) return;
  const how = signal ?? (exitCode === 130 ? 'SIGINT' : exitCode);
  throw new Failure('interrupted', how === 'SIGINT' ? 'Cancelled.' : `The editor ${editor} ended with ${how}.`);
}

function ignore(): void {}
