/** The built program on Windows, in a separate folder for each test. */
import { tmpdir } from 'node:os';
import { openHome } from './home.ts';
import { cleanEnvironment, programFile, programWords } from './program.ts';
import { openTerminal } from './pseudo-terminal.ts';

/** The Windows form of a path of the host system. */
export function windowsPath(path: string): string {
  return `Z:${path.replaceAll('/', '\\')}`;
}

/** Node for Windows, as a Windows path. */
export const windowsNode = windowsPath(process.env.IIOT_TEST_NODE_WINDOWS ?? '');

/** A home whose paths are those of Windows. */
export function openComputer() {
  const path = (name: string) => windowsPath(home.at(name));
  // What wine keeps in TMPDIR is for all: its server.
  const own = () => ({ IIOT_CONFIG_DIR: path('iiot'), WINDOWS_TEMP: path('tmp'), WINDOWS_TMP: path('tmp') });
  const home = openHome(() => ({ ...own(), TMPDIR: tmpdir() }));
  return {
    ...home,
    path,
    file: (name: string, text: string) => windowsPath(home.file(name, text)),
    iiot: (words: readonly string[], env: Readonly<Record<string, string>> = {}, input = '') =>
      home.iiot(words, { env, input, timeout: 200_000 }),
    /** Starts it at a terminal. */
    sit: (words: readonly string[]) =>
      openTerminal(process.env.IIOT_TEST_NODE_CONSOLE ?? programFile, [...programWords, ...words], {
        cwd: home.folder,
        env: { ...cleanEnvironment(home.folder), ...home.env },
      }),
  };
}
