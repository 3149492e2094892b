/** Node for Windows on another system, under wine. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { nodeOf } from './nodes.ts';

/** The newest that Debian's wine runs: V8 of 24 and 26 ends there for reasons of its own. */
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

/** Makes a Windows in a folder, with two commands in it that are Node there. Ends with a function that removes it. */
export async function openWine({ folder, node, console }: WineFiles): Promise<() => Promise<void>> {
  const binary = await windowsNode();
  const env = variablesOf(folder);
  const wine = (...words: readonly string[]) => execa('wine', words, { env, stdin: 'ignore' });
  await mkdir(folder, { recursive: true });
  await wine('wineboot', '--init');
  // Node refuses the Windows 7 that wine is at first.
  await wine('reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f');
  // Node ends where its console has no title, as one of wine's has at first, and somebody asks for it.
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
    // It would offer to fetch these two.
    WINEDLLOVERRIDES: 'mscoree=;mshtml=',
    // Else what is typed has the letters of ASCII alone.
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
