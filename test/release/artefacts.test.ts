/** What a release has: names, texts and sums that agree with each other. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { artefactsOf, manifestNames, partsName } from '../../build/release/artefacts.ts';
import { manifestsOf } from '../../build/release/manifests.ts';
import { sha256 } from '../../build/release/node.ts';
import { notesOf } from '../../build/release/notes.ts';
import { facts } from './facts.ts';

const names = [
  'iiot-1.2.3.tgz',
  'iiot-1.2.3-linux-x64.tar.gz',
  'iiot-1.2.3-linux-arm64.tar.gz',
  'iiot-1.2.3-darwin-x64.tar.gz',
  'iiot-1.2.3-darwin-arm64.tar.gz',
  'iiot-1.2.3-win-x64.zip',
  'iiot_1.2.3_amd64.deb',
  'iiot-1.2.3-1.x86_64.rpm',
  'iiot_1.2.3_arm64.deb',
  'iiot-1.2.3-1.aarch64.rpm',
  'iiot-1.2.3-image.oci.tar',
];
const sums = new Map(names.map((name) => [name, sha256(name)]));
const download = (name: string) => `https://git.example/iiot/releases/download/v1.2.3/${name}`;

it('A release has eleven files that people install, each with a list of its parts', () => {
  expect(artefactsOf('1.2.3').map(({ name }) => name)).toEqual(names);
  expect(partsName('iiot-1.2.3.tgz')).toBe('iiot-1.2.3.tgz.cdx.json');
});

it('Each manifest names archives of the release, with their sums', () => {
  const manifests = manifestsOf(facts, sums);
  expect([...manifests.keys()]).toEqual(manifestNames);
  const pairs = [...manifests].map(([name, text]) => {
    const urls = [...text.matchAll(/https:\/\/git\.example\/\S+?\/v1\.2\.3\/([^\s"]+)/g)].map(([, file]) => file ?? '');
    const found = [...text.matchAll(/\b[\da-f]{64}\b/gi)].map(([sum]) => sum.toLowerCase());
    expect(found, name).toEqual(urls.map((file) => sums.get(file)));
    return [name, urls];
  });
  expect(Object.fromEntries(pairs)).toEqual({
    'homebrew/iiot.rb': [
      'iiot-1.2.3-darwin-arm64.tar.gz',
      'iiot-1.2.3-darwin-x64.tar.gz',
      'iiot-1.2.3-linux-arm64.tar.gz',
      'iiot-1.2.3-linux-x64.tar.gz',
    ],
    'scoop/iiot.json': ['iiot-1.2.3-win-x64.zip'],
  });
});

it('The manifest of Scoop names the folder and the program in the archive', () => {
  const manifests = manifestsOf(facts, sums);
  expect(JSON.parse(manifests.get('scoop/iiot.json') ?? '')).toEqual({
    version: '1.2.3',
    description: 'Administer an industrial IoT platform from the command line',
    homepage: 'https://iiot.example',
    license: 'MIT',
    architecture: {
      '64bit': {
        url: download('iiot-1.2.3-win-x64.zip'),
        hash: sha256('iiot-1.2.3-win-x64.zip'),
        extract_dir: 'iiot-1.2.3-win-x64',
      },
    },
    bin: 'iiot.exe',
  });
});

it('A manifest is not made without the sum of each archive', () => {
  expect(() => manifestsOf(facts, new Map())).toThrow('iiot-1.2.3-darwin-arm64.tar.gz has no sum');
});

it('The notes of a release are the section of its version in the changelog, or the unreleased one', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\n- new\n\n## 1.2.3 - 2026-06-01\n\n### Added\n\n- old\n';
  expect(notesOf(changelog, '1.2.3')).toBe('### Added\n\n- old\n');
  expect(notesOf(changelog, '1.2.4')).toBe('- new\n\n');
  expect(() => notesOf('# Changelog\n', '1.2.4')).toThrow('CHANGELOG.md has no section for 1.2.4: add "## 1.2.4"');
});

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...listed('docs', 'md'),
  ...listed('packaging', '(sh|yml)'),
];

function listed(folder: string, ending: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => new RegExp(`\\.${ending}$`).test(name)).map((name) => `${folder}/${name}`);
}

/** Names of files of a release, also with VERSION or a star; those that begin with iiot-cli are made by `npm pack`. */
const namesIn = (text: string) =>
  [...text.matchAll(/(?<![\w-])iiot[-_](?!cli)[\w.*-]*\.(?:tgz|tar\.gz|zip|deb|rpm|oci\.tar)(?:\.\w+)*/g)].map(
    ([name]) => name,
  );

it('Documents and scripts name files that a release has, each exactly once', () => {
  const named = pages.flatMap((page) => namesIn(readFileSync(page, 'utf8')).map((name) => `${page} ${name}`));
  const found = named.map((line) => {
    const [page, name = ''] = line.split(' ');
    const pattern = name
      .replace(/VERSION|\d+\.\d+\.\d+/, '1.2.3')
      .replaceAll('.', '\\.')
      .replaceAll('*', '.*');
    const all = names.flatMap((each) => [each, partsName(each)]);
    return [page, name, ...all.filter((each) => new RegExp(`^${pattern}$`).test(each))];
  });
  expect(found.filter(({ length }) => length !== 3)).toEqual([]);
  const counted = new Set(found.map(([page]) => page));
  for (const page of ['README.md', 'docs/internals/releasing.md', 'SECURITY.md', 'packaging/install.sh'])
    expect(counted).toContain(page);
});

// They come from one place, and are left out as long as there is none.
it('package.json has the addresses of packaging/project.json', () => {
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  const { repository, bugs, homepage } = read('packaging/project.json');
  const expected = {
    ...(repository !== '' && { repository: { type: 'git', url: `git+${repository}.git` } }),
    ...(bugs !== '' && { bugs: { url: bugs } }),
    ...(homepage !== '' && { homepage }),
  };
  const shown = Object.entries(read('package.json')).filter(([name]) => /^(repository|bugs|homepage)$/.test(name));
  expect(Object.fromEntries(shown)).toEqual(expected);
});
