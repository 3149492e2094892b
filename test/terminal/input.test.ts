import { createReadStream } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readAll, readSecretLine } from '../../src/terminal/input.ts';
import { failureOf } from '../support/failing.ts';

const source = () => ({ stderr: new PassThrough(), option: '--password-stdin', what: 'password' });
const secretOf = (bytes: string | Buffer) => readSecretLine(Readable.from([Buffer.from(bytes)]), source());
const refused = (message: string, hint?: string) => ({ kind: 'usage', message, hint });

describe('a secret on standard input', () => {
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
  ])('loses only a byte order mark and one line end: %j', async (piped, secret) => {
    expect(await secretOf(piped)).toBe(secret);
  });

  it('may have a character that arrives in two pieces', async () => {
    const bytes = Buffer.from('gehäim');
    const pieces = Readable.from([bytes.subarray(0, 4), bytes.subarray(4)]);
    expect(await readSecretLine(pieces, source())).toBe('gehäim');
  });

  const lineEnds = 'begins with a line end, or ends with several';
  it.each<[string | Buffer, string]>([
    ...['geheim\n\n', 'geheim\r\r\n', '\ufeff\ngeheim', '\n\n'].map((text): [string, string] => [text, lineEnds]),
    ['g\0e\0h\0', 'holds NUL characters, as UTF-16 does'],
    [Buffer.from([0x67, 0xe4, 0x0a]), 'is not UTF-8 text'],
    [Buffer.from('\ufeffgeheim', 'utf16le'), 'is not UTF-8 text'],
  ])('is refused before it is sent if it cannot be right: %j', async (piped, problem) => {
    const message = `--password-stdin: the password on standard input ${problem}.`;
    expect(await failureOf(secretOf(piped))).toEqual(refused(message, 'Save it as UTF-8, on one line'));
  });

  it.each(['', '\n', '\r\n', '\r', '\ufeff', '\ufeff\r\n'])('is refused if it is empty: %j', async (piped) => {
    expect(await failureOf(secretOf(piped))).toEqual(
      refused('--password-stdin: there is no password on standard input.', 'Pipe it in: --password-stdin < FILE'),
    );
  });

  it('is refused if it is larger than 64 KiB', async () => {
    expect(await failureOf(secretOf('x'.repeat(65_537)))).toEqual(
      refused('Standard input holds more than 65,536 bytes.'),
    );
  });
});

describe('standard input', () => {
  it('is read byte by byte up to the limit', async () => {
    const bytes = Buffer.from([0, 1, 0xff, 0x0d, 0x0a]);
    expect(await readAll(Readable.from([bytes.subarray(0, 2), bytes.subarray(2)]), 5)).toEqual(bytes);
  });

  it('is read no further than the limit', async () => {
    const zeros = new Readable({ read: (size) => void zeros.push(Buffer.alloc(size)) });
    expect(await failureOf(readAll(zeros, 1_000_000))).toEqual(
      refused('Standard input holds more than 1,000,000 bytes.'),
    );
    expect(zeros.destroyed).toBe(true);
  });

  it('cannot be a folder', async () => {
    expect(await failureOf(readAll(createReadStream('/'), 10))).toEqual(
      refused('Standard input could not be read.', 'Pipe a file into the command, or name the file.'),
    );
  });
});
