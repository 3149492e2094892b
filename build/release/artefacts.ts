/** The files of a release: their kinds, their names, and their systems. */

/** The systems of the one-file program, with the names that packages have for their processors. */
export const systems = {
  'linux-x64': { deb: 'amd64', rpm: 'x86_64', oci: 'amd64' },
  'linux-arm64': { deb: 'arm64', rpm: 'aarch64', oci: 'arm64' },
  'darwin-x64': {},
  'darwin-arm64': {},
  'win-x64': {},
} as const;

export type System = keyof typeof systems;
export type LinuxSystem = 'linux-x64' | 'linux-arm64';

export const systemNames = Object.keys(systems) as readonly System[]; // the type of its keys
export const linuxSystems = systemNames.filter(isLinux);

export function isLinux(system: System): system is LinuxSystem {
  return system.startsWith('linux');
}

/** A file that people install. */
export type Artefact =
  | { readonly kind: 'npm'; readonly name: string }
  | { readonly kind: 'image'; readonly name: string }
  | { readonly kind: 'archive'; readonly name: string; readonly system: System }
  | { readonly kind: 'deb' | 'rpm'; readonly name: string; readonly system: LinuxSystem };

export function archiveName(version: string, system: System): string {
  return `iiot-${version}-${system}.${system === 'win-x64' ? 'zip' : 'tar.gz'}`;
}

export function artefactsOf(version: string): Artefact[] {
  return [
    { kind: 'npm', name: `iiot-${version}.tgz` },
    ...systemNames.map((system) => ({ kind: 'archive', name: archiveName(version, system), system }) as const),
    ...linuxSystems.flatMap((system) => [
      { kind: 'deb', name: `iiot_${version}_${systems[system].deb}.deb`, system } as const,
      { kind: 'rpm', name: `iiot-${version}-1.${systems[system].rpm}.rpm`, system } as const,
    ]),
    { kind: 'image', name: `iiot-${version}-image.oci.tar` },
  ];
}

/** Further files, only with an address to download from. */
export const manifestNames = ['homebrew/iiot.rb', 'scoop/iiot.json'] as const;

/** The script that installs the archives. */
export const installerName = 'install.sh';

export const partsName = (artefact: string) => `${artefact}.cdx.json`;
export const sumsName = 'SHA256SUMS';
export const notesName = 'release-notes.md';
