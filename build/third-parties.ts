/** Lists the packages in the bundle with their licences, and the commit of the bundle. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OutputChunk, Plugin } from 'rolldown';

type Package = {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly folder: string;
};

/**
 * A plugin for rolldown that writes THIRD-PARTY-NOTICES with the licences of all bundled packages, .cache/contents.json with the packages in each file,
 * `{"core-1a2b.cjs": ["commander"]}`, .cache/parts.json with their versions and licences, and dist/build.json for `iiot version -o json`. Ends the build
 * for a package without a licence.
 */
export function thirdParties(): Plugin {
  return {
    name: 'third-parties',
    writeBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const packages = new Map(chunks.flatMap(readPackages).map((each) => [each.folder, each]));
      const parts = [...packages.values()].sort(byName);
      writeFileSync('THIRD-PARTY-NOTICES', notices(parts));
      writeFileSync('dist/build.json', JSON.stringify(readBuildFacts(parts)));
      mkdirSync('.cache', { recursive: true });
      const facts = parts.map(({ name, version, license }) => ({ name, version, license }));
      writeFileSync('.cache/parts.json', JSON.stringify(facts, undefined, 2));
      const contents = chunks.map((chunk) => [chunk.fileName, readPackages(chunk).map(({ name }) => name)]);
      writeFileSync('.cache/contents.json', JSON.stringify(Object.fromEntries(contents), undefined, 2));
    },
  };
}

function readBuildFacts(packages: readonly Package[]): object {
  const bundled = packages.map(({ name, version }) => ({ name, version }));
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as Package;
  const project = existsSync('packaging/project.json') ? readFileSync('packaging/project.json', 'utf8') : '{}';
  const { repository = '' } = JSON.parse(project) as { readonly repository?: string };
  const verify = repository === '' ? undefined : `${repository}/blob/v${version}/SECURITY.md#verify-a-release`;
  return { commit: readCommit(), bundled, verify };
}

/** Reads the commit of this clone, with `-dirty` if tracked files have changes. Undefined for sources that are not a clone. */
function readCommit(): string | undefined {
  if (!existsSync('.git')) return undefined;
  const words = ['describe', '--always', '--abbrev=40', '--dirty', '--exclude=*'];
  try {
    return execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined; // git is missing, or refuses a clone of another user
  }
}

function readPackages({ modules }: OutputChunk): Package[] {
  const folders = Object.entries(modules)
    .filter(([, { renderedLength }]) => renderedLength > 0)
    .map(([id]) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0])
    .filter((folder) => folder !== undefined);
  return [...new Set(folders)].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package;
    return { name, version, license, folder };
  });
}

function byName(one: Package, other: Package): number {
  return one.name < other.name ? -1 : 1;
}

function notices(packages: readonly Package[]): string {
  const parts = packages.map((each) => `${each.name} ${each.version}\n\n${readLicences(each).join('\n\n')}`);
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  return `${['iiot-cli contains the following packages.', ...parts].join(rule)}\n`;
}

/** Reads the licence files of a package, and our own text for compiled parts or for a package without licence files. */
function readLicences({ name, folder }: Package): string[] {
  const brought = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const ours = join('build', 'licences', `${name.replace('/', '-')}.txt`);
  const files = [...brought.map((file) => join(folder, file)), ...(existsSync(ours) ? [ours] : [])];
  if (files.length === 0) throw new Error(`${name} is in the bundle and brings no licence: write ${ours}`);
  return files.map((file) => readFileSync(file, 'utf8').trim());
}
