/** A list of 1,500 users of which the last 500 have a department, which comes on the second page: csv of the built program has it all the same. */
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { ids } from '../../src/sandbox/world/ids.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { homeForEach } from '../support/home.ts';
import { programFile, programWords } from '../support/program.ts';
import { answerText, rawServer } from '../support/raw-server.ts';
import { until } from '../support/waiting.ts';

const home = homeForEach(() => ({ IIOT_TOKEN: 'token-0123456789', IIOT_ORG: ids.root }));
const keep = closedAfterEach();

const user = (number: number) => ({
  userId: `u${number}`,
  name: 'Ada',
  orgRole: 'viewer',
  ...(number > 1000 && { department: `Hall ${number}, "B"` }),
});

/** A platform on loopback. @param withSecond false if it never sends the second page */
async function platform(withSecond = true) {
  const server = await keep(
    rawServer((socket, request) => {
      const { searchParams } = new URL(request.split(' ')[1] ?? '', 'http://x');
      const skip = Number(searchParams.get('skipCount') ?? 0);
      if (skip > 0 && !withSecond) return;
      const count = Math.min(1500 - skip, Number(searchParams.get('maxResultCount')));
      const items = Array.from({ length: count }, (_, index) => user(skip + index + 1));
      socket.write(answerText(200, JSON.stringify({ items, totalCount: 1500 })));
    }),
  );
  const askedForSecond = () => until('the second page is asked for', () => server.requests.length === 2);
  return { words: ['orgs', 'users', 'list', '-o', 'csv', '--base-url', server.origin], askedForSecond };
}

/** Runs a line of bash in which "$@" is the list. */
async function shell(line: string, ...more: string[]) {
  const { words } = await platform();
  return home.run(['/bin/bash', '-c', line, 'bash', programFile, ...programWords, ...words, ...more]);
}

const header = 'userId,name,orgRole,department';

describe('csv of a list with a field that only later rows have', () => {
  it('has a column for the field in a file, and leaves no other file', async () => {
    expect(await shell('"$@" > users.csv')).toEqual({ exit: 0, stdout: '', stderr: '' });
    const rows = parse(home.read('users.csv'), { columns: true });
    expect(rows).toEqual(Array.from({ length: 1500 }, (_, index) => ({ department: '', ...user(index + 1) })));
    expect(home.left()).toEqual([]);
  });

  it('has a column for the field in a pipe whose reader goes away', async () => {
    const { stdout, stderr } = await shell(`"$@" | head -1; printf '%s' "\${PIPESTATUS[*]}"`);
    expect([stdout, stderr]).toEqual([`${header}\r\n0 0`, '']);
  });

  it('has no column for the field when --limit ends before it', async () => {
    const { stdout, stderr } = await shell('"$@"', '--limit', '1000');
    expect(stdout.split('\r\n').length).toBe(1002);
    expect([stdout.slice(0, 21), stderr]).toEqual(['userId,name,orgRole\r\n', '1,000 of 1,500 users\n']);
  });

  it('has the rows before Ctrl-C, and ends with 130', async () => {
    const { words, askedForSecond } = await platform(false);
    const running = home.begin(words);
    await askedForSecond();
    running.child.kill('SIGINT');
    expect(await running.ended).toEqual({ exit: 130, signal: null });
    expect(running.stderr()).toContain('1,000 of 1,500 users');
    expect(running.stdout().split('\r\n').length).toBe(1002);
    expect(running.stdout()).toMatch(/^userId,name,orgRole\r\nu1,Ada,viewer\r\n/);
  });

  it('is empty when Ctrl-C comes before the rows with a column of --columns', async () => {
    const { words, askedForSecond } = await platform(false);
    const running = home.begin([...words, '--columns', 'department']);
    await askedForSecond();
    running.child.kill('SIGINT');
    expect([await running.ended, running.stdout()]).toEqual([{ exit: 130, signal: null }, '']);
  });
});
