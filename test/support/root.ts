/** A system of its own in a folder, and programs that run in it: with chroot, for which these tests are root. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import type { InstallMethod } from '../../src/commands/installed.ts';
import { xlsxParts, zipOf } from '../rows/zip.ts';

export type Root = {
  readonly folder: string;
  /** The words that start the program there; by default it is in PATH. */
  readonly program?: readonly string[];
  /** As containers run it: not as root, and nothing can be written but /tmp. */
  readonly isLocked?: boolean;
};

/** Mounts end with the namespace that they are made in. */
const enter = `
set -e
mount --bind "$ROOT" "$ROOT"
mkdir -p "$ROOT/proc" "$ROOT/dev"
mount -t proc proc "$ROOT/proc"
mount --rbind /dev "$ROOT/dev"
if [ "$LOCKED" ]; then
  mount -o remount,bind,ro "$ROOT"
  mount -t tmpfs -o mode=1777 tmpfs "$ROOT/tmp"
  exec chroot --userspec=65532:65532 "$ROOT" "$@"
fi
exec chroot "$ROOT" "$@"
`;

/** Runs a program in a root, without a variable of this process. */
export async function runIn({ folder, isLocked = false }: Root, words: readonly string[]) {
  const env = {
    ROOT: folder,
    LOCKED: isLocked ? 'yes' : '',
    PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: isLocked ? '/home/iiot' : '/root',
    LC_ALL: 'C.UTF-8',
  };
  const all = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', enter, 'sh', ...words];
  const { stdout, stderr, exitCode } = await execa('unshare', all, { env, extendEnv: false, reject: false });
  return { stdout, stderr, exit: exitCode };
}

/** Every file and folder of a root, but what systems of packages write for themselves. */
export async function filesIn(folder: string): Promise<string[]> {
  const own = /^(var\/(lib|cache|log)|usr\/lib\/sysimage|root\/\.rpmdb|etc\/ld\.so\.cache|proc|dev)(\/|$)/;
  const { stdout } = await execa('find', [folder, '-printf', '%P\\n']);
  const names = stdout.split('\n');
  return names.filter((name) => !own.test(name)).sort();
}

/** A workbook of two devices, which the sandbox has. */
export function putWorkbook(folder: string): void {
  const row = (...cells: readonly string[]) =>
    `<row>${cells.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;
  const rows = [row('deviceId', 'line'), row('press-0001', '3'), row('press-0002', '4')];
  mkdirSync(join(folder, 'data'), { recursive: true });
  writeFileSync(join(folder, 'data', 'fleet.xlsx'), zipOf(xlsxParts(rows.join(''))));
}

/**
 * What everybody does first: the version, a list, and an import of a workbook, each against a sandbox.
 * @param way how it says that it was installed
 */
export async function expectToWork(root: Root, version: string, way: InstallMethod): Promise<void> {
  const program = root.program ?? ['/usr/bin/iiot'];
  const inSandbox = (...words: readonly string[]) =>
    runIn(root, [...program, 'sandbox', 'exec', '--users', '5', '--', ...program, ...words]);
  expect(await runIn(root, [...program, '--version'])).toMatchObject({ stdout: version, exit: 0 });
  const installed = await runIn(root, [...program, 'version', '--jq', '.installed']);
  expect(installed, installed.stderr).toMatchObject({ stdout: way, exit: 0 });
  const list = await inSandbox('orgs', 'users', 'list', '--limit', '1', '-o', 'id');
  expect(list, list.stderr).toMatchObject({ stdout: 'ada', exit: 0 });
  const words = ['devices', 'custom-info', 'import', '/data/fleet.xlsx', '--yes', '-o', 'json', '--jq', '.done'];
  const imported = await inSandbox(...words);
  expect(imported, imported.stderr).toMatchObject({ stdout: '2', exit: 0 });
}
