import { closeSync, constants, fchmodSync, fstatSync, ftruncateSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { usage } from '../failure.ts';
import { fileFailure } from '../store/file-failure.ts';
import { csvLine } from './csv.ts';
import type { Format } from './row.ts';

/** A file of the rows that failed, in the format of the input, so that it can be one itself. */
export type FailedRows = {
  /** @throws Failure internal where it cannot be written */
  readonly add: (text: string) => void;
  /** Removes the file where no row failed: an old one would mislead. */
  readonly close: () => void;
};

/**
 * Opens it for writing (mode 0600) before anything is sent. What was in it goes: a loop of imports names the same file each time.
 * @param columns of a CSV input, asked for when the first row comes
 * @throws usage for what is no regular file, internal where it cannot be written
 */
export function openFailedRows(path: string, format: Format, columns: () => readonly string[]): FailedRows {
  const file = open(path);
  let count = 0;
  const put = (text: string) => {
    try {
      writeSync(file, text);
    } catch (error) {
      throw fileFailure('write', path, error);
    }
  };
  const before = () => {
    if (count > 0) return format === 'json' ? ',\n' : '';
    if (format === 'csv') return `${csvLine(columns())}\n`;
    return format === 'json' ? '[\n' : '';
  };
  return {
    add(text) {
      put(before() + text + (format === 'json' ? '' : '\n'));
      count += 1;
    },
    close() {
      if (count > 0 && format === 'json') put('\n]\n');
      closeSync(file);
      if (count === 0) unlinkSync(path);
    },
  };
}

function open(path: string): number {
  try {
    const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | (constants.O_NONBLOCK ?? 0), 0o600);
    if (!fstatSync(file).isFile()) {
      closeSync(file);
      throw usage(`${path} is no regular file, so failed rows cannot be kept in it.`);
    }
    ftruncateSync(file, 0);
    fchmodSync(file, 0o600);
    return file;
  } catch (error) {
    throw fileFailure('write', path, error);
  }
}
