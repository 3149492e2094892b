/** Tells from the location of this program how it was installed. */
import { readFileSync, realpathSync } from 'node:fs';
import { ignoreError } from '../text/ignore-error.ts';

/** `package` is a package of the system other than deb and rpm, `file` the single-file program, `source` a clone or an unpacked archive. */
export const installMethods = [
  ...(['npm_global', 'npm_local', 'npx', 'homebrew', 'scoop', 'winget'] as const),
  ...(['deb', 'rpm', 'image', 'package', 'file', 'source'] as const),
] as const;

export type InstallMethod = (typeof installMethods)[number];

const methodsByPath: readonly (readonly [RegExp, InstallMethod])[] = [
  [/[\\/]_npx[\\/]/, 'npx'],
  [/[\\/]Cellar[\\/]/, 'homebrew'],
  [/[\\/]scoop[\\/]apps[\\/]/i, 'scoop'],
  [/[\\/]winget[\\/](packages|links)[\\/]/i, 'winget'],
  [/[\\/](lib|npm|nodejs|v[\d.]+|global([\\/]\d+)?)[\\/]node_modules[\\/]/, 'npm_global'],
  [/[\\/]node_modules[\\/]/, 'npm_local'],
];

/** @param self how the program runs again: its one file, or Node and the script @param prefix `/usr` is for packages of the system alone */
export function findInstallMethod([program = '', script]: readonly string[], prefix = '/usr'): InstallMethod {
  const file = script ?? program;
  // npm and others put links into PATH.
  const path = ignoreError(() => realpathSync(file)) ?? file;
  const method = methodsByPath.find(([place]) => place.test(path))?.[1] ?? readMark(path);
  if (method) return method;
  if (path.startsWith(`${prefix}/bin/`) || path.startsWith(`${prefix}/lib/`)) return 'package';
  return script === undefined ? 'file' : 'source';
}

/** Reads PREFIX/lib/iiot/installed-as, in which packages that share one program say which one they are. */
function readMark(path: string): InstallMethod | undefined {
  const [, prefix] = /^(.*)\/(?:bin|lib\/iiot)\//.exec(path) ?? [];
  if (prefix === undefined) return undefined;
  const word = ignoreError(() => readFileSync(`${prefix}/lib/iiot/installed-as`, 'utf8').trim());
  return installMethods.find((way) => way === word);
}
