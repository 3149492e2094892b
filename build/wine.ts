/** Node for Windows on another system, under wine. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { nodeOf } from './nodes.ts';

/** The newest Node that runs in Debian's wine: V8 of 24 and 26 fails there. */
export async function windowsNode(): Promise<string> {
  return (await nodeOf(22, 'win-x64')).binary;
}

/** Two commands that are Node for Windows: `node` with pipes for its streams, and `console` with a terminal, or files. */
type WineFiles = { readonly folder: string; readonly node: string; readonly console: string };

export function wineFiles(folder: string): WineFiles {
  return { folder, node: join(folder, 'node'), console: join(folder, 'console') };
}

/** Whether wine for 64-bit programs is installed. */
export async function hasWine(): Promise<boolean> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return false;
  const { failed } = await execa('wine', ['--version'], { reject: false, env: { WINEDEBUG: '-all' } });
  return !failed;
}

/** Makes a Windows in a folder, with two commands that run Node in it. Returns a function that removes it. */
export async function openWine({ folder, node, console }: WineFiles): Promise<() => Promise<void>> {
  const binary = await windowsNode();
  const env = variablesOf(folder);
  const wine = (...words: readonly string[]) => execa('wine', words, { env, stdin: 'ignore' });
  await mkdir(folder, { recursive: true });
  await wine('wineboot', '--init');
  // Node refuses Windows 7, the default of wine.
  await wine('reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f');
  // Node ends when it reads the title of a console without one, which wine's is at first.
  await writeFile(join(folder, 'title.cjs'), "process.title = 'iiot';\n");
  await writeScript(console, env, ['wine', binary, '--require', join(folder, 'title.cjs')]);
  await writeScript(node, env, ['wine', binary, resolve('test/support/wine-relay.cjs')]);
  return async () => {
    await execa('wineserver', ['--kill', '--wait'], { env, reject: false });
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

function variablesOf(folder: string): Readonly<Record<string, string>> {
  return {
    WINEPREFIX: join(folder, 'prefix'),
    WINEDEBUG: '-all',
    // wine would offer to fetch these two.
    WINEDLLOVERRIDES: 'mscoree=;mshtml=',
    // Without it, only ASCII letters can be typed.
    LC_ALL: 'C.UTF-8',
  };
}

async function writeScript(
  path: string,
  env: Readonly<Record<string, string>>,
  words: readonly string[],
): Promise<void> {
  const set = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
  await writeFile(path, `#!/bin/sh\nexec env ${set.join(' ')} ${words.map((word) => `'${word}'`).join(' ')} "$@"\n`, {
    mode: 0o755,
  });
}
