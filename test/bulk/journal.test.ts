import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { realClock } from '../../src/bulk/clock.ts';
import { type Journal, openJournal } from '../../src/bulk/journal.ts';
import type { JournalHead } from '../../src/bulk/journal-head.ts';
import { failureOf } from '../support/failing.ts';

const head: JournalHead = {
  work: 'PUT https://platform.example/devices/{deviceId}/custom-info',
  reading: 'csv',
  input: { sha256: 'ab'.repeat(32), size: 1234, rows: 200 },
};
const headText =
  '{"iiot":"journal","version":1,"work":"PUT https://platform.example/devices/{deviceId}/custom-info",' +
  `"reading":"csv","input":{"sha256":"${'ab'.repeat(32)}","size":1234,"rows":200}}\n`;

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
  path = join(folder, 'fleet.csv.iiot-journal');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const clock = realClock(() => performance.now());
const open = (resume: boolean, own: Partial<JournalHead> = {}) =>
  openJournal({ path, head: { ...head, ...own }, input: 'fleet.csv', resume, clock });

function record(journal: Journal, row: number): Promise<void> {
  return new Promise((resolve, reject) =>
    journal.record(row, { recorded: (failure) => (failure ? reject(failure) : resolve()) }),
  );
}

function rowsOf({ done }: Journal): number[] {
  return Array.from({ length: 201 }, (_, row) => row).filter(done.has);
}

describe('a journal', () => {
  it('is one line about the work, and one for each row that is done, for its owner alone', async () => {
    const journal = await open(false);
    await Promise.all([record(journal, 3), record(journal, 1), record(journal, 200)]);
    expect(readFileSync(path, 'utf8')).toBe(`${headText}3\n1\n200\n`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await journal.close(false);
    expect(readdirSync(folder)).toEqual(['fleet.csv.iiot-journal']);
  });

  it('has a row on disk before it says so', async () => {
    const journal = await open(false);
    const seen: string[] = [];
    const look = (row: number) =>
      record(journal, row).then(() => seen.push(readFileSync(path, 'utf8').slice(headText.length)));
    await look(5);
    await look(6);
    expect(seen).toEqual(['5\n', '5\n6\n']);
    await journal.close(false);
  });

  it('writes what is still to be written when it is closed', async () => {
    const journal = await open(false);
    journal.record(7, { recorded: () => undefined });
    expect(journal.waiting()).toBe(1);
    await journal.close(false);
    expect(readFileSync(path, 'utf8')).toBe(`${headText}7\n`);
  });

  it('is gone, with its lock, when nothing is left to do', async () => {
    const journal = await open(false);
    await record(journal, 1);
    await journal.close(true);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is gone on with', async () => {
    const first = await open(false);
    await record(first, 2);
    await first.close(false);
    const second = await open(true);
    expect([rowsOf(second), second.dropped]).toEqual([[2], 0]);
    await record(second, 4);
    await second.close(false);
    expect(readFileSync(path, 'utf8')).toBe(`${headText}2\n4\n`);
  });

  it('begins where there is nothing to go on with', async () => {
    const journal = await open(true);
    expect(rowsOf(journal)).toEqual([]);
    await journal.close(false);
    expect(readFileSync(path, 'utf8')).toBe(headText);
  });

  it('is read up to its last whole line, wherever it was torn', async () => {
    const whole = `${headText}12\n7\n123\n`;
    for (let length = headText.length; length <= whole.length; length += 1) {
      writeFileSync(path, whole.slice(0, length));
      const lines = whole.slice(headText.length, length).split('\n');
      const torn = lines.pop() ?? '';
      const journal = await open(true);
      expect([rowsOf(journal), journal.dropped]).toEqual([
        lines.map(Number).sort((one, other) => one - other),
        torn.length,
      ]);
      await record(journal, 99);
      await journal.close(false);
      // What was torn is gone: the next line does not continue it.
      expect(readFileSync(path, 'utf8')).toBe(`${headText}${lines.map((line) => `${line}\n`).join('')}99\n`);
    }
  });

  it('is none where its first line was torn, and is not written over', async () => {
    for (let length = 0; length < headText.length; length += 1) {
      writeFileSync(path, headText.slice(0, length));
      expect((await failureOf(open(true))).message).toBe(`${path} already exists and is not the journal of an import.`);
      expect(readFileSync(path, 'utf8')).toBe(headText.slice(0, length));
    }
  });

  it.each([
    ['zeros, as a power cut leaves them', '1\n\0\0\0\0\n2\n'],
    ['a number beyond the rows', '1\n201\n2\n'],
    ['zero', '1\n0\n2\n'],
    ['a blank line', '1\n\n2\n'],
    ['something else', '1\n1e2\n2\n'],
  ])('is not trusted behind %s', async (_, lines) => {
    writeFileSync(path, headText + lines);
    const journal = await open(true);
    expect([rowsOf(journal), journal.dropped]).toEqual([[1], lines.length - 2]);
    await journal.close(false);
  });

  it.each([
    [
      { input: { ...head.input, sha256: 'cd'.repeat(32) } },
      'was started with another input: fleet.csv has changed since.',
    ],
    [{ input: { ...head.input, size: 1235 } }, 'was started with another input: fleet.csv has changed since.'],
    [
      { work: 'PUT https://platform.example/x' },
      `is for another import: ${head.work}, and not PUT https://platform.example/x.`,
    ],
    [
      { reading: 'csv where "-" means null' },
      'was started with the input read as csv, and not as csv where "-" means null.',
    ],
  ])('of other work is refused: %j', async (own, sentence) => {
    await (await open(false)).close(false);
    expect(await failureOf(open(true, own))).toEqual({
      kind: 'usage',
      message: `${path} ${sentence}`,
      hint: `To start over, remove it first: rm ${path}`,
    });
    expect(readdirSync(folder)).toEqual(['fleet.csv.iiot-journal']);
  });

  it('of another platform is said to be that at first sight, without the advice to resume', async () => {
    writeFileSync(path, `${headText}1\n`);
    expect(await failureOf(open(false, { work: 'PUT https://other.example/x' }))).toEqual({
      kind: 'usage',
      message: `${path} is the journal of an import to another platform: to https://platform.example, and this one goes to https://other.example.`,
      hint: `Choose another file with --journal FILE; or, if you no longer need it, remove it: rm ${path}`,
    });
    expect(readFileSync(path, 'utf8')).toBe(`${headText}1\n`);
  });

  it('remembers the files that it keeps failed rows in, and loses no row by that', async () => {
    const first = await open(false);
    first.keep('1:2');
    await record(first, 7);
    first.keep('18446744073709551615:3');
    await first.close(false);
    expect(readFileSync(path, 'utf8')).toBe(`${headText}failed-to 1:2\n7\nfailed-to 18446744073709551615:3\n`);
    const second = await open(true);
    expect([rowsOf(second), second.dropped]).toEqual([[7], 0]);
    expect(['1:2', '18446744073709551615:3', '2:1'].map(second.keeps)).toEqual([true, true, false]);
    await second.close(false);
  });

  it('of an import that has done nothing hands on the files that it kept failed rows in', async () => {
    const first = await open(false);
    first.keep('1:2');
    await first.close(false);
    const second = await open(false, { input: { ...head.input, size: 1 } });
    expect(second.keeps('1:2')).toBe(true);
    await second.close(true);
  });

  it('of another version is refused', async () => {
    writeFileSync(path, headText.replace('"version":1', '"version":2'));
    expect((await failureOf(open(true))).message).toBe(
      `${path} was written by another version of iiot (format 2, not 1).`,
    );
  });

  it('that is not finished is not begun anew', async () => {
    writeFileSync(path, `${headText}1\n2\n`);
    expect(await failureOf(open(false))).toEqual({
      kind: 'usage',
      message: `${path} is the journal of an unfinished import. Done so far: 2 rows.`,
      hint: `Continue with --resume; to start over, remove it first: rm ${path}`,
    });
  });

  it('without a done row is begun anew, for whatever work', async () => {
    await (await open(false)).close(false);
    await (await open(false, { reading: 'ndjson' })).close(false);
    expect(readFileSync(path, 'utf8')).toContain('"reading":"ndjson"');
  });

  it.each([[true], [false]])('does not take the place of another file (resume: %s)', async (resume) => {
    writeFileSync(path, 'deviceId,a\n1,2\n');
    expect((await failureOf(open(resume))).message).toBe(`${path} already exists and is not the journal of an import.`);
    expect(readFileSync(path, 'utf8')).toBe('deviceId,a\n1,2\n');
  });

  it.each([
    ['a folder', (at: string) => mkdirSync(at)],
    ['a named pipe', (at: string) => void spawnSync('mkfifo', [at])],
  ])('cannot be %s', async (_, make) => {
    make(path);
    const { kind } = await failureOf(open(true));
    expect(['usage', 'internal']).toContain(kind);
  });

  it('belongs to one process at a time, which is named', async () => {
    const journal = await open(false);
    expect(await failureOf(open(true))).toEqual({
      kind: 'usage',
      message: `Another import, process ${process.pid}, is using ${path}.`,
      hint: 'Wait for it to end, then continue with --resume, or use another --journal FILE',
    });
    await journal.close(false);
    await (await open(true)).close(true);
  });

  it('tells how to choose another place where it cannot be', async () => {
    path = join(folder, 'missing', 'fleet.csv.iiot-journal');
    const { kind, hint } = await failureOf(open(false));
    expect([kind, hint]).toEqual(['internal', 'Name another place with --journal FILE']);
  });
});
