/** The tests that measure a time, each with its reason: elsewhere an event is waited for, steps are counted, or the clock is an argument. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const measuring: Readonly<Record<string, string>> = {
  'expressions.test.ts': 'Compares a text with one that is several times as long, in time of the processor.',
  'process/network.test.ts': 'At least as long as it is told to wait: only more on a slow machine.',
  'sandbox/faults.test.ts': 'At least as long as it is told to wait: only more on a slow machine.',
  'support/linear.ts': 'Compares a text with a fourth of it, in time of the processor.',
};

it('only the tests of this list measure time', () => {
  const names = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.ts$/.test(name),
  );
  const found = names.filter((name) =>
    /performance\.now\(\) - |cpuUsage\(|[.]maxRSS/.test(readFileSync(join(import.meta.dirname, name), 'utf8')),
  );
  expect(found.map((name) => name.replaceAll('\\', '/')).sort()).toEqual(Object.keys(measuring).sort());
});
