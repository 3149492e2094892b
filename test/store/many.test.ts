import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildChild, freshFolder, start, tidy } from './processes.ts';

/** IIOT_TEST_LONG=1 is the full proof. */
const [kills, writers, changes] = process.env.IIOT_TEST_LONG === '1' ? [200, 20, 20] : [10, 8, 10];

let program = '';
let folder = '';

beforeAll(async () => {
  program = await buildChild();
});
beforeEach(() => {
  folder = freshFolder();
});
afterAll(tidy);

const child = (...words: string[]) => start([process.execPath, program, ...words], folder);

describe('many processes with one store', () => {
  it(`${writers} processes that make ${changes} changes each lose none of them`, async () => {
    const barrier = join(folder, 'barrier');
    const children = Array.from({ length: writers }, (_, index) =>
      child('setMany', `p${index}`, `${changes}`, barrier),
    );
    await sleep(500);
    writeFileSync(barrier, '');
    for (const { told } of children) expect(await told()).toEqual({ result: null, warnings: [] });
    const { profiles } = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
    const all = Array.from({ length: writers * changes }, (_, index) => [
      `p${Math.floor(index / changes)}-${index % changes}`,
      `${index % changes}`,
    ]);
    expect(profiles).toEqual(Object.fromEntries(all.map(([name = '', tenant = '']) => [name, { tenant }])));
    expect(readdirSync(folder).sort()).toEqual(['barrier', 'config.json', 'locks']);
    expect(readdirSync(join(folder, 'locks'))).toEqual([]);
  });

  it('leave a complete file and no blocking lock if they are killed', async () => {
    const stored = () => JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
    mkdirSync(folder, { recursive: true });
    for (let kill = 0; kill < kills; kill += 1) {
      const { child: writer, line, ended } = child('setForEver');
      expect(await line()).toBe('ready');
      // Every other one is hit after its second write, however busy the machine is.
      if (kill % 2 === 1) while (stored().current === '0') await sleep(1);
      await sleep(Math.random() * 25);
      writer.kill('SIGKILL');
      await ended;
      const { version, current, profiles } = stored();
      expect({ version, profiles }).toEqual({
        version: 1,
        profiles: { one: { tenant: current }, two: { app: current } },
      });
    }
    expect(await child('set', 'last', 'one').told()).toMatchObject({ warnings: [] });
    expect([readdirSync(folder).sort(), readdirSync(join(folder, 'locks'))]).toEqual([['config.json', 'locks'], []]);
  });
});
