/** Rows as a process: the place in its last line, results that cannot be written, and kills in the middle. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { hashOf } from '../../src/sandbox/identity/secrets.ts';
import { madeForEach } from '../support/fixtures.ts';
import { openFront } from '../support/front.ts';
import { homeForEach, machineOf } from '../support/home.ts';

/** IIOT_TEST_LONG=1 is the full proof: 30 rounds of each. */
const long = process.env.IIOT_TEST_LONG === '1';
const [rounds, rows] = long ? [30, 120] : [2, 60];

const front = madeForEach(() => openFront());
const home = homeForEach(() => machineOf(front));
const org = '11111111-1111-4111-8111-111111111111';
const numbers = Array.from({ length: rows }, (_, at) => at + 1);
const policy = (number: number) => `aaaaaaaa-0000-4000-8000-${String(number).padStart(12, '0')}`;

it('the last line, the result and the error say where the rows went', async () => {
  const line = ['policies', 'update', '--rows', 'a.csv', '--yes'];
  const where = `, at ${front.url}, profile default, organization ${org}, ${home.at('a.csv')}`;
  const write = (last: string) => home.file('a.csv', `alertPolicyId,delay\n${policy(1)},5\n${last},5\n`);
  write(policy(2));
  const { exit, stderr } = await home.iiot(line);
  expect([exit, stderr.replace(/\(.*?\)/, '(1 s)')]).toEqual([0, `2 rows: 2 done (1 s)${where}\n`]);
  expect(await home.iiot([...line, '-q'])).toMatchObject({ exit: 0, stderr: '' });
  write(policy(999));
  const failed = await home.iiot([...line, '-o', 'json']);
  const here = { baseUrl: front.url, profile: 'default', orgId: org };
  expect(JSON.parse(failed.stdout)).toMatchObject({ ...here, file: home.at('a.csv') });
  expect([failed.exit, JSON.parse(failed.stderr).error]).toMatchObject([
    9,
    { ...here, message: `2 rows: 1 done, 1 failed${where}.` },
  ]);
});

it('a run of rows ends and can be resumed when its results cannot be written', async () => {
  // The names are short, so that the journal, which has them too, stays below the limit.
  const file = home.file(
    'a.csv',
    `Name,cron,enabled,run-on-startup\n${numbers.map((number) => `n${number},0 0 2 * * ?,yes,no\n`).join('')}`,
  );
  const line = 'iiot batches create --rows a.csv --yes --concurrency 1 --results-file made';
  const { exit, stderr } = await home.run(['bash', '-c', `ulimit -f 4; ${line} -o json`]);
  const { message, hint } = JSON.parse(stderr).error;
  expect([exit, message]).toEqual([
    1,
    expect.stringMatching(
      /^Could not write made: .*\. [\d,]+ rows: \d+ done, \d+ not sent, at \S+, profile default, organization \S+, \/.*\/a\.csv\.$/,
    ),
  ]);
  expect(hint).toContain('iiot batches create --rows a.csv --concurrency 1 --resume');
  expect((await home.run(['bash', '-c', `${line}2 --resume`])).exit).toBe(0);
  expect([front.platform.world.batches.size, file]).toEqual([rows, home.at('a.csv')]);
});

type RowLine = { readonly line: number; readonly status: string };
const linesOf = (text: string): RowLine[] =>
  text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** Kills a run in the middle and resumes it, again and again until one ends by itself. */
async function killed(words: readonly string[], isDone: (line: number) => boolean) {
  const told = new Map<number, string>();
  const run = (more: readonly string[]) =>
    home.begin([...words, '--yes', '-o', 'ndjson', '--concurrency', '4', ...more]);
  const look = (lines: readonly RowLine[]) => {
    for (const { line, status } of lines) {
      // None that was done is sent again, and none told done that is not.
      if (told.get(line) === 'done') expect(status).toBe('skipped');
      if (status === 'done') {
        expect(isDone(line)).toBe(true);
        told.set(line, 'done');
      } else if (status !== 'skipped') told.set(line, status);
    }
  };
  let kills = 0;
  for (let again: string[] = []; ; ) {
    const running = run(again);
    const before = front.requests.length;
    // Hit while it is at work, however long it takes to begin; it needs our answers for the rest.
    const enough = before + 3 + Math.random() * (rows / 2);
    while (front.requests.length < enough && running.child.exitCode === null) await sleep(1);
    await sleep(Math.random() * 4);
    running.child.kill('SIGKILL');
    const { signal } = await running.ended;
    look(linesOf(running.stdout()));
    if (signal === null) break;
    kills += 1;
    const journal = home.at('rows.csv.iiot-journal');
    again = existsSync(journal) ? ['--resume'] : [];
    if (kills === 3) break;
  }
  const last = run(existsSync(home.at('rows.csv.iiot-journal')) ? ['--resume'] : []);
  const { exit } = await last.ended;
  const lines = linesOf(last.stdout());
  look(lines);
  expect([lines.length, new Set(lines.map(({ line }) => line)).size]).toEqual([rows, rows]);
  return {
    kills,
    exit,
    stderr: last.stderr(),
    unknown: lines.filter(({ status }) => status === 'unknown').map(({ line }) => line),
    lines,
  };
}

describe(`a run of rows that is killed, in ${rounds} rounds`, () => {
  it('of policies can be resumed, and no row is lost or sent twice', async () => {
    let [kills, doubts] = [0, 0];
    for (let round = 1; round <= rounds; round += 1) {
      const got = new Map<string, number>();
      front.before = async ({ method, path }) => {
        if (method !== 'PATCH') return undefined;
        await sleep(Math.random() * 4);
        const id = path.split('/').at(-1) ?? '';
        got.set(id, (got.get(id) ?? 0) + 1);
        await sleep(Math.random() * 8);
        return Response.json({});
      };
      home.file('rows.csv', `alertPolicyId,delay\n${numbers.map((number) => `${policy(number)},${round}\n`).join('')}`);
      await home.run(['rm', '-f', 'rows.csv.iiot-journal']);
      const words = ['policies', 'update', '--rows', home.at('rows.csv')];
      const idOf = (line: number) => policy(line - 1);
      const ran = await killed(words, (line) => got.has(idOf(line)));
      kills += ran.kills;
      doubts += ran.unknown.length;
      expect([...got.values()].filter((times) => times !== 1)).toEqual([]);
      // What nobody was told of is unknown; all others have come.
      expect(numbers.filter((number) => !got.has(policy(number)) && !ran.unknown.includes(number + 1))).toEqual([]);
      expect(ran.exit).toBe(ran.unknown.length > 0 ? 9 : 0);
      const repeated = await home.iiot([...words, '--yes', '--resume', '--repeat-unknown']);
      expect([repeated.exit, got.size]).toEqual([0, rows]);
      const twice = numbers.filter((number) => got.get(policy(number)) === 2);
      expect(twice.filter((number) => !ran.unknown.includes(number + 1))).toEqual([]);
    }
    expect(kills).toBeGreaterThan(0);
    if (long) process.stdout.write(`policies: ${rounds} rounds, ${kills} kills, ${doubts} rows of unknown outcome\n`);
  });

  it('of credentials loses no secret of a row that is done', async () => {
    let [kills, doubts] = [0, 0];
    for (let round = 1; round <= rounds; round += 1) {
      const got = new Map<string, number>();
      front.before = async ({ method, path, body }) => {
        if (method !== 'POST' || !path.endsWith('/client-credentials')) return undefined;
        const { name } = JSON.parse(body);
        got.set(name, (got.get(name) ?? 0) + 1);
        await sleep(Math.random() * 8);
        return undefined;
      };
      front.after = () => sleep(Math.random() * 8);
      const nameOf = (line: number) => `r${round}-${line - 1}`;
      home.file('rows.csv', `name\n${numbers.map((number) => `${nameOf(number + 1)}\n`).join('')}`);
      await home.run(['rm', '-rf', 'rows.csv.iiot-journal', 'secrets']);
      const words = ['credentials', 'create', '--rows', home.at('rows.csv'), '--secret-dir', home.at('secrets')];
      const secretOf = (line: number) =>
        existsSync(home.at(`secrets/${nameOf(line)}.secret`))
          ? readFileSync(home.at(`secrets/${nameOf(line)}.secret`), 'utf8').trim()
          : '';
      const stored = (line: number) =>
        [...front.platform.world.credentials.values()].find(({ name }) => name === nameOf(line));
      const ran = await killed(words, (line) => hashOf(secretOf(line)) === stored(line)?.secretHash);
      kills += ran.kills;
      doubts += ran.unknown.length;
      expect([...got.values()].filter((times) => times !== 1)).toEqual([]);
      expect(ran.exit).toBe(ran.unknown.length > 0 ? 9 : 0);
      // Each row in doubt that exists has its secret in place, or is named with its recovery file.
      const recoveries = readdirSync(home.settings).filter((name) => name.startsWith('recovery-'));
      // One that was killed before it had written a file has sent nothing.
      const begun = recoveries.filter((name) => home.read(`iiot/${name}`) !== '');
      const named = begun.map((name) => ({ name, ...JSON.parse(home.read(`iiot/${name}`)), file: name }));
      for (const line of ran.unknown) {
        const known = stored(line);
        if (!known || hashOf(secretOf(line)) === known.secretHash) continue;
        const left = named.find(({ name }) => name === nameOf(line));
        expect([line, left !== undefined && ran.stderr.includes(left.file)]).toEqual([line, true]);
      }
      for (const { file } of named) expect(ran.stderr.split(file).length).toBe(2);
      for (const file of recoveries) await home.run(['rm', `iiot/${file}`]);
      expect(statSync(home.at('secrets')).mode & 0o777).toBe(0o700);
      const secrets = numbers.map((number) => secretOf(number + 1)).filter(Boolean);
      const journal = home.read('rows.csv.iiot-journal');
      expect(secrets.filter((secret) => journal.includes(secret) || ran.stderr.includes(secret))).toEqual([]);
    }
    expect(kills).toBeGreaterThan(0);
    if (long)
      process.stdout.write(`credentials: ${rounds} rounds, ${kills} kills, ${doubts} rows of unknown outcome\n`);
  });
});
