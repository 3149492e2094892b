/** The one-file program: the pinned Node with the bundle inside. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { rolldown } from 'rolldown';
import { thisSystem } from '../nodes.ts';
import type { System } from './artefacts.ts';
import { filesOf } from './files.ts';
import { pinnedNode, sha256 } from './node.ts';

const work = '.cache/executable';
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

/** V8 draws a seed for the hashes of names, which compiled code contains. With a fixed seed, every build compiles the same code. */
const sameSeed = '--random-seed=1';

/** Makes the program and its licences from the result of `npm run build`, and returns their folder, `executable/SYSTEM`. */
export async function makeOneFile(system: System): Promise<string> {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(join(work, 'compiled'), { recursive: true });
  await bundle('src/launch/executable.ts', join(work, 'main.cjs'));
  const builder = await pinnedNode(thisSystem as System); // named alike, and refused if there is none
  const { binary } = await pinnedNode(system);
  // Compiled code is valid only for the V8 that has made it, so other systems have none.
  const useCodeCache = system === thisSystem;
  if (useCodeCache) await compile(binary);
  const place = join('executable', system);
  mkdirSync(place, { recursive: true });
  const output = join(place, programName(system));
  const settings = { main: join(work, 'main.cjs'), executable: binary, output, useCodeCache, assets: assets() };
  writeFileSync(join(work, 'sea.json'), JSON.stringify({ ...settings, disableExperimentalSEAWarning: true }));
  await execa(builder.binary, [sameSeed, `--build-sea=${join(work, 'sea.json')}`]);
  copyFileSync('LICENSE', join(place, 'LICENSE'));
  copyFileSync('THIRD-PARTY-NOTICES', join(place, 'THIRD-PARTY-NOTICES'));
  // The packages for Windows do not contain it.
  copyFileSync(join(builder.folder, 'LICENSE'), join(place, 'LICENSE-node'));
  return place;
}

export function programName(system: System): string {
  return system === 'win-x64' ? 'iiot.exe' : 'iiot';
}

async function bundle(input: string, file: string): Promise<void> {
  const transform = { define: { __VERSION__: JSON.stringify(version) } };
  const built = await rolldown({ input, platform: 'node', transform });
  await built.write({ file, format: 'cjs', minify: true });
}

/** Compiles until two runs in a row give the same code: on a busy machine a few bytes differ, once in thirty times. */
async function compile(node: string): Promise<void> {
  let before = '';
  for (let tries = 0; tries < 6; tries += 1) {
    await warmUp(node);
    const compiled = filesOf(join(work, 'compiled'), (name) => name);
    const now = sha256(JSON.stringify(compiled));
    if (now === before) return;
    before = now;
  }
  throw new Error('V8 has compiled the program in another way each time: try again when the machine is less busy');
}

/** Loads the files that most runs load, to keep their compiled code. For each file, the last run counts. */
async function warmUp(node: string): Promise<void> {
  const script = join(work, 'warm.cjs');
  await bundle('build/warm.ts', script);
  const runs = [
    ['devices', 'custom-info', 'set', 'press-0001', 'line=3'],
    ['orgs', 'users', 'list'],
  ];
  // The builder's own settings, such as a proxy or a language, would load other code.
  const env = { PATH: process.env.PATH, TZ: 'UTC', LANG: 'C.UTF-8', NODE_DISABLE_COMPILE_CACHE: '1' };
  for (const words of runs) {
    const inside = [node, sameSeed, script, join(work, 'compiled'), ...words];
    await execa(node, ['bin/iiot.js', 'sandbox', 'exec', '--users', '60', '--', ...inside], { env, extendEnv: false });
  }
}

/** The files inside of the program: paths by which it reads them, and their present paths. */
function assets(): Record<string, string> {
  const folders = [
    ['dist/help', 'dist/help'],
    ['completions', 'completions'],
    ['compiled', join(work, 'compiled')],
  ] as const;
  const files = folders.flatMap(([path, folder]) =>
    readdirSync(folder).map((name) => [`${path}/${name}`, join(folder, name)] as const),
  );
  // Only the files of this build, because files of earlier ones may lie beside them.
  const contents = JSON.parse(readFileSync('.cache/contents.json', 'utf8')) as Record<string, unknown>;
  const program = Object.keys(contents).filter((name) => !name.startsWith('write-'));
  const others = [...program, 'complete.cjs', 'completions.json', 'build.json'];
  return Object.fromEntries([...files, ...others.map((name) => [`dist/${name}`, join('dist', name)] as const)]);
}
