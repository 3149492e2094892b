import { join } from 'node:path';
import type { Context } from '../command/context.ts';
import { asFailure, Failure, ignoreFailure } from '../failure.ts';
import { listHeldLocks } from '../files/lock.ts';
import { statusAt } from '../files/open-regular.ts';
import { checkHistory } from '../store/history.ts';
import type { Inspection } from '../store/inspect.ts';
import { removeFolderCommand, showProcessHint } from '../text/shell-lines.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

/** Checks the version of Node, and options of Node that could write secrets to files. */
export function* checkNode({ world }: Context): Generator<Finding> {
  const isOld = world.nodeVersion.localeCompare('20.18.1', 'en', { numeric: true }) < 0;
  yield isOld
    ? failed('node', 'internal', `Node ${world.nodeVersion} is too old.`, 'Install Node 20.18.1 or newer')
    : ok('node', `Node ${world.nodeVersion}`);
  const options = world.env.NODE_OPTIONS ?? '';
  // Node also accepts `_` instead of `-` there.
  if (/--(report|inspect|heapsnapshot|heap[-_]prof|cpu[-_]prof|tls[-_]keylog)/.test(options)) {
    const sentence =
      'NODE_OPTIONS holds switches that can write memory, variables or the keys of connections to files.';
    yield warning('node', sentence, 'Unset NODE_OPTIONS where secrets are used');
  }
  if (world.env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    const sentence = 'NODE_TLS_REJECT_UNAUTHORIZED is set, and has no effect here.';
    yield warning('node', sentence, 'Unset it; --ca-file adds an authority');
  }
}

/** Checks that the locale is UTF-8, because iiot reads and writes nothing else. Windows has its own setting. */
export function* checkLocale({ world: { env, platform } }: Context): Generator<Finding> {
  const name = ['LC_ALL', 'LC_CTYPE', 'LANG'].find((each) => env[each]) ?? '';
  if (platform === 'win32' || /^(|C|POSIX)$|\.utf-?8\b/i.test(env[name] ?? '')) return;
  yield warning('locale', `${name} is ${env[name]}, which is not UTF-8.`, 'Set the terminal and the locale to UTF-8');
}

export async function* checkFiles({ store, world }: Context): AsyncGenerator<Finding> {
  try {
    const { folder, files, setAside } = store.inspect();
    // Modes mean nothing on Windows.
    const protection = world.platform === 'win32' ? `protected by the folder's access rights` : `mode ${folder.mode}`;
    const faulty = [folder, ...files].filter(({ problem }) => problem !== undefined);
    for (const { path, problem = '', fix = '' } of faulty)
      yield failed('files', 'io', problem.includes(path) ? problem : `${path}: ${problem}`, fix);
    if (faulty.length === 0)
      yield ok('files', `${folder.path} ${folder.kind === 'missing' ? 'does not exist yet' : `(${protection})`}`);
    const { followLinks } = await import('../files/private-file.ts');
    for (const { path } of files) {
      const target = ignoreFailure(() => followLinks(path)) ?? path; // a link that cannot be followed fails below
      if (target !== path) yield ok('files', `${path} is a link: changes are written to ${target}`);
    }
    for (const path of setAside) {
      const sentence = `${path} is a broken file that was set aside; it may hold secrets.`;
      yield warning('files', sentence, 'Look at it, then delete it');
    }
    if (faulty.length > 0 || folder.kind === 'missing') return;
    yield* checkLocks(folder.path, world.now());
    yield* warningIfFailing('files', () => checkWriting(files, store));
    yield* warningIfFailing('history', () => checkHistory(folder.path));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    yield failed('files', error.kind, error.message, error.facts.hint ?? 'Set IIOT_CONFIG_DIR to a folder of your own');
  }
}

/** Warns if a step fails. The doctor goes on, because a machine with its credentials in variables needs no folder. */
async function* warningIfFailing(check: string, step: () => unknown): AsyncGenerator<Finding> {
  try {
    await step();
  } catch (error) {
    const { message, facts } = asFailure(error);
    yield warning(check, message, facts.hint ?? 'Move it away');
  }
}

/** Writes the logins again, unchanged. @throws Failure 'io' if they cannot be replaced */
async function checkWriting(files: Inspection['files'], store: Context['store']): Promise<void> {
  const { path } = files.find((file) => file.path.endsWith('credentials.json')) ?? { path: '' };
  const before = statusAt(path)?.ino;
  (await store.reserveSpace())();
  if (before === undefined || before !== statusAt(path)?.ino) return;
  const sentence = `${path} cannot be replaced, because it is a mount, and is written in place.`;
  throw new Failure('io', sentence, { hint: 'Mount its folder instead' });
}

function* checkLocks(folder: string, now: number): Generator<Finding> {
  for (const { path, pid, since, touched, isLeft } of listHeldLocks(join(folder, 'locks'), now)) {
    if (now - since < 60_000) continue; // most are held for less than a second
    const user = pid === undefined ? 'another machine or container' : `process ${pid}`;
    const holder = isLeft ? 'a process that has ended' : user;
    const ago = Math.max(0, Math.round((now - touched) / 1000));
    const sentence = `${path} is held by ${holder} since ${new Date(since).toISOString()}, active ${ago} s ago.`;
    const hint = isLeft || pid === undefined ? removeFolderCommand(path) : `Look at it ${showProcessHint(pid)}`;
    yield warning('locks', sentence, isLeft || pid === undefined ? `If no command is running there: ${hint}` : hint);
  }
}
