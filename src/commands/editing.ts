/** Texts that a person changes in an editor, in a file that stays until its text has been sent. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ask } from '../command/confirm.ts';
import type { Context } from '../command/context.ts';
import { whereWords } from '../command/line.ts';
import { Failure, usage } from '../failure.ts';
import { createPrivate, writePrivately } from '../files/private-file.ts';
import type { Result } from '../output/result.ts';
import { ignoreInterrupts } from '../terminal/interruption.ts';
import { onAbort } from '../text/abort.ts';
import { quoteForShell } from '../text/shell-lines.ts';
import { decodeUtf8 } from '../text/utf8.ts';

type Draft<T> = {
  /** Of the file. */
  readonly name: string;
  /** What it begins from. */
  readonly text: string;
  /** The file with a text that was kept, to go on from. */
  readonly kept?: string | undefined;
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
  send: (value: T, begin: (text: string) => void) => Promise<Result>,
): Promise<Result> {
  const folder = draft.kept === undefined ? mkdtempSync(join(tmpdir(), ours)) : dirname(draft.kept);
  const path = draft.kept ?? join(folder, draft.name);
  const isOurs = basename(folder).startsWith(ours);
  const begin = (text: string) => {
    if (isOurs) writePrivately(join(folder, begun), text);
  };
  if (draft.kept === undefined) createPrivate(path, draft.text);
  begin(draft.text);
  let isSettled = false;
  try {
    const value = await readEdited(draft, path, context);
    const result = value === undefined ? draft.unchanged : await send(value, begin);
    isSettled = true;
    return result;
  } finally {
    const saved = bytesAt(path);
    if (!isSettled && saved && !saved.equals(Buffer.from(draft.text))) {
      const next = ['iiot templates edit --continue', quoteForShell(path), ...whereWords(context.options)];
      context.warn(`Your text is kept in ${quoteForShell(path)}`);
      context.warn(`Continue with it: ${next.join(' ')}`);
    } else if (isOurs) rmSync(folder, { recursive: true, force: true });
  }
}

/** How the name of a folder begins that has a text, and the file in it with what the text begins from. */
const ours = 'iiot-edit-';
const begun = '.begun';

/** What a kept text begins from; undefined if that is not known. */
export function beginningOf(kept: string): string | undefined {
  return bytesAt(join(dirname(kept), begun))?.toString();
}

async function readEdited<T>(
  { text, kept, typed, mark, read }: Draft<T>,
  path: string,
  context: Context,
): Promise<T | undefined> {
  const reasons = new RegExp(`^(${mark} iiot: .*\n)+`);
  const began = context.world.monotonic();
  for (let opened = kept === undefined ? text : undefined, wrong: Failure | undefined; ; ) {
    await openEditor(path, context);
    const saved = decodeUtf8(bytesAt(path) ?? Buffer.of(), 'keep');
    if (saved === undefined) throw usage('The text is not UTF-8.');
    if (saved.trim() === '') return undefined;
    if (saved === text) {
      const isQuick = context.world.monotonic() - began < quick;
      if (isQuick) context.warn('The editor ended immediately. A graphical editor must wait: EDITOR="code --wait"');
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
  const listenAgain = ignoreInterrupts();
  // The result goes to stdout, which need not be the terminal.
  const running = execa(editor, [...args, path], {
    stdio: ['inherit', 2, 2],
    reject: false,
    windowsHide: false,
    cleanup: false, // else execa ends this process by the signal, before it says where the text is
  });
  const release = onAbort(world.interrupt, () => running.kill());
  const { exitCode, signal } = await running;
  release();
  listenAgain();
  world.interrupt.throwIfAborted();
  if (exitCode === undefined && signal === undefined)
    throw usage(`The editor ${editor} cannot be started.`, 'Set VISUAL or EDITOR to the command of an editor');
  if (exitCode === 0) return;
  const how = signal ?? (exitCode === 130 ? 'SIGINT' : exitCode);
  throw new Failure('interrupted', how === 'SIGINT' ? 'Cancelled.' : `The editor ${editor} ended with ${how}.`);
}
