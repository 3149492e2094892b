import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { readAll, readSecretLine } from '../../src/terminal/input.ts';
import { failureOf } from '../support/failing.ts';

const folder = mkdtempSync(join(tmpdir(), 'input-'));
afterAll(() => rmSync(folder, { recursive: true }));

const source = () => ({ stderr: new PassThrough(), option: '--password-stdin', what: 'password' });
const secretOf = (bytes: string | Buffer) => readSecretLine(Readable.from([Buffer.from(bytes)]), source());
const refused = (message: string, hint?: string) => ({ kind: 'usage', message, hint });

describe('readSecretLine', () => {
  it.each([
    ['geheim', 'geheim'],
    ['geheim\n', 'geheim'],
    ['geheim\r\n', 'geheim'],
    ['geheim\r', 'geheim'],
    ['  geheim \t\n', '  geheim \t'],
    ['two\nlines\n', 'two\nlines'],
    ['\ufeffgeheim\r\n', 'geheim'],
    ['"geheim"\n', '"geheim"'],
    ['ge\ufeffheim\ufeff', 'ge\ufeffheim\ufeff'],
    [' ', ' '],
  ])('takes a byte order mark and one line end off, and nothing else: %j', async (piped, secret) => {
    expect(await secretOf(piped)).toBe(secret);
  });

  it('puts a character together that arrives in two pieces', async () => {
    const bytes = Buffer.from('gehäim');
    const pieces = Readable.from([bytes.subarray(0, 4), bytes.subarray(4)]);
    expect(await readSecretLine(pieces, source())).toBe('gehäim');
  });

  it.each([
    ['geheim\n\n', 'begins with a line end, or ends with several'],
    ['geheim\r\r\n', 'begins with a line end, or ends with several'],
    ['\ufeff\ngeheim', 'begins with a line end, or ends with several'],
    ['\n\n', 'begins with a line end, or ends with several'],
    ['g\0e\0h\0', 'holds NUL characters, as UTF-16 does'],
    [Buffer.from([0x67, 0xe4, 0x0a]), 'is not UTF-8 text'],
    [Buffer.from('\ufeffgeheim', 'utf16le'), 'is not UTF-8 text'],
  ])('refuses a secret that cannot be right before it is sent: %j', async (piped, problem) => {
    const message = `--password-stdin: the password on standard input ${problem}.`;
    expect(await failureOf(secretOf(piped))).toEqual(refused(message, 'Save it as UTF-8, on one line'));
  });

  it.each(['', '\n', '\r\n', '\r', '\ufeff', '\ufeff\r\n'])('refuses an empty stdin: %j', async (piped) => {
    expect(await failureOf(secretOf(piped))).toEqual(
      refused('--password-stdin: there is no password on standard input.', 'Pipe it in: --password-stdin < FILE'),
    );
  });

  it('refuses more than 64 KiB', async () => {
    expect(await failureOf(secretOf('x'.repeat(65_537)))).toEqual(
      refused('Standard input holds more than 65,536 bytes.'),
    );
  });
});

describe('readAll', () => {
  it('gives every byte, up to the limit', async () => {
    const bytes = Buffer.from([0, 1, 0xff, 0x0d, 0x0a]);
    expect(await readAll(Readable.from([bytes.subarray(0, 2), bytes.subarray(2)]), 5)).toEqual(bytes);
  });

  it('ends an input that never ends at the limit', async () => {
    const zeros = new Readable({ read: (size) => void zeros.push(Buffer.alloc(size)) });
    expect(await failureOf(readAll(zeros, 1_000_000))).toEqual(
      refused('Standard input holds more than 1,000,000 bytes.'),
    );
    expect(zeros.destroyed).toBe(true);
  });

  it('says that a folder cannot be read', async () => {
    expect(await failureOf(readAll(createReadStream(folder), 10))).toEqual(
      refused('Standard input could not be read.', 'Pipe a file into the command, or name the file.'),
    );
  });
});
