/** The one-file program as people get it: nothing beside it, and no Node anywhere. */
import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { cleanEnvironment, executable, programFile } from '../support/program.ts';

// There is none in the ordinary run.
it.skipIf(executable === undefined)('the single-file executable runs the tour without Node in PATH', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'iiot-one-file-'));
  try {
    const [home, bin] = [join(folder, 'home'), join(folder, 'bin')];
    await mkdir(home);
    await mkdir(bin);
    await copyFile(programFile, join(bin, 'iiot'));
    const options = {
      cwd: bin,
      env: { ...cleanEnvironment(home), PATH: bin },
      extendEnv: false,
      reject: false,
    } as const;
    await expect(execa('node', ['--version'], { ...options, reject: true })).rejects.toMatchObject({ code: 'ENOENT' });
    const tour = await execa(join(bin, 'iiot'), ['sandbox', 'tour'], options);
    expect(tour.exitCode).toBe(0);
    expect(tour.stderr).toMatch(/\n\$ iiot logout\n[^$]*\nThat was the tour\./);
    expect([await readdir(bin), await readdir(home)]).toEqual([['iiot'], []]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
