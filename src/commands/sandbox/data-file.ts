import { basename, dirname, resolve } from 'node:path';
import type { Context } from '../../command/context.ts';
import { readText } from '../../command/read-file.ts';
import { Failure, usage } from '../../failure.ts';
import { codeOf } from '../../files/file-failure.ts';
import { readRegular } from '../../files/open-regular.ts';
import type { SavedState } from '../../sandbox/world/state.ts';
import { unreadableFailure } from '../../text/unreadable-failure.ts';
import { decode } from '../../text/utf8.ts';
import type { SandboxInput } from './flags.ts';

export type SavedWorld = {
  /** The saved state; absent for the seeded data. */
  readonly saved?: SavedState;
  /** Replaces the saved state. */
  readonly save?: (text: string) => Promise<void>;
};

/**
 * The state of --data and --from, and the release of the lock on the file of --data.
 * @throws usage for a file that cannot be read, that is not the state of a sandbox, or that another sandbox uses
 */
export async function openState(
  input: SandboxInput,
  context: Context,
): Promise<{ readonly state: SavedWorld; readonly release: () => void }> {
  const release = input.data === undefined ? () => {} : await lockData(input.data);
  try {
    return { state: await readKept(input, context), release };
  } catch (error) {
    release();
    throw error;
  }
}

async function readKept({ data, from }: SandboxInput, context: Context): Promise<SavedWorld> {
  const kept = data === undefined ? undefined : await readState(data, '--data');
  if (kept !== undefined && from !== undefined) {
    throw usage(
      `--data ${data} already has a state, so --from cannot be used.`,
      'Give one of them, or a new file to --data',
    );
  }
  const saved = kept ?? (from === undefined ? undefined : await readFrom(from, context));
  return {
    ...(saved && { saved }),
    ...(data !== undefined && { save: (text) => context.store.writePrivately(data, text) }),
  };
}

/** Two sandboxes with one file would overwrite each other's state. */
async function lockData(path: string): Promise<() => void> {
  const { takeLock } = await import('../../files/lock.ts');
  const target = resolve(path);
  try {
    return await takeLock(dirname(target), `${basename(target)}.lock`, path, { wait: 0 });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.kind !== 'unavailable') throw usage(`--data ${path}: ${error.message}`).with({ cause: error });
    throw usage(`--data ${path} is in use by another sandbox.`, 'Use another file, or stop that sandbox').with({
      cause: error,
    });
  }
}

async function readFrom(path: string, context: Context): Promise<SavedState> {
  if (path === '-') return restored(await readText(path, '--from', context), '--from', 'standard input');
  const state = await readState(path, '--from');
  if (!state) throw usage(`--from ${path} does not exist.`);
  return state;
}

/** Undefined if the file does not exist. Without a size limit: whatever was saved can be read. */
async function readState(path: string, option: string): Promise<SavedState | undefined> {
  try {
    const read = readRegular(path, { largest: Number.POSITIVE_INFINITY });
    if ('irregular' in read) throw usage(`${option} ${path} is not a regular file.`);
    return await restored(decode(read.bytes, path, option), option, path);
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw unreadableFailure(`${option} ${path}`, error);
  }
}

async function restored(text: string, option: string, name: string): Promise<SavedState> {
  const { restore } = await import('../../sandbox/world/state.ts');
  const state = restore(text);
  if (typeof state === 'string') throw usage(`${option} ${name}: ${state}`, 'See iiot sandbox export --help');
  return state;
}
