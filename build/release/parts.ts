/** The list of parts (CycloneDX) of a file that people install: exactly what is inside. */
import { readFileSync } from 'node:fs';
import { execa } from 'execa';
import { type Artefact, type System, systems } from './artefacts.ts';
import { type Facts, summary } from './facts.ts';
import { readImageFile } from './image.ts';
import { readPinned, sha256 } from './node.ts';

type BundledPackage = { readonly name: string; readonly version: string; readonly license?: string };

export type Inside = {
  /** The packages of which something is in the bundle. */
  readonly packages: readonly BundledPackage[];
  /** The parts of Node itself, with their versions. */
  readonly node: Readonly<Record<string, string>>;
};

/** Reads the packages from the bundler's list, and asks Node for its parts. */
export async function lookInside(node: string): Promise<Inside> {
  const packages = JSON.parse(readFileSync('.cache/parts.json', 'utf8')) as Inside['packages'];
  const { stdout } = await execa(node, ['--print', 'JSON.stringify(process.versions)']);
  // Without Node itself, and the numbers of its interfaces.
  const { node: _, modules, napi, ...parts } = JSON.parse(stdout) as Record<string, string>;
  return { packages, node: parts };
}

/** A part in the words of CycloneDX. */
type Component = { readonly 'bom-ref': string } & Readonly<Record<string, unknown>>;

/** @param contents of the artefact */
export function partsOf(facts: Facts, artefact: Artefact, contents: Uint8Array, inside: Inside): string {
  const parts = [...inside.packages.map(bundled), ...nodesOf(artefact, inside.node), ...librariesOf(artefact)];
  const self = {
    type: artefact.kind === 'image' ? 'container' : 'application',
    'bom-ref': `iiot@${facts.version}`,
    name: 'iiot',
    version: facts.version,
    description: summary,
    licenses: [{ license: { id: 'MIT' } }],
    hashes: [{ alg: 'SHA-256', content: sha256(contents) }],
    ...(artefact.kind === 'npm' && { purl: `pkg:npm/iiot-cli@${facts.version}` }),
    properties: [{ name: 'iiot:file', value: artefact.name }],
  };
  const list = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { timestamp: new Date(facts.epoch * 1000).toISOString(), component: self },
    components: parts,
    dependencies: [{ ref: self['bom-ref'], dependsOn: parts.map((each) => each['bom-ref']) }],
  };
  return `${JSON.stringify(list, undefined, 2)}\n`;
}

function bundled({ name, version, license }: BundledPackage): Component {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { type: 'library', 'bom-ref': purl, name, version, purl, ...licenceFields(license) };
}

function licenceFields(license: string | undefined): object {
  return license === undefined ? {} : { licenses: [{ expression: license }] };
}

function nodesOf(artefact: Artefact, nodeParts: Readonly<Record<string, string>>): Component[] {
  if (artefact.kind === 'npm') return [];
  const systemsInside: readonly System[] = artefact.kind === 'image' ? ['linux-x64', 'linux-arm64'] : [artefact.system];
  const { version, files } = readPinned();
  return systemsInside.map((system) => {
    const ref = `node@${version}-${system}`;
    return {
      type: 'platform',
      'bom-ref': ref,
      name: 'node',
      version,
      description: `Node.js for ${system}`,
      purl: `pkg:generic/node@${version}?os=${system.replace('-', '&arch=')}`,
      cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
      licenses: [{ expression: 'MIT' }],
      // The sum of the program that Node has released, to which the bundle is added.
      hashes: [{ alg: 'SHA-256', content: files[system] }],
      components: Object.entries(nodeParts).map(([name, part]) => ({
        type: 'library',
        'bom-ref': `${ref}/${name}`,
        name,
        version: part,
      })),
    };
  });
}

function librariesOf(artefact: Artefact): Component[] {
  if (artefact.kind !== 'image') return [];
  const { packages, debian } = readImageFile();
  return Object.values(systems).flatMap((names) => {
    if (!('oci' in names)) return [];
    return Object.entries(packages[names.oci]).map(([name, part]) => {
      const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(part.version)}?arch=${names.oci}&distro=${debian.suite}`;
      const { version, sha256: content } = part;
      return { type: 'library', 'bom-ref': purl, name, version, purl, hashes: [{ alg: 'SHA-256', content }] };
    });
  });
}
