/** Lines that are appended to a file, those of about the same time together, each on disk when it is told to be. */
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
  readonly check: () => void;
  writing?: Promise<void> | undefined;
  failure?: Failure;
  flushNow: () => void;
};

/** @param gathering how long lines are collected, in milliseconds @param isHeld whether the file is still locked for this process */
export function openAppender(path: string, gathering: number, clock: Clock, isHeld = () => true) {
  let queue: { readonly line: string; readonly tell: (failure: Failure | undefined) => void }[] = [];
  const early: string[] = [];
  const check = () => {
    if (!isHeld() || (state.file !== undefined && !hasName(state.file, path))) throw takenOver(path);
  };
  const state: AppenderState = { check, flushNow: () => {} };

  function gathered(): Promise<void> {
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
      await gathered();
      const written = queue;
      queue = [];
      await writeTogether(written.map(({ line }) => line).join(''), state, path);
      for (const { tell } of written) tell(state.failure);
    }
    state.writing = undefined;
  }

  return {
    /** @throws Failure partial if the file has been taken over or replaced */
    check,
    /** Before this, lines only wait. @throws Failure io */
    open(file: number): void {
      state.file = file;
      if (early.length > 0) this.appendNow(early.join(''));
    },
    /** Resolves once the line is on disk, with the reason if it is not. */
    append(line: string): Promise<Failure | undefined> {
      const written = new Promise<Failure | undefined>((tell) => queue.push({ line, tell }));
      state.writing ??= writeAll();
      return written;
    },
    /** The same at once. @throws Failure io */
    appendNow(text: string): void {
      const { file } = state;
      if (file === undefined) return void early.push(text);
      attemptTo('write', path, () => {
        check();
        writeSync(file, text);
        syncFile(file, fdatasyncSync);
      });
    },
    waiting: () => queue.length,
    /** Resolves when the lines waiting now are on disk, or with the reason if they are not, even if more follow. */
    settled(): Promise<Failure | undefined> {
      if (!state.writing) return Promise.resolve(state.failure);
      state.flushNow();
      return new Promise((tell) => queue.push({ line: '', tell }));
    },
    /** Waits for lines that are not on disk yet. @param isRemoved the file is not needed any more @throws Failure io */
    async close(isRemoved: boolean): Promise<void> {
      try {
        state.flushNow();
        await state.writing;
        if (state.failure) throw state.failure;
        if (!isRemoved) return;
        check();
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
    state.check();
    await write(state.file, text);
    await sync(state.file).catch((error) => {
      if (!isUnsupported(error)) throw error;
    });
  } catch (error) {
    state.failure = fileFailure('write', path, error);
  }
}

/** Where the run was stopped for long, another one may have taken the file over, and replaced it. */
function takenOver(path: string): Failure {
  const sentence = `${path} is not this run's file any more: another run has taken it over, or it was replaced.`;
  return new Failure('partial', `${sentence} Wait for that run to end before you continue.`);
}
