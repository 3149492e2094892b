/** Measures how long a list of 100,000 users takes, beside the simplest script that does the same. */
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { largeOrg, startPlatform } from './platform.ts';
import { type Measured, measure } from './rounds.ts';

const rounds = 7;

const plainest = `
(async () => {
  const [base] = process.argv.slice(1);
  const headers = { authorization: 'Bearer ' + process.env.IIOT_TOKEN };
  for (let skip = 0, total = 1; skip < total; skip += 1000) {
    const answer = await fetch(base + '/api/v1/orgs/${largeOrg}/users?maxResultCount=1000&skipCount=' + skip, { headers });
    const page = await answer.json();
    total = page.totalCount;
    process.stdout.write(page.items.map(({ userId, name, orgRole }) => [userId, name, orgRole].join('\\t') + '\\n').join(''));
  }
})();`;

export async function measureListing(): Promise<Measured[]> {
  const platform = await startPlatform();
  const settings = { HOME: tmpdir(), IIOT_CONFIG_DIR: join(tmpdir(), 'iiot-bench-none') };
  const env = { ...settings, IIOT_BASE_URL: platform.base, IIOT_ORG: largeOrg, IIOT_TOKEN: 'a-token-for-the-bench' };
  const list = [resolve('bin/iiot.js'), 'orgs', 'users', 'list', '--all', '--page-size', '1000'];
  try {
    return measure(
      [
        { what: 'a script of ten lines over fetch', command: [process.execPath, '-e', plainest, platform.base], env },
        { what: 'iiot, as a table in a pipe', command: [process.execPath, ...list], env },
        { what: 'iiot -o ndjson', command: [process.execPath, ...list, '-o', 'ndjson'], env },
        { what: 'iiot -o csv', command: [process.execPath, ...list, '-o', 'csv'], env },
        { what: 'iiot -o json', command: [process.execPath, ...list, '-o', 'json'], env },
      ],
      rounds,
    );
  } finally {
    platform.stop();
  }
}
