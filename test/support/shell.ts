/** Finds out which programs a shell would run for a line, and with which words. */
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { needsShell, wordsOf } from './words.ts';

/** Programs that are called in our help. */
const programs = ['iiot', 'curl', 'make', 'sh', 'jq', 'xargs', 'wc', 'head', 'sort', 'diff'];

/**
 * Runs a line in a real shell (bash, for syntax that it shares with zsh but not with sh) in which every program only records how it was called. Files
 * that the line reads exist and are empty, and so do the folders of files that it writes; the home folder is a temporary one.
 * @returns the words of each program, in the order in which they were started
 */
export function typedIn(line: string): Promise<readonly (readonly string[])[]> {
  const known = runs.get(line) ?? run(line);
  runs.set(line, known);
  return known;
}

/** A line gives the same words each time. */
const runs = new Map<string, ReturnType<typeof run>>();

async function run(line: string): Promise<readonly (readonly string[])[]> {
  if (line.startsWith('iiot ') && !needsShell(line)) return [wordsOf(line)];
  const folder = await mkdtemp(join(tmpdir(), 'iiot-test-'));
  try {
    await mkdir(join(folder, 'bin'));
    await mkdir(join(folder, 'work'));
    const calls = join(folder, 'calls');
    await writeFile(calls, '');
    const script = `#!/bin/sh\nprintf '%s\\0' "\${0##*/}" "$@" >> '${calls}'; printf '\\n\\0' >> '${calls}'\n`;
    await writeFile(join(folder, 'program'), script, { mode: 0o755 });
    for (const program of programs) await symlink('../program', join(folder, 'bin', program));
    for (const [, file = ''] of line.matchAll(/< ?([\w.-]+)/g)) await writeFile(join(folder, 'work', file), '');
    for (const [, file = ''] of line.matchAll(/> ?~\/([\w./-]+)/g))
      await mkdir(join(folder, dirname(file)), { recursive: true });
    await execa('/bin/bash', ['-c', line], {
      cwd: join(folder, 'work'),
      env: { PATH: join(folder, 'bin'), HOME: folder },
      extendEnv: false,
      // The last program of a line may be a builtin of another shell.
      reject: false,
    });
    const words = (await readFile(calls, 'utf8')).split('\0').slice(0, -1);
    return words
      .join('\0')
      .split('\0\n')
      .filter((call) => call !== '')
      .map((call) => call.replace(/^\0/, '').split('\0'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
