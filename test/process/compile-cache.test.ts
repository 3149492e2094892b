/** What Node keeps of the program between two runs, and where. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { executable, nodeBinary, runProgram } from '../support/program.ts';

const refused = { stdout: '', stderr: "Unknown command 'lits'.\nDid you mean list?\n", exit: 2 };

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'iiot-home-'));
});

afterEach(() => rm(home, { recursive: true, force: true }));

/** Node keeps it from 22 on; the one-file program brings it along. */
async function keeps(): Promise<boolean> {
  const { stdout } = await execa(nodeBinary, ['-p', 'process.versions.node.split(".")[0]']);
  return executable === undefined && Number(stdout) >= 22;
}

describe('what Node has compiled', () => {
  it("is kept in the person's own folder for caches, and nowhere else", async () => {
    const temporary = join(home, 'temporary');
    const env = { HOME: home, TMPDIR: temporary, IIOT_CONFIG_DIR: join(home, 'settings') };
    expect(await runProgram(['orgs', 'users', 'lits'], { env })).toEqual(refused);
    expect(await readdir(home)).toEqual((await keeps()) ? ['.cache'] : []);
  });

  it('is nothing for a version or a help text', async () => {
    await runProgram(['--version'], { env: { HOME: home } });
    await runProgram(['orgs', '--help'], { env: { HOME: home } });
    expect(await readdir(home)).toEqual([]);
  });

  it('is done without where that folder cannot be made', async () => {
    await writeFile(join(home, '.cache'), 'a file in its place');
    expect(await runProgram(['orgs', 'users', 'lits'], { env: { HOME: home } })).toEqual(refused);
    expect(await runProgram(['orgs', 'users', 'lits'], { env: { HOME: '' } })).toEqual(refused);
  });
});

describe('a text', () => {
  it.skipIf(process.platform !== 'linux')('that cannot be written ends with 1 and says so', async () => {
    const program = executable === undefined ? `'${nodeBinary}' bin/iiot.js` : `'${executable}'`;
    const { exitCode, stderr } = await execa(`${program} --version > /dev/full`, { shell: '/bin/sh', reject: false });
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: 'The text could not be written (ENOSPC).' });
  });

  it('whose reader has gone away ends quietly', async () => {
    const program = executable === undefined ? `'${nodeBinary}' bin/iiot.js` : `'${executable}'`;
    const script = `{ sleep 0.3; ${program} --help; echo "ended with $?" >&2; } | true`;
    const { stderr } = await execa(script, { shell: '/bin/sh' });
    expect(stderr).toBe('ended with 0');
  });
});
