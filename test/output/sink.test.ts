import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { sinkOf, wantsColor } from '../../src/output/sink.ts';

describe('the output stream', () => {
  it('waits for a slow reader before the next write', async () => {
    const taken: string[] = [];
    let release = () => {};
    const stream = new Writable({
      write(chunk, _encoding, done) {
        taken.push(String(chunk));
        release = done;
      },
    });
    let isAccepted = false;
    const writing = sinkOf(stream, {})
      .write('a page of text')
      .then(() => {
        isAccepted = true;
      });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([isAccepted, taken]).toEqual([false, ['a page of text']]);
    release();
    await writing;
    expect(isAccepted).toBe(true);
  });

  it('is closed without an error when the reader has gone', async () => {
    const reader = spawn('true', { stdio: ['pipe', 'ignore', 'ignore'] });
    await once(reader, 'exit');
    const sink = sinkOf(reader.stdin, {});
    const line = `${'x'.repeat(100_000)}\n`;
    for (let round = 0; round < 5; round += 1) await sink.write(line);
    expect(sink.closed).toBe(true);
  });

  it.skipIf(!existsSync('/dev/full'))('fails at every write if the disk is full', async () => {
    const sink = sinkOf(createWriteStream('/dev/full'), {});
    const wanted = { kind: 'io', message: 'The result could not be written: no space is left on the device.' };
    await expect(sink.write('first')).rejects.toMatchObject(wanted);
    await expect(sink.write('second')).rejects.toMatchObject(wanted);
    expect(sink.closed).toBe(false);
  });

  it('names the code of an unknown error', async () => {
    const stream = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('odd'), { code: 'EODD' })),
    });
    await expect(sinkOf(stream, {}).write('x')).rejects.toMatchObject({ message: expect.stringMatching(/: EODD\.$/) });
  });

  it.each([
    [{ COLUMNS: '132' }, 100, 132],
    [{}, 100, 100],
    [{ COLUMNS: '0' }, 100, 100],
    [{ COLUMNS: '1' }, 100, 1],
    [{ COLUMNS: '999999999999' }, 100, 100],
    [{ COLUMNS: 'wide' }, 0, 80],
    [{}, undefined, 80],
    [{ COLUMNS: '-1' }, undefined, 80],
  ])('with %j at a terminal of %s columns is %i columns wide', (environment, columns, expected) => {
    expect(sinkOf(Object.assign(new PassThrough(), { columns }) as PassThrough, environment).columns).toBe(expected);
  });

  it.each([
    [true, {}, false, true],
    [false, {}, false, false],
    [true, {}, true, false],
    [true, { NO_COLOR: '1' }, false, false],
    [true, { NO_COLOR: '' }, false, true],
    [true, { TERM: 'dumb' }, false, false],
    [false, { FORCE_COLOR: '1' }, false, true],
    [false, { FORCE_COLOR: '' }, false, true],
    [true, { FORCE_COLOR: '0' }, false, false],
    [true, { TERM: 'dumb', FORCE_COLOR: '1' }, false, true],
    [true, { NO_COLOR: '1', FORCE_COLOR: '1' }, false, false],
    [false, { FORCE_COLOR: '1' }, true, false],
  ])('at a terminal (%s) with %j and --no-color (%s) has colour: %s', (isTerminal, environment, noColor, expected) => {
    expect(wantsColor(isTerminal, environment, noColor)).toBe(expected);
  });
});
