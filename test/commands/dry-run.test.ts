/** --dry-run of every change shows the request and sends nothing, not even a login. */
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ownOptions } from '../../src/command/command.ts';
import { groups } from '../../src/commands/index.ts';
import { changes } from '../support/changes.ts';
import { type Person, person } from '../support/world.ts';

const base = 'http://127.0.0.1:1';

const commands = (await Promise.all(groups.map(({ load }) => load()))).flat();
const rehearsable = commands.filter((command) => ownOptions(command).some(({ name }) => name === 'dryRun'));

it('every command that changes the platform has --dry-run and a line in test/support/changes.ts', () => {
  expect(rehearsable.map(({ name }) => name).sort()).toEqual(Object.keys(changes).sort());
  const changing = commands.filter(
    ({ operation, changes: kind }) => operation !== undefined && operation.method !== 'GET' && kind !== undefined,
  );
  const others = changing.filter((command) => !rehearsable.includes(command)).map(({ name }) => name);
  expect(others).toEqual(['templates edit']);
});

const single = Object.entries(changes).flatMap(([name, { words, agrees = [], sends }]) =>
  sends ? [[name, [...name.split(' '), ...words, ...agrees], sends] as const] : [],
);

describe.each(single)('iiot %s --dry-run', (_, words, [method, path, body]) => {
  const rehearse = (someone: Person, format: string) => someone.iiot([...words, '--dry-run', '-o', format]);
  const typed = body === undefined ? {} : { contentType: 'application/json', body };

  it('shows the request and a curl command, and sends nothing', async () => {
    const someone = person({ env: { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined } });
    const { exit, stdout, stderr } = await rehearse(someone, 'json');
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    const { dryRun, curl, request: shown } = JSON.parse(stdout);
    const sent = { method, url: base + path, headers: null, contentType: null, body: null, ...typed };
    expect([dryRun, shown]).toEqual([true, sent]);
    expect(curl).toMatch(/^curl .*-H "Authorization: Bearer \$IIOT_TOKEN".* '\S+'$/);
    expect(someone.requests).toEqual([]);
    expect(readdirSync(someone.folder)).toEqual([]);
    expect(existsSync('secret.txt')).toBe(false);
    someone.leave();
  });

  it.each(['table', 'ndjson', 'yaml', 'csv', 'id'])('shows the curl command as %s', async (format) => {
    const someone = person();
    const { exit, stdout } = await rehearse(someone, format);
    expect([exit, stdout.includes('curl')]).toEqual([0, true]);
    expect(someone.requests).toEqual([]);
    someone.leave();
  });
});
