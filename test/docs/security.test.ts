/** SECURITY.md names the tests of its promises in comments, such as <!-- test/http/redirect.test.ts: follows no -->. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const [, promises = ''] = readFileSync('SECURITY.md', 'utf8').split(
  /\n## What (?:the tool promises|it does not promise)\n/,
);
const [, ...bullets] = promises.split(/^- /m);

it('SECURITY.md names a test for each of its promises', () => {
  expect(bullets.length).toBeGreaterThan(20);
  // Rights on Windows are neither checked nor changed, so that there is nothing to try.
  const without = bullets.filter((each) => !each.includes('<!-- test/'));
  expect(without.map((each) => /^\*\*(.*)\.\*\*/.exec(each)?.[1])).toEqual(['Windows']);
});

it.each([...promises.matchAll(/<!-- (.*?) -->/g)].map(([, name = '']) => name))(
  'the test that SECURITY.md names exists: %s',
  (name) => {
    const [file = '', ...title] = name.split(': ');
    expect(existsSync(file) && readFileSync(file, 'utf8')).toContain(title.join(': '));
  },
);
