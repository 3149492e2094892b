/** What docs/unattended.md shows: cron's lines are run against the sandbox, and systemd reads its units. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startServer } from '../../src/sandbox/server.ts';
import { ids } from '../../src/sandbox/world/ids.ts';
import { madeForEach } from '../support/fixtures.ts';
import { homeForEach } from '../support/home.ts';
import { lacks } from '../support/lacking.ts';

const text = readFileSync('docs/unattended.md', 'utf8');
const blocks = (language: string) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, block = '']) => block);
const [table = ''] = blocks('crontab');
const [check = '', nightly = ''] = [...table.matchAll(/^(?:\S+ ){5}(iiot|cd) (.*)$/gm)].map(
  ([, word, rest]) => `${word} ${rest}`,
);

const server = madeForEach(() => startServer());
const home = homeForEach(() => {
  const variables = table
    .replace('https://platform.example', server.url)
    .replace('ID=ID', `ID=${ids.clientId}`)
    .replace('/home/iiot/secret', home.at('secret'));
  return Object.fromEntries([...variables.matchAll(/^(IIOT_\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
});
const cron = async (line: string) => {
  home.file('secret', `${ids.clientSecret}\n`);
  const { stdout, stderr } = await home.run(['sh', '-c', line.replace('/srv/fleet', home.folder)]);
  return stdout + stderr;
};

it('cron mails the credentials that expire soon, and nothing if there are none', async () => {
  expect(await cron(check)).toBe('');
  await cron('iiot credentials create --name gateway --expires 7d --secret-file gateway.secret');
  expect(await cron(check)).toMatch(/^\S+\tgateway\t.*\n$/);
});

it('cron imports a file, mails a failure, and continues the next night', async () => {
  home.file('fleet.csv', 'deviceId,line\npress-0001,2\npress-9999,2\n');
  expect(await cron(nightly)).toBe('exit code 9\n');
  home.file('fleet.csv', 'deviceId,line\npress-0001,2\npress-0002,2\n');
  expect(await cron(nightly)).toBe('');
  expect(home.read('import.log')).toContain('Done and unchanged: 1 row. To send: 1 row.\n');
});

it.skipIf(lacks('systemd-analyze'))('the documented units are valid for systemd', async () => {
  const units = blocks('ini').map((block) => {
    const [, name = '', unit = ''] = /^# \/etc\/systemd\/system\/(\S+)\n([\s\S]*)$/.exec(block) ?? [];
    return home.file(name, unit.replace('/usr/bin/iiot', home.at('bin/iiot')));
  });
  expect(await home.run(['systemd-analyze', 'verify', ...units])).toEqual({ exit: 0, stdout: '', stderr: '' });
});
