/** Appends lines to a file, and syncs those of about the same time together. */
import { closeSync, fdatasync, fdatasyncSync, unlinkSync, writeFile, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { Failure } from '../failure.ts';
import { attemptTo, fileFailure } from '../files/file-failure.ts';
import { isUnsupported, syncFile } from '../files/file-system.ts';
import { hasName } from '../files/open-regular.ts';
import type { Clock } from './clock.ts';

const write = promisify(writeFile);
const sync = promisify(fdatasync);

type AppenderState = {
  file?: number;
  readonly checkFile: () => void;
  writing?: Promise<void> | undefined;
  failure?: Failure;
  flushNow: () => void;
};

/** @param gathering how long lines are collected before they are written, in milliseconds @param isHeld whether this process still has the lock */
export function openAppender(path: string, gathering: number, clock: Clock, isHeld = () => true) {
  let queue: { readonly line: string; readonly tell: (failure: Failure | undefined) => void }[] = [];
  const early: string[] = [];
  const checkFile = () => {
    if (!isHeld() || (state.file !== undefined && !hasName(state.file, path))) throw takenOverFailure(path);
  };
  const state: AppenderState = { checkFile, flushNow: () => {} };

  function gather(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.after(gathering, resolve);
      state.flushNow = () => {
        cancel();
        resolve();
      };
    });
  }

  async function writeAll(): Promise<void> {
    while (queue.length > 0) {
      await gather();
      const written = queue;
      queue = [];
      await writeTogether(written.map(({ line }) => line).join(''), state, path);
      for (const { tell } of written) tell(state.failure);
    }
    state.writing = undefined;
  }

  return {
    /** @throws Failure partial if the file has been taken over or replaced */
    checkFile,
    /** Writes the lines so far, and from then on all others. @throws Failure io */
    open(file: number): void {
      state.file = file;
      if (early.length > 0) this.appendNow(early.join(''));
    },
    /** Appends a line. Resolves once it is on disk, or with the failure if it cannot be written. */
    append(line: string): Promise<Failure | undefined> {
      const written = new Promise<Failure | undefined>((tell) => queue.push({ line, tell }));
      state.writing ??= writeAll();
      return written;
    },
    /** Appends and syncs a text before it returns. @throws Failure io */
    appendNow(text: string): void {
      const { file } = state;
      if (file === undefined) return void early.push(text);
      attemptTo('write', path, () => {
        checkFile();
        writeSync(file, text);
        syncFile(file, fdatasyncSync);
      });
    },
    waiting: () => queue.length,
    /** Writes the waiting lines at once. Resolves when they are on disk, or with the failure, even if more lines follow. */
    flush(): Promise<Failure | undefined> {
      if (!state.writing) return Promise.resolve(state.failure);
      state.flushNow();
      return new Promise((tell) => queue.push({ line: '', tell }));
    },
    /** Writes the waiting lines and closes the file, or removes it if it is not needed any more. @throws Failure io */
    async close(isRemoved: boolean): Promise<void> {
      try {
        state.flushNow();
        await state.writing;
        if (state.failure) throw state.failure;
        if (!isRemoved) return;
        checkFile();
        unlinkSync(path);
      } catch (error) {
        throw fileFailure('write', path, error);
      } finally {
        if (state.file !== undefined) closeSync(state.file);
      }
    },
  };
}

async function writeTogether(text: string, state: AppenderState, path: string): Promise<void> {
  if (text === '' || state.file === undefined || state.failure) return;
  try {
    state.checkFile();
    await write(state.file, text);
    await sync(state.file).catch((error) => {
      if (!isUnsupported(error)) throw error;
    });
  } catch (error) {
    state.failure = fileFailure('write', path, error);
  }
}

/** The failure for a file that another run has taken over, because this one was stopped for long. */
function takenOverFailure(path: string): Failure {
  const sentence = `${path} is not this run's file any more: another run has taken it over, or it was replaced.`;
  return new Failure('partial', `${sentence} Wait for that run to end before you continue.`);
}
