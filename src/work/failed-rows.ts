import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, unlinkSync, writeSync } from 'node:fs';
import { type Failure, usage } from '../failure.ts';
import { attemptTo, codeOf } from '../files/file-failure.ts';
import { setMode } from '../files/file-system.ts';
import { hasName, openNew } from '../files/open-regular.ts';
import { type FileUser, openTrusted } from '../files/trust.ts';
import type { RowFormat } from '../rows/row.ts';
import { ignoreError } from '../text/ignore-error.ts';
import { removeCommand } from '../text/shell-lines.ts';
import type { Journal } from './journal.ts';

/** An open file of rows. */
export type FailedRows = {
  /** @throws Failure io if the row cannot be written */
  readonly add: (text: string) => void;
  /** Closes the file. Removes one of failed rows if no row failed, because an old one would be misleading. */
  readonly close: () => void;
};

/** The option for the file, and what happens to the rows of an earlier run in it. */
type KeptFile = { readonly option: string; readonly earlier: 'discarded' | 'kept' | 'refused' };

/**
 * Opens a file (mode 0600) to which a run writes rows that can be read again, by default the failed ones. Discards the failed rows of an earlier run of
 * the same import, and never empties or removes any other file. @param head gives the beginning of the file
 * @throws usage as `openTrusted` does, and if it is not empty and not from this import; io if it cannot be written
 */
export function openFailedRows(
  path: string,
  format: RowFormat,
  head: () => string,
  world: FileUser,
  keeper: Pick<Journal, 'keeps' | 'keep'> = { keeps: () => false, keep: () => undefined },
  kept: KeptFile = { option: '--failed-file', earlier: 'discarded' },
): FailedRows {
  const { file, isOurs } = attemptTo('write', path, () => prepare(path, world, keeper, kept));
  let count = 0;
  const write = (text: string) => attemptTo('write', path, () => writeSync(file, text));
  const textBeforeRow = () => {
    if (count > 0) return format === 'json' ? ',\n' : '';
    return head() + (format === 'json' ? '[\n' : '');
  };
  return {
    add(text) {
      write(textBeforeRow() + text + (format === 'json' ? '' : '\n'));
      count += 1;
    },
    close() {
      if (count > 0 && format === 'json') write('\n]\n');
      ignoreError(() => fsyncSync(file));
      const isRemoved = count === 0 && isOurs && kept.earlier !== 'kept' && hasName(file, path);
      closeSync(file);
      if (isRemoved) unlinkSync(path);
    },
  };
}

function prepare(
  path: string,
  world: FileUser,
  keeper: Pick<Journal, 'keeps' | 'keep'>,
  { option, earlier }: KeptFile,
) {
  const { file, isNew } = openOrCreate(path, world);
  try {
    const status = fstatSync(file, { bigint: true });
    const numbers = `${status.dev}:${status.ino}`;
    const isOurs = isNew || keeper.keeps(numbers);
    if (status.size > 0n && (!isOurs || earlier === 'refused')) throw takenFileFailure(path, option);
    if (!keeper.keeps(numbers)) keeper.keep(numbers);
    if (earlier === 'discarded') ftruncateSync(file, 0);
    setMode(file, 0o600);
    return { file, isOurs };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function openOrCreate(path: string, world: FileUser) {
  const flags = constants.O_WRONLY | constants.O_APPEND;
  try {
    return { file: openTrusted(path, flags, world), isNew: false };
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return { file: openNew(path, 0o600, constants.O_APPEND), isNew: true };
  }
}

/** The failure for a file that another run, or something else, has written. */
export function takenFileFailure(path: string, option: string): Failure {
  const hint = `Name another file with ${option}, or remove this one first: ${removeCommand(path)}`;
  return usage(`${path} is not empty and was not created by this run.`, hint);
}
