/** What `npm ci` installs is what was looked at: each package has its checksum. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

type Locked = { readonly integrity?: string; readonly resolved?: string; readonly engines?: object };

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};
// The empty name is this project itself.
const installed = Object.entries(packages).filter(([name]) => name !== '');

it('every package in the lock file has a SHA-512 checksum, those for other platforms too', () => {
  expect(installed.length).toBeGreaterThan(100);
  expect(installed.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))).toEqual([]);
});

it('no package in the lock file comes from anywhere but the public registry', () => {
  const elsewhere = /^(?!https:\/\/registry\.npmjs\.org\/)/;
  expect(installed.filter(([, { resolved }]) => resolved !== undefined && elsewhere.test(resolved))).toEqual([]);
});

it('npm installs the bundler on each version of Node that can build: it leaves out an optional package whose engines do not match', () => {
  const bindings = installed.filter(([name]) => name.includes('@rolldown/binding-'));
  expect(bindings.length).toBeGreaterThan(10);
  expect(bindings.filter(([, { engines }]) => engines !== undefined)).toEqual([]);
});
