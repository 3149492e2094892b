/** What docs/rehearsing.md shows, run as it is written. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { homeForEach } from '../support/home.ts';
import { typedIn } from '../support/shell.ts';

const lines = readFileSync('docs/rehearsing.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('iiot sandbox exec '));

const home = homeForEach();

/** Runs a line of the document in the folder in which it is read. */
async function run(line: string) {
  const [words = []] = await typedIn(line);
  return home.iiot(words.slice(1), { cwd: process.cwd() });
}

describe('the sample script', () => {
  it('has ten lines', () => {
    expect(readFileSync('docs/rollout.sh', 'utf8').trim().split('\n')).toHaveLength(10);
  });

  it('runs in a sandbox without faults', async () => {
    expect(lines[0]).toBe('iiot sandbox exec -- sh docs/rollout.sh');
    const { exit, stdout } = await run(lines[0] ?? '');
    expect({ exit, stdout }).toEqual({
      exit: 0,
      stdout: 'aaaaaaaa-0000-4000-8000-000000000001\ntemplate_001\nchannel_email\n91 administrators can see it\n',
    });
  });

  it('makes the expected requests in a sandbox with faults', async () => {
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('--fault "PUT **/press-0002/**=503:50%" --expect docs/rollout.expect');
    const { exit, stderr } = await run(lines[1] ?? '');
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: 'Set 2 keys of device press-0001\nSet 2 keys of device press-0002\n',
    });
  });

  it('does not make the expected requests without that fault', async () => {
    const { exit, stderr } = await run('iiot sandbox exec --expect docs/rollout.expect -- sh docs/rollout.sh');
    expect({ exit, differences: stderr.split('\n').filter((line) => /^[-+] /.test(line)) }).toEqual({
      exit: 10,
      differences: ['- PUT   /platform/**/press-0002/custom-info 503'],
    });
  });

  it('stops when the platform refuses a request', async () => {
    const line = 'iiot sandbox exec --fault "PATCH /api/**/templates/**=403" -- sh docs/rollout.sh';
    const { exit, stdout } = await run(line);
    expect({ exit, stdout }).toEqual({ exit: 4, stdout: 'aaaaaaaa-0000-4000-8000-000000000001\n' });
  });
});
