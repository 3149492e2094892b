/** docs/contract.md promises what docs/internals/surface.json has, and the other way round. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const page = readFileSync('docs/contract.md', 'utf8');
const surface = JSON.parse(readFileSync('docs/internals/surface.json', 'utf8'));
const section = (heading: string) => page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
const quoted = (text: string, what: RegExp) =>
  [...text.matchAll(/`([^`]+)`/g)].flatMap(([, word = '']) => (what.test(word) ? [word] : [])).toSorted();

describe('the contract', () => {
  it('has at most 1,550 words', () => {
    expect(page.trim().split(/\s+/).length).toBeLessThanOrEqual(1550);
  });

  it('names exactly the variables of the surface', () => {
    const named = quoted(section('Variables'), /^[A-Z_]{2,}$/);
    expect(named).toEqual([...surface.variables].toSorted());
  });

  it('names every variable of the sources, except those of Node and the system', () => {
    const others = /^(NODE_(?!EXTRA_CA_CERTS)|HOME$|USERPROFILE$|PATH$|SUDO_(UID|USER)$)/;
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const read = sources.flatMap((name) => {
      const text = readFileSync(`src/${name}`, 'utf8').replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
      return [...text.matchAll(/\b(?:env|environment)\.([A-Z][A-Z_]+)|\b(IIOT_[A-Z_]+[A-Z])\b/g)].map(
        ([, name = '', own = name]) => own,
      );
    });
    expect(read.length).toBeGreaterThan(50);
    expect([...new Set(read)].filter((name) => !others.test(name) && !surface.variables.includes(name))).toEqual([]);
  });

  it('names exactly the files, formats, exit codes and error codes of the surface', () => {
    expect(quoted(section('Files'), /^[a-z]+\.(nd)?json$/)).toEqual([...surface.files].toSorted());
    const formats = [...section('Streams and formats').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    expect(formats.toSorted()).toEqual([...surface.options['--output'].enum].toSorted());
    const rows = [...section('Exit codes and errors').matchAll(/^\| ([\d, ]+) \|(?: `(\w+)`)? \|/gm)];
    const codes = rows.flatMap(([, numbers = '', error]) =>
      numbers.split(', ').map((code) => [code, error].filter(Boolean).join(' ')),
    );
    expect(codes.toSorted()).toEqual([...surface.exitCodes].toSorted());
  });

  it('names only options that exist', () => {
    const commands = Object.values<{ readonly options: object }>(surface.commands);
    const options = new Set([surface, surface.rows, ...commands].flatMap((each) => Object.keys(each.options)));
    const named = [...page.matchAll(/`(?:[^`]* )?(--[a-z][a-z-]+)/g)].map(([, option = '']) => option);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((option) => !options.has(option))).toEqual([]);
  });
});
