/** Opens one template in the user's editor: pulls it into a temporary folder, and pushes that folder. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from '../../command/context.ts';
import { lastingLine } from '../../command/lasting-line.ts';
import { resolvePlace } from '../../command/place.ts';
import { organization } from '../../command/target.ts';
import { Failure, usage } from '../../failure.ts';
import { codeOf, fileFailure } from '../../files/file-failure.ts';
import { createPrivate, removeIfEmpty, tryToRemove, writePrivately } from '../../files/private-file.ts';
import { paintFor } from '../../output/paint.ts';
import type { Result } from '../../output/result.ts';
import { wantsColor } from '../../output/sink.ts';
import { ignoreInterrupts } from '../../terminal/interruption.ts';
import { onAbort } from '../../text/abort.ts';
import { compact } from '../../text/json-write.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import { unfitFailure } from '../../text/unfit-text.ts';
import { decodeUtf8 } from '../../text/utf8.ts';
import { fileNameOf, kindOf } from '../../working-copy/file-name.ts';
import type { GoodFile } from '../../working-copy/folder.ts';
import { openFrontMatter } from '../../working-copy/front-matter.ts';
import { openPatch } from '../../working-copy/patch.ts';
import { readPullRecord, recordAt, removeRecord, writeRecord } from '../../working-copy/record.ts';
import {
  canonicalText,
  changeable,
  changedSince,
  differences,
  emptyOf,
  hashesOf,
  type TemplateDocument,
} from '../../working-copy/template.ts';
import type { Both } from './compare.ts';
import { patchLines } from './diff.ts';
import { checkSelected, openWorkingCopy, readSelection } from './folder.ts';
import { runPush } from './push.ts';
import { readStoredTemplate } from './stored.ts';

/** The temporary folder and its file, and the template and text that were pulled. */
type Draft = { readonly dir: string; readonly path: string; readonly text: string; readonly stored: TemplateDocument };

export async function runEdit({ templateId }: { readonly templateId: string }, context: Context): Promise<Result> {
  const orgId = organization(context);
  const { canAnswer, obstacle } = await context.person();
  const instead = 'Change it with: iiot templates update, or in a file with: iiot templates pull, push';
  if (!canAnswer) throw usage(`Cannot open an editor: ${obstacle}.`, instead);
  const place = await resolvePlace(context, orgId);
  const stored = await readStoredTemplate(templateId, context);
  const frontMatter = await openFrontMatter();
  const file = fileNameOf({ templateId, name: stored.fields.get('name') }, kindOf(stored.content), () => false);
  const dir = mkdtempSync(join(tmpdir(), 'iiot-edit-'));
  const draft = { dir, path: join(dir, file), text: frontMatter.write(stored), stored };
  let isSettled = false;
  try {
    createPrivate(draft.path, draft.text);
    const templates = new Map([[templateId, { file, hashes: hashesOf(stored) }]]);
    writeRecord(dir, { ...recordAt({ ...readPullRecord(dir), orgId }, place), templates }, 0o600);
    const template = await editUntilValid(draft, context);
    const result: Result = template
      ? await runPush({ dir, templates: [templateId] }, context, await openChangePrinter(stored, context))
      : { kind: 'done', value: [], sentence: 'Nothing was changed' };
    isSettled = !template || changedSince(template, readPullRecord(dir).templates.get(templateId)).length === 0;
    return result;
  } finally {
    keepOrRemove(draft, isSettled ? undefined : readBytesAt(draft.path), context);
  }
}

/** Keeps a text that was changed or cannot be read, and says where it is. Otherwise removes the draft. */
function keepOrRemove(draft: Draft, saved: Buffer | Failure | undefined, context: Context): void {
  const { dir, path, text } = draft;
  if (saved instanceof Failure || saved?.equals(Buffer.from(text)) === false) {
    context.warn(`Your text is kept in ${quoteForShell(path)}`);
    const next = `iiot templates push ${quoteForShell(dir)}`;
    context.warn(`Continue with it: ${lastingLine(next, context, organization(context))}`);
    if (!(saved instanceof Failure)) tidyDraft(decodeUtf8(saved, 'keep') ?? '', draft);
  } else {
    tryToRemove(path);
    removeRecord(dir);
    removeIfEmpty(dir);
  }
}

/** Opens the text in the editor until it is valid, each time with the reason on top. @returns undefined if there is nothing to send */
async function editUntilValid(draft: Draft, context: Context): Promise<TemplateDocument | undefined> {
  const { path, text, stored } = draft;
  const began = context.world.monotonic();
  let opened = text;
  let wrong: Failure | undefined;
  while (true) {
    await openEditor(path, context);
    const bytes = readBytesAt(path) ?? Buffer.of();
    if (bytes instanceof Failure) throw bytes;
    const saved = decodeUtf8(bytes, 'keep');
    if (saved === undefined) throw await unfitFailure({ name: 'The text', bytes: () => [bytes] }, 'utf-8', false);
    if (saved.trim() === '') return undefined;
    if (saved === text) {
      if (context.world.monotonic() - began < fasterThanReading)
        context.warn('The editor ended immediately. A graphical editor must wait: EDITOR="code --wait"');
      return undefined;
    }
    if (wrong && saved === opened) throw wrong;
    const own = tidyDraft(saved, draft);
    const read = await readDraft(draft, context);
    if (!(read instanceof Failure)) {
      for (const note of editNotes(read, stored)) context.warn(note);
      return differences(read, stored).length > 0 ? read : undefined;
    }
    wrong = read;
    opened = `# iiot: ${wrong.message.replaceAll('\n', ' ')}\n${own}`;
    writePrivately(path, opened);
  }
}

/** In milliseconds: no person reads and closes a text that fast. */
const fasterThanReading = 1000;

/** Reads the template in the file, or returns what is wrong with it. All other notices come from the push. */
async function readDraft({ dir, stored }: Draft, context: Context): Promise<TemplateDocument | Failure> {
  const silent = { ...context, notice: () => undefined };
  const copy = await openWorkingCopy({ dir, templates: [] }, silent);
  const template = copy.good.get(stored.templateId)?.template;
  if (!template && copy.good.size > 0) return usage(`templateId must stay ${stored.templateId}.`);
  return checkSelected(copy, readSelection([], copy, new Set()), silent, '') ?? template ?? usage('The file is gone.');
}

/** Removes the reasons, and a line ending that an editor has added to the last line (after a CR, only the LF). @returns the text without them */
function tidyDraft(saved: string, { path, text, stored: { content } }: Draft): string {
  const own = saved.replace(/^(# iiot: .*\r?\n)+/, '');
  const isEnded = content.endsWith('\n') || !text.endsWith(content);
  const tidy = isEnded ? own : own.replace(content.endsWith('\r') ? /\n$/ : /\r?\n$|\r$/, '');
  if (tidy !== saved) writePrivately(path, tidy);
  return tidy;
}

/** Notes on changes that may not be intended: a line that was removed changes nothing, and an editor may have changed all line ends. */
function editNotes(template: TemplateDocument, stored: TemplateDocument): readonly string[] {
  const isLeft = (name: string) =>
    !template.fields.has(name) && canonicalText(stored.fields.get(name)) !== canonicalText(null);
  const toEmpty = (name: string) => (name === 'name' ? '' : `; to empty it write ${name}: ${compact(emptyOf(name))}`);
  const [before, after] = [stored.content, template.content].map(lineEndsOf);
  return [
    ...changeable.filter(isLeft).map((name) => `${name} was left out and stays${toEmpty(name)}`),
    ...(before && after && before !== after ? [`The editor changed all line endings from ${before} to ${after}.`] : []),
  ];
}

/** The line ends of a text; undefined if it has none, or both kinds. */
function lineEndsOf(text: string): 'LF' | 'CRLF' | undefined {
  const [piecesByLf, piecesByCrlf] = [text.split('\n').length, text.split('\r\n').length];
  if (piecesByCrlf === piecesByLf) return piecesByLf === 1 ? undefined : 'CRLF';
  return piecesByCrlf === 1 ? 'LF' : undefined;
}

/** Returns a function that prints the changes of a push, without the names of files; in a conflict, also the changes on the platform. */
async function openChangePrinter(pulled: TemplateDocument, { world, options, warn }: Context) {
  const patch = await openPatch();
  const paint = await paintFor(wantsColor(true, world.env, options.noColor === true));
  const show = (from: TemplateDocument, to: GoodFile) => {
    for (const line of patchLines(patch(from, to), paint).slice(2)) warn('', line);
  };
  return (pairs: readonly Both<GoodFile>[]) => {
    for (const { status, file, stored } of pairs) {
      if (status === 'same') continue;
      if (status === 'changed') show(stored, file);
      else {
        warn('Changed on the platform meanwhile:');
        show(pulled, { ...file, template: stored });
        warn('Your changes:');
        show(pulled, file);
      }
    }
  };
}

/** Reads a file, or returns why it cannot be read. @returns undefined if it was removed in the editor */
function readBytesAt(path: string): Buffer | Failure | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? undefined : fileFailure('read', path, error);
  }
}

async function openEditor(path: string, { world, waiting }: Context): Promise<void> {
  const usual = world.platform === 'win32' ? 'notepad' : 'vi';
  const words = (world.env.VISUAL || world.env.EDITOR || usual).match(/"[^"]*"|'[^']*'|\S+/g) ?? [usual];
  const [editor = usual, ...args] = words.map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));
  const { execa } = await import('execa');
  waiting.hide();
  // As with git, Ctrl-C goes to the editor.
  const listenAgain = ignoreInterrupts();
  // The result goes to stdout, which need not be the terminal.
  const running = execa(editor, [...args, path], {
    stdio: ['inherit', 2, 2],
    reject: false,
    windowsHide: false,
    cleanup: false, // with it, a signal would end this process before it says where the text is
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
