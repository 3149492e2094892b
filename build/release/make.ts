/**
 * Makes a release, into `release/`: everything that people install, with lists of parts, checksums and notes.
 * `npm run release [-- --dry-run | --dirty | --pin VERSION | --pin-image | --compare-node]`
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { thisSystem } from '../nodes.ts';
import { makeArchive } from './archive.ts';
import {
  type Artefact,
  artefactsOf,
  installerName,
  manifestNames,
  notesName,
  partsName,
  type System,
  sumsName,
  systemNames,
} from './artefacts.ts';
import { makeDeb } from './deb.ts';
import { type Facts, readProject } from './facts.ts';
import { makeImage, pinImage } from './image.ts';
import { manifestsOf } from './manifests.ts';
import { compareNode, pin, pinnedNode, readPinned, sha256 } from './node.ts';
import { notesOf } from './notes.ts';
import { makeOneFile } from './one-file.ts';
import { lookInside, partsOf } from './parts.ts';
import { makeRpm } from './rpm.ts';

const options = readOptions();

/** The folder of the release: `release`, or another one for tries. */
const folder = options.dirty ? '.cache/release' : 'release';

await run().catch((error: unknown) => {
  say(`error: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});

function readOptions() {
  const known = {
    'dry-run': { type: 'boolean' },
    dirty: { type: 'boolean' },
    pin: { type: 'string' },
    'pin-image': { type: 'boolean' },
    'compare-node': { type: 'boolean' },
  } as const;
  try {
    return parseArgs({ options: known }).values;
  } catch (error) {
    say(`error: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(2);
  }
}

async function run(): Promise<void> {
  if (options.pin !== undefined) return pin(options.pin);
  if (options['pin-image']) return pinImage();
  if (options['compare-node']) return compare();
  const facts = await readFacts();
  const missing = [...(await findMissingTools()), ...(await findObstacles(facts))];
  if (options['dry-run']) return rehearse(facts, missing);
  if (missing.length > 0) throw new Error(missing.join('\nerror: '));
  const { binary } = await pinnedNode(thisSystem as System); // refused if there is none for it
  // Each zlib compresses in its own way, so the pinned Node makes the release on every machine.
  if (process.version === `v${readPinned().version}`) return make(facts, dirname(binary));
  const { exitCode } = await execa(binary, process.argv.slice(1), {
    stdio: 'inherit',
    reject: false,
    env: { TZ: 'UTC' },
  });
  process.exitCode = exitCode ?? 1;
}

async function compare(): Promise<void> {
  const differences = await compareNode(readPinned());
  for (const each of differences) say(each);
  if (differences.length > 0) throw new Error('packaging/node.json does not have what Node has released');
  say(`packaging/node.json has the programs of Node ${readPinned().version} as they were released.`);
}

async function readFacts(): Promise<Facts> {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const { stdout } = await execa('git', ['log', '-1', '--format=%H %ct']);
  const [commit = '', time] = stdout.split(' ');
  return { version, commit, epoch: Number(process.env.SOURCE_DATE_EPOCH ?? time), project: readProject() };
}

/** Finds missing programs that make packages, and says which packages of Debian have them. */
async function findMissingTools(): Promise<string[]> {
  const tools = { rpmbuild: 'rpm', 'apt-get': 'apt', 'dpkg-deb': 'dpkg' };
  const found = await Promise.all(
    Object.entries(tools).map(async ([tool, name]) => {
      const { code } = await execa(tool, ['--version'], { reject: false });
      return code === 'ENOENT' ? `A release needs ${tool}: apt-get install ${name}` : [];
    }),
  );
  return found.flat();
}

/** Finds out why this tree cannot be released. */
async function findObstacles({ version, commit }: Facts): Promise<string[]> {
  if (options.dirty) return [];
  const { stdout: changes } = await execa('git', ['status', '--porcelain']);
  const tagged = await execa('git', ['rev-parse', '--quiet', '--verify', `v${version}^{commit}`], { reject: false });
  return [
    changes !== '' && 'The tree has changes. Commit them, or try it with: npm run release -- --dirty',
    !tagged.failed && tagged.stdout !== commit && `v${version} is the tag of another commit: raise the version`,
  ].filter((each) => each !== false);
}

function rehearse({ version, project: { repository } }: Facts, missing: readonly string[]): void {
  const artefacts = artefactsOf(version).map(({ name }) => name);
  const names = [
    ...artefacts,
    ...artefacts.map(partsName),
    installerName,
    ...(repository ? manifestNames : []),
    sumsName,
    notesName,
  ];
  say(`Would make in ${folder}/:\n${names.map((name) => `  ${name}`).join('\n')}`);
  sayNoManifests(repository);
  for (const each of missing) say(`error: ${each}`);
  if (missing.length > 0) process.exitCode = 1;
}

function sayNoManifests(repository: string): void {
  if (!repository) say('No manifests for Homebrew and Scoop: packaging/project.json has no repository.');
}

/** @param nodeFolder of the pinned Node, first in PATH for what npm runs */
async function make(facts: Facts, nodeFolder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const sums = new Map<string, string>();
  const put = (name: string, contents: Uint8Array | string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), contents);
    sums.set(name, sha256(contents));
    say(`${name}  ${megabytes(statSync(join(folder, name)).size)}`);
  };
  const tarball = await packForNpm(nodeFolder);
  // Comes after the package for npm, which builds everything again.
  const inside = await lookInside(process.execPath);
  const places = new Map<string, string>();
  for (const system of systemNames) places.set(system, await makeOneFile(system));
  for (const artefact of artefactsOf(facts.version)) {
    const contents = artefact.kind === 'npm' ? tarball : await makeArtefact(facts, artefact, places);
    put(artefact.name, contents);
    put(partsName(artefact.name), partsOf(facts, artefact, contents, inside));
  }
  put(installerName, readFileSync(join('packaging', installerName)));
  if (facts.project.repository) for (const [name, text] of manifestsOf(facts, sums)) put(name, text);
  const lines = [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, sum]) => `${sum}  ${name}\n`);
  writeFileSync(join(folder, sumsName), lines.join(''));
  writeFileSync(join(folder, notesName), notesOf(readFileSync('CHANGELOG.md', 'utf8'), facts.version));
  sayNoManifests(facts.project.repository);
  say(`${folder}/ has ${facts.version} of ${facts.commit.slice(0, 12)}.`);
}

function makeArtefact(facts: Facts, artefact: Artefact, places: ReadonlyMap<string, string>): Promise<Buffer> {
  const place = 'system' in artefact ? (places.get(artefact.system) ?? '') : '';
  if (artefact.kind === 'archive') return makeArchive(facts, artefact.system, place);
  if (artefact.kind === 'deb') return makeDeb(facts, artefact.system, place);
  if (artefact.kind === 'rpm') return makeRpm(facts, artefact.system, place);
  return makeImage(facts, places);
}

/** Builds and packs the package for npm, with the same bytes from each checkout. */
async function packForNpm(nodeFolder: string): Promise<Buffer> {
  const place = '.cache/npm';
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  const env = { PATH: `${nodeFolder}:${process.env.PATH}` };
  await execa('npm', ['pack', '--silent', '--pack-destination', place], { env, stdout: 'ignore' });
  const [name = ''] = readdirSync(place);
  return readFileSync(join(place, name));
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
