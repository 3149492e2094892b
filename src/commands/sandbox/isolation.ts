import { accessSync, constants, mkdirSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import type { World } from '../../command/context.ts';
import { type Failure, usage } from '../../failure.ts';
import { codeOf, temporaryFailure } from '../../files/file-failure.ts';
import { statusAt } from '../../files/open-regular.ts';
import { writeWhole } from '../../files/private-file.ts';
import { sandboxVariables, thingsToTry } from '../../sandbox/world/things-to-try.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import type { Job } from './windows.ts';

/** Runs commands that can only reach a sandbox. */
export type IsolatedRun = {
  readonly folder: string;
  /** Runs words as a command; returns its exit code. @throws usage if the command does not exist */
  run(words: readonly string[], given?: Pick<Job, 'input'>): Promise<number>;
};

/** Calls `act` with a function that runs commands whose `iiot` is this program and reaches only the sandbox. @param aside runs them in a folder of their own, without a machine's login */
export async function withIsolation<T>(
  url: string,
  world: World,
  act: (inside: IsolatedRun) => Promise<T>,
  aside = false,
) {
  const { openGroups } = await import('./process-group.ts');
  const groups = await openGroups();
  try {
    if (world.interrupt.aborted) throw world.interrupt.reason;
    const folder = prepareFolder(groups.folder, world);
    const env = environmentFor(url, groups.folder, world, aside);
    const run: IsolatedRun['run'] = async (words, given = {}) => {
      const job = { ...(await resolveCommand(words, env, world)), ...(aside && { cwd: folder }), ...given };
      return groups.run({ ...job, env }).catch((error: unknown) => {
        throw notStartedFailure(words[0] ?? '', codeOf(error), error);
      });
    };
    return await act({ folder, run });
  } finally {
    await groups.close();
  }
}

/** Creates a work folder, and one with a command `iiot` that runs this program. @returns the work folder */
function prepareFolder(folder: string, { self, platform }: World): string {
  const words = self.map((word) => quoteForShell(word, 'linux')).join(' ');
  try {
    for (const name of ['bin', 'work']) mkdirSync(`${folder}/${name}`);
    writeWhole(`${folder}/bin/iiot`, `#!/bin/sh\nexec ${words} "$@"\n`, 0o755);
    if (platform === 'win32') {
      const command = self.map((word) => `"${word.replaceAll('%', '%%')}"`).join(' ');
      writeWhole(`${folder}/bin/iiot.cmd`, `@${command} %*\r\n`);
    }
  } catch (error) {
    throw temporaryFailure('use the temporary folder', folder, error);
  }
  return `${folder}/work`;
}

/** The current environment, with the variables of the sandbox in place of all IIOT_ variables. */
function environmentFor(url: string, folder: string, { env, platform }: World, aside: boolean): Record<string, string> {
  const { IIOT_CLIENT_ID: _id, IIOT_CLIENT_SECRET: _secret, ...withoutMachine } = sandboxVariables(url);
  const nameOf = (name: string) => (platform === 'win32' ? name.toUpperCase() : name);
  const inherited = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !nameOf(entry[0]).startsWith('IIOT_'),
  );
  const path = inherited.find(([name]) => nameOf(name) === 'PATH') ?? ['PATH', ''];
  return {
    ...Object.fromEntries(inherited),
    [path[0]]: [`${folder}/bin`, path[1]].filter((part) => part !== '').join(platform === 'win32' ? ';' : ':'),
    ...(aside ? withoutMachine : sandboxVariables(url)),
    IIOT_ACCOUNT: thingsToTry.accounts[0].account,
    IIOT_CONFIG_DIR: `${folder}/settings`,
  };
}

async function resolveCommand(words: readonly string[], env: Record<string, string>, { self, platform }: World) {
  const [name = '', ...args] = words;
  // Not the file in the temporary folder, which may be mounted noexec.
  if (name === 'iiot') return { file: self[0] ?? name, args: [...self.slice(1), ...args] };
  const found =
    platform === 'win32' ? (await import('./windows.ts')).findOnWindows(name, env) : findProgram(name, env.PATH ?? '');
  if (typeof found === 'string') throw notStartedFailure(name, found === 'missing' ? 'ENOENT' : 'EACCES');
  return { file: found.file, args };
}

/** Finds a command as a shell in `folder` would. @param path the value of PATH @returns its path, or why it cannot be run: 'forbidden' if it is not executable */
export function findProgram(
  name: string,
  path: string,
  folder = '.',
): { readonly file: string } | 'missing' | 'forbidden' {
  const places = name.includes('/') ? [name] : path.split(delimiter).map((place) => resolve(folder, place, name));
  let found: 'missing' | 'forbidden' = 'missing';
  for (const file of places) {
    const at = resolve(folder, file);
    if (!statusAt(at)?.isFile()) continue;
    if (isExecutable(at)) return { file };
    found = 'forbidden';
  }
  return found;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // the error is the answer
  }
}

function notStartedFailure(name: string, code: string | undefined, cause?: unknown): Failure {
  const reasons: Readonly<Record<string, string>> = { ENOENT: 'command not found', EACCES: 'permission denied' };
  const reason = reasons[code ?? ''] ?? 'it could not be started';
  return usage(`${name}: ${reason}.`, 'Put a command and its arguments after --').with({ cause });
}
