/** Limits of the system that leave a process too little: what Node survives is told in a sentence, and never called a bug. */
import { describe, expect, it } from 'vitest';
import { startServer } from '../../src/sandbox/server.ts';
import { madeForAll } from '../support/fixtures.ts';
import { homeForEach, machineOf } from '../support/home.ts';

const sandbox = madeForAll(() => startServer());
const home = homeForEach(() => machineOf(sandbox));

const limited = (limit: string, words: string) => home.run(['sh', '-c', `ulimit ${limit}; exec iiot ${words}`]);

describe.skipIf(process.platform === 'win32')('a limit', () => {
  it.each(['orgs users list --limit 1 -o id', 'devices custom-info import f.csv --yes', 'doctor -o json'])(
    'of open files is not reported as a bug by iiot %s',
    async (words) => {
      home.file('f.csv', 'deviceId,a\npress-0001,1\n');
      for (let files = 14; files <= 30; files += 4) {
        const { exit, stderr } = await limited(`-n ${files}`, words);
        expect(`${files}: ${stderr}`).not.toMatch(/This is a bug|failed \(EMFILE\)/);
        if (exit === 1 && stderr.startsWith('error:')) expect(stderr).toContain('too many files are open');
      }
    },
  );

  it.each([800_000, 900_000])('of %d kB of memory shows no stack trace', async (memory) => {
    home.file('f.csv', 'deviceId,a\npress-0001,1\n');
    const { stderr } = await limited(`-v ${memory}`, 'devices custom-info import f.csv --yes');
    expect(stderr).not.toContain('lazyllhttp');
  });
});
