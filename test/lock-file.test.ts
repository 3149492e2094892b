/** What `npm ci` installs is what was looked at: each package has its checksum. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

type Locked = { readonly integrity?: string; readonly resolved?: string; readonly engines?: object };

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};
// The empty name is this project itself.
const installed = Object.entries(packages).filter(([name]) => name !== '');

it('every package in the lock file has a SHA-512 checksum', () => {
  expect(installed.length).toBeGreaterThan(100);
  expect(installed.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))).toEqual([]);
});

it('every package in the lock file comes from the public registry', () => {
  const elsewhere = /^(?!https:\/\/registry\.npmjs\.org\/)/;
  expect(installed.filter(([, { resolved }]) => resolved !== undefined && elsewhere.test(resolved))).toEqual([]);
});

it('the optional packages of the bundler in the lock file name no engines', () => {
  const bindings = installed.filter(([name]) => name.includes('@rolldown/binding-'));
  expect(bindings.length).toBeGreaterThan(10);
  expect(bindings.filter(([, { engines }]) => engines !== undefined)).toEqual([]);
});
