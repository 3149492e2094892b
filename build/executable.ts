/**
 * Makes the one-file program: Node with the bundle inside, for this system or for those that are named.
 * `npm run build:executable [-- SYSTEM...]`, SYSTEM being linux-x64, linux-arm64, darwin-x64, darwin-arm64 or win-x64.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { rolldown } from 'rolldown';
import { nodeOf, thisSystem } from './nodes.ts';

const work = '.cache/executable';
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

for (const system of process.argv.length > 2 ? process.argv.slice(2) : [thisSystem]) await makeFor(system);

async function makeFor(system: string): Promise<void> {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(join(work, 'compiled'), { recursive: true });
  await bundle('src/launch/executable.ts', join(work, 'main.cjs'));
  const builder = await nodeOf(26);
  // What goes inside is laid out for the very release that reads it, which may not be the newest of another system.
  const { binary } = system === thisSystem ? builder : await nodeOf(releaseIn(builder.folder), system);
  // Compiled code is good for the very V8 that has made it.
  if (system === thisSystem) await warmUp(binary);
  const place = join('executable', system);
  mkdirSync(place, { recursive: true });
  const output = join(place, system.startsWith('win') ? 'iiot.exe' : 'iiot');
  const useCodeCache = system === thisSystem;
  const settings = { main: join(work, 'main.cjs'), executable: binary, output, useCodeCache, assets: assets() };
  writeFileSync(join(work, 'sea.json'), JSON.stringify({ ...settings, disableExperimentalSEAWarning: true }));
  await execa(builder.binary, [`--build-sea=${join(work, 'sea.json')}`]);
  copyFileSync('LICENSE', join(place, 'LICENSE'));
  copyFileSync('THIRD-PARTY-NOTICES', join(place, 'THIRD-PARTY-NOTICES'));
  // The packages for Windows are without it.
  copyFileSync(join(builder.folder, 'LICENSE'), join(place, 'LICENSE-node'));
  process.stdout.write(`${output}\n`);
}

function releaseIn(folder: string): string {
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;
}

async function bundle(input: string, file: string): Promise<void> {
  const transform = { define: { __VERSION__: JSON.stringify(version) } };
  const built = await rolldown({ input, platform: 'node', transform });
  await built.write({ file, format: 'cjs', minify: true });
}

/** Loads what most runs load, so that the program has it compiled; the last run of a file is the one that counts. */
async function warmUp(node: string): Promise<void> {
  const script = join(work, 'warm.cjs');
  await bundle('build/warm.ts', script);
  const runs = [
    ['devices', 'custom-info', 'set', 'press-0001', 'line=3'],
    ['orgs', 'users', 'list'],
  ];
  for (const words of runs) {
    const inside = [node, script, join(work, 'compiled'), ...words];
    await execa(node, ['bin/iiot.js', 'sandbox', 'exec', '--users', '60', '--', ...inside]);
  }
}

/** What goes inside: paths as the program asks for them, and where they are now. */
function assets(): Record<string, string> {
  const folders = [
    ['dist/help', 'dist/help'],
    ['completions', 'completions'],
    ['compiled', join(work, 'compiled')],
  ] as const;
  const files = folders.flatMap(([path, folder]) =>
    readdirSync(folder).map((name) => [`${path}/${name}`, join(folder, name)] as const),
  );
  // The files of this build alone; those of earlier ones may lie beside them.
  const contents = JSON.parse(readFileSync('.cache/contents.json', 'utf8')) as Record<string, unknown>;
  const program = Object.keys(contents).filter((name) => !name.startsWith('write-'));
  const others = [...program, 'complete.cjs', 'completions.json', 'build.json'];
  return Object.fromEntries([...files, ...others.map((name) => [`dist/${name}`, join('dist', name)] as const)]);
}
