/** A list of 1,500 users of which the last 500 have a department, which comes on the second page: csv of the built program has it all the same. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse } from 'csv-parse/sync';
import { afterEach, describe, expect, it } from 'vitest';
import { ids } from '../../src/sandbox/world/ids.ts';
import { homeForEach } from '../support/home.ts';
import { programFile, programWords } from '../support/program.ts';

const home = homeForEach(() => ({ IIOT_TOKEN: 'token-0123456789', IIOT_ORG: ids.root }));
let close = () => {};
afterEach(() => close());

const user = (number: number) => ({
  userId: `u${number}`,
  name: 'Ada',
  orgRole: 'viewer',
  ...(number > 1000 && { department: `Hall ${number}, "B"` }),
});

/** A platform on loopback. @param withSecond false if it never sends the second page */
async function platform(withSecond = true) {
  let arrived = () => {};
  const askedForSecond = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const server = createServer(({ url = '' }, response) => {
    const { searchParams } = new URL(url, 'http://x');
    const skip = Number(searchParams.get('skipCount') ?? 0);
    if (skip > 0) arrived();
    if (skip > 0 && !withSecond) return;
    const count = Math.min(1500 - skip, Number(searchParams.get('maxResultCount')));
    const items = Array.from({ length: count }, (_, index) => user(skip + index + 1));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ items, totalCount: 1500 }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { words: ['orgs', 'users', 'list', '-o', 'csv', '--base-url', url], askedForSecond };
}

/** Runs a line of bash in which "$@" is the list. */
async function shell(line: string, ...more: string[]) {
  const { words } = await platform();
  return home.run(['/bin/bash', '-c', line, 'bash', programFile, ...programWords, ...words, ...more]);
}

const header = 'userId,name,orgRole,department';

describe('csv of a list with a field that only later rows have', () => {
  it('has it in a file, for each row, and leaves nothing else behind', async () => {
    expect(await shell('"$@" > users.csv')).toEqual({ exit: 0, stdout: '', stderr: '' });
    const rows = parse(home.read('users.csv'), { columns: true });
    expect(rows).toEqual(Array.from({ length: 1500 }, (_, index) => ({ department: '', ...user(index + 1) })));
    expect(home.left()).toEqual([]);
  });

  it('has it in a pipe whose reader goes away, without a message', async () => {
    const { stdout, stderr } = await shell(`"$@" | head -1; printf '%s' "\${PIPESTATUS[*]}"`);
    expect([stdout, stderr]).toEqual([`${header}\r\n0 0`, '']);
  });

  it('does not have it where --limit ends before it', async () => {
    const { stdout, stderr } = await shell('"$@"', '--limit', '1000');
    expect(stdout.split('\r\n').length).toBe(1002);
    expect([stdout.slice(0, 21), stderr]).toEqual(['userId,name,orgRole\r\n', '1,000 of 1,500 users\n']);
  });

  it('has what came before Ctrl-C, and ends with 130', async () => {
    const { words, askedForSecond } = await platform(false);
    const running = home.begin(words);
    await askedForSecond;
    running.child.kill('SIGINT');
    expect(await running.ended).toEqual({ exit: 130, signal: null });
    expect(running.stderr()).toBe('Stopped by SIGINT. The list was cut off after 1,000 of 1,500 users.\n');
    expect(running.stdout().split('\r\n').length).toBe(1002);
    expect(running.stdout()).toMatch(/^userId,name,orgRole\r\nu1,Ada,viewer\r\n/);
  });

  it('is not written if a column that is asked for may be on a page that Ctrl-C has prevented', async () => {
    const { words, askedForSecond } = await platform(false);
    const running = home.begin([...words, '--columns', 'department']);
    await askedForSecond;
    running.child.kill('SIGINT');
    expect([await running.ended, running.stdout()]).toEqual([{ exit: 130, signal: null }, '']);
  });
});
