/** How this program came to this machine, as far as its location shows. */
import { readFileSync, realpathSync } from 'node:fs';
import { ignoreError } from '../text/ignore-error.ts';

/** `package` is one of the system, `file` the single file by itself, and `source` a clone or a package that was unpacked by hand. */
export const installMethods = [
  ...(['npm_global', 'npm_local', 'npx', 'homebrew', 'scoop', 'winget'] as const),
  ...(['deb', 'rpm', 'image', 'package', 'file', 'source'] as const),
] as const;

export type InstallMethod = (typeof installMethods)[number];

const places: readonly (readonly [RegExp, InstallMethod])[] = [
  [/[\\/]_npx[\\/]/, 'npx'],
  [/[\\/]Cellar[\\/]/, 'homebrew'],
  [/[\\/]scoop[\\/]apps[\\/]/i, 'scoop'],
  [/[\\/]winget[\\/](packages|links)[\\/]/i, 'winget'],
  [/[\\/](lib|npm|nodejs|v[\d.]+|global([\\/]\d+)?)[\\/]node_modules[\\/]/, 'npm_global'],
  [/[\\/]node_modules[\\/]/, 'npm_local'],
];

/** @param self how the program runs again: its one file, or Node and the script @param prefix `/usr` is for packages of the system alone */
export function installedBy([program = '', script]: readonly string[], prefix = '/usr'): InstallMethod {
  const own = script ?? program;
  // Behind the links that npm and others put into PATH.
  const path = ignoreError(() => realpathSync(own)) ?? own;
  const known = places.find(([place]) => place.test(path))?.[1] ?? marked(path);
  if (known) return known;
  if (path.startsWith(`${prefix}/bin/`) || path.startsWith(`${prefix}/lib/`)) return 'package';
  return script === undefined ? 'file' : 'source';
}

/** Packages that share one program say which they are, in PREFIX/lib/iiot/installed-as. */
function marked(path: string): InstallMethod | undefined {
  const [, prefix] = /^(.*)\/(?:bin|lib\/iiot)\//.exec(path) ?? [];
  if (prefix === undefined) return undefined;
  const word = ignoreError(() => readFileSync(`${prefix}/lib/iiot/installed-as`, 'utf8').trim());
  return installMethods.find((way) => way === word);
}
