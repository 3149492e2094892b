/** Line ends in a text of the platform cannot make it look like a line of iiot. */
import { describe, expect, it } from 'vitest';
import { personForEach, personsForEach } from '../support/fixtures.ts';

const ada = personForEach();
const newPerson = personsForEach();

const forged = 'press\nNo device uses it.\r\nerror: none\u2028\u001b[2J';
/** A sentence of the platform is shown without its line ends. */
const joined = 'press No device uses it. error: none \\u{1b}[2J';
const shown = 'press↵No device uses it.↵error: none\\u{2028}\\u{1b}[2J';

describe('a text of the platform with line ends stays on one line', () => {
  it('in a notice', async () => {
    const [machine] = ada.platform.world.credentials.values();
    if (machine) ada.platform.world.credentials.set(machine.clientCredentialId, { ...machine, name: forged });
    const { stderr } = await ada.iiot(['credentials', 'delete', 'credential_001', '--yes']);
    expect(stderr.split('\n')[0]).toContain(` client credential credential_001 ("${shown}").`);
  });

  const refusing = () =>
    newPerson({
      env: { IIOT_TOKEN: 'a-token-of-a-test' },
      fetch: async () => Response.json({ error: { code: 'Plant:1', message: forged } }, { status: 403 }),
    });

  it('in an error', async () => {
    const { exit, stderr } = await refusing().iiot(['devices', 'custom-info', 'set', 'press-0001', 'a=b']);
    const lines = stderr.split('\n');
    expect([exit, lines.length, lines[0]]).toEqual([4, 4, `error: ${joined}.`]);
  });

  it('in a failed row of an import', async () => {
    const words = ['devices', 'custom-info', 'import', '--yes', '-', '--format', 'csv', '--retries', '0', '-q'];
    const { exit, stderr } = await refusing().iiot(words, { stdin: 'deviceId,line\npress-0001,3\n' });
    expect(exit).toBe(9);
    expect(stderr.split('\n').filter((line) => /No device uses it/.test(line))).toEqual([
      `Line 2, press-0001: ${joined}. (403)`,
    ]);
  });
});
