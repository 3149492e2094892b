/** A reporter that says in a line each what the machine lacked, with what would install it, and which tests were tried again. */
import { readFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** What was installed for the tests: where it is missing nevertheless, what is skipped must not look like what passed. */
const installed = (process.env.IIOT_TEST_COMPLETE ?? '').split(' ');
const packages = JSON.parse(readFileSync('test/support/programs.json', 'utf8')) as Readonly<Record<string, string>>;

export default class SaidAtTheEnd implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = [...lackingLines(modules), ...retriedLines(modules)];
    if (lines.length > 0) console.log(`\n${lines.join('\n')}`);
  }
}

function lackingLines(modules: readonly TestModule[]): string[] {
  const all = [...new Set(modules.flatMap((module) => module.meta().lacks ?? []))].sort();
  if (all.some((name) => installed.includes(name))) process.exitCode = 1;
  return all.map((name) => {
    const skipped = modules
      .filter((module) => module.meta().lacks?.includes(name))
      .map((module) => [...module.children.allTests('skipped')].length);
    const install = packages[name] === undefined ? '' : `: apt-get install ${packages[name]}`;
    return `${name} is missing, ${skipped.reduce((sum, each) => sum + each, 0)} tests of ${skipped.length} files were skipped${install}`;
  });
}

function retriedLines(modules: readonly TestModule[]): string[] {
  const retried = modules
    .flatMap((module) => [...module.children.allTests()])
    .filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0);
  return retried.length === 0
    ? []
    : [`${retried.length} tests were tried again:`, ...retried.map(({ fullName }) => `  ${fullName}`)];
}
