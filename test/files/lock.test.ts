import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openWatch, takeLock } from '../../src/files/lock.ts';
import { newOwnerName } from '../../src/files/owner.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { buildChild, freshFolder, type Started, start, tidy } from '../store/processes.ts';

let program = '';
let folder = '';

beforeAll(async () => {
  program = await buildChild();
});
beforeEach(() => {
  folder = freshFolder();
});
afterAll(tidy);

const child = (...words: string[]): Started => start([process.execPath, program, ...words], folder);
const store = (): Store =>
  openStore({
    env: { IIOT_CONFIG_DIR: folder },
    platform: process.platform,
    homedir: () => '/',
    now: Date.now,
    warn: (line) => {
      throw new Error(line); // it would go on without a lock
    },
    uid: process.getuid?.(),
  });

/** A process that holds the lock `work`, and its number as it told it. */
async function holder(command = [process.execPath, program]): Promise<Started & { readonly pid: number }> {
  const started = start([...command, 'hold', 'work'], folder);
  return { ...started, pid: Number((await started.line()).replace('held ', '')) };
}

/** Ends long before the wait where the lock is free, or its holder is dead. */
const taken = () => store().withLock('work', async () => 'taken', { wait: 60_000 });

describe('a lock between processes', () => {
  it('has one holder at a time inside a process, and leaves no files', async () => {
    const seen: string[] = [];
    const work = (name: string) => async () => {
      seen.push(`${name} in`);
      await sleep(5);
      seen.push(`${name} out`);
    };
    await Promise.all(['a', 'b', 'c'].map((name) => store().withLock('work', work(name), { wait: 60_000 })));
    const turns = seen.map((line) => line[0]).join('');
    expect([turns.length, turns.replaceAll(/(.)\1/g, '')]).toEqual([6, '']);
    expect(readdirSync(join(folder, 'locks'))).toEqual([]);
  });

  it('does not block the lock of another login', async () => {
    const inner = () => store().withLock('other', async () => 'both', { wait: 0 });
    expect(await store().withLock('work', inner, { wait: 0 })).toBe('both');
  });

  it('is released when the work fails', async () => {
    const failing = store().withLock('work', () => Promise.reject(new Error('no')), { wait: 0 });
    await expect(failing).rejects.toThrow('no');
    expect(await taken()).toBe('taken');
  });

  it('goes to the next process when its holder is killed', async () => {
    const held = await holder();
    held.child.kill('SIGKILL');
    await held.ended;
    expect(await taken()).toBe('taken');
  });

  it('goes to the next process when its killed holder is a zombie', async () => {
    const { pid, child } = await holder(['/bin/sh', '-c', '"$@" & exec sleep 60', 'sh', process.execPath, program]);
    process.kill(pid, 'SIGKILL');
    expect(await taken()).toBe('taken');
    child.kill();
  });

  it('is not taken from a stopped holder, whose process ID the waiter gets', async () => {
    const held = await holder();
    held.child.kill('SIGSTOP');
    const told: string[] = [];
    const waiting = store().withLock('work', async () => 'stolen', {
      wait: 1500,
      onWait: (holder) => told.push(holder),
    });
    await expect(waiting).rejects.toMatchObject({
      kind: 'unavailable',
      message: `Process ${held.pid} still holds the login after 1.5 s of waiting.`,
      facts: { hint: `Look at it with "ps -p ${held.pid}": wait for it, continue it if it is stopped, or end it.` },
    });
    expect(told).toEqual([`process ${held.pid}`]);
    held.child.kill('SIGKILL');
    expect(await taken()).toBe('taken');
  });

  it('is not waited for after an abort', async () => {
    const held = await holder();
    const off = new AbortController();
    const waiting = store().withLock('work', async () => 'stolen', { wait: 60_000, signal: off.signal });
    setTimeout(() => off.abort(new Error('called off')), 50);
    await expect(waiting).rejects.toThrow('called off');
    expect(readdirSync(join(folder, 'locks'))).toEqual([expect.stringMatching(/^login-/)]);
    held.child.kill('SIGKILL');
    await held.ended;
  });

  it('loses the claims of processes that died while they waited', async () => {
    const held = await holder();
    const waiter = child('locked', 'work');
    const claims = () => readdirSync(join(folder, 'locks')).filter((name) => name.startsWith('.claim-')).length;
    while (claims() === 0) await sleep(10);
    for (const { child, ended } of [waiter, held]) {
      child.kill('SIGKILL');
      await ended;
    }
    expect(claims()).toBe(1);
    await taken();
    expect(readdirSync(join(folder, 'locks'))).toEqual([]);
  });

  it('leaves the files of others in a folder of its name', async () => {
    const lock = join(folder, 'mine.lock');
    mkdirSync(lock);
    writeFileSync(join(lock, 'precious'), 'mine');
    utimesSync(join(lock, 'precious'), 1, 1);
    await expect(takeLock(folder, 'mine.lock', 'it', { wait: 0 })).rejects.toMatchObject({ kind: 'unavailable' });
    expect(readFileSync(join(lock, 'precious'), 'utf8')).toBe('mine');
  });

  it('has one holder at a time while eight holders die one after another', async () => {
    const [marker, barrier] = [join(folder, 'inside'), join(folder, 'barrier')];
    const held = await holder();
    const children = Array.from({ length: 8 }, () => child('insideAndDie', 'work', marker, barrier));
    held.child.kill('SIGKILL');
    writeFileSync(barrier, '');
    const ends = await Promise.all(children.map(async ({ line, ended }) => [await line(), (await ended).signal]));
    expect(ends).toEqual(Array(8).fill(['dying alone', 'SIGKILL']));
    expect(existsSync(marker)).toBe(false);
    expect(await taken()).toBe('taken');
  });

  it('has one holder at a time while eight processes clear away dead owners', async () => {
    const marker = join(folder, 'inside');
    const children = Array.from({ length: 8 }, () => child('insideAndForge', 'work', marker, join(folder, 'locks')));
    const told = await Promise.all(children.map((started) => started.told()));
    expect(told).toEqual(Array(8).fill({ result: null, warnings: [] }));
  });
});

describe('a lock whose holder may be in another container', () => {
  const second = 1000;
  const name = newOwnerName();
  const elsewhere = name.replace(/^(\d+\.\d+\.\w+)\.\w+/, '$1.abcdef');

  type Held = {
    readonly name?: string;
    readonly sparesStopped?: boolean;
    /** How long before the waiter began the holder last touched its file, in seconds. */
    readonly touched: number;
    /** When it touches it again, in seconds from then. */
    readonly touches?: readonly number[];
    /** When the waiter looks again after it was stopped. */
    readonly stoppedUntil?: number;
    /** By how much the clock is set forward while the waiter waits. */
    readonly jumpsBy?: number;
  };

  /** The second of waiting at which the lock counts as dead, and that from which the waiter knows that its holder runs. */
  function judged({
    name: holder = elsewhere,
    touched,
    touches = [],
    jumpsBy = 0,
    stoppedUntil = 0,
    sparesStopped,
  }: Held) {
    const watch = openWatch(sparesStopped);
    const clock = Date.now();
    let runsAt: number | undefined;
    for (let at = 0; at <= 300; at += 1) {
      if (at > 1 && at < stoppedUntil) continue;
      const jump = at >= 5 ? jumpsBy : 0;
      const last = touches.filter((each) => each <= at).at(-1);
      const touchedAt = last === undefined ? -touched : last + (last >= 5 ? jumpsBy : 0);
      const [changedAt, now] = [touchedAt, at + jump].map((seconds) => clock + seconds * second);
      if (watch.observe(holder, changedAt ?? 0, now ?? 0, at * second) === 'dead') return { deadAt: at, runsAt };
      if (!watch.isDoubtful) runsAt ??= at;
    }
    return { deadAt: undefined, runsAt };
  }

  it.each<readonly [string, Held, ReturnType<typeof judged>]>([
    ['is dead 90 s after its last touch', { touched: 10 }, { deadAt: 81, runsAt: undefined }],
    ['is dead after 20 s if it is old', { touched: 3600 }, { deadAt: 21, runsAt: undefined }],
    ['is alive if it is touched', { touched: 10, touches: [5, 20, 35] }, { deadAt: 126, runsAt: 5 }],
    ['is alive if it looks old and is touched', { touched: 660, touches: [15] }, { deadAt: 106, runsAt: 15 }],
    ['is dead after 90 s if its time lies in the future', { touched: -9999 }, { deadAt: 91, runsAt: undefined }],
    [
      'does not grow old when the clock is set',
      { touched: 5, touches: [10, 25], jumpsBy: 9999 },
      { deadAt: 116, runsAt: 10 },
    ],
    [
      'is watched anew if the waiter was stopped',
      { touched: 5, stoppedUntil: 150 },
      { deadAt: 171, runsAt: undefined },
    ],
    ['is alive at once if its process runs here', { name, touched: 10 }, { deadAt: 91, runsAt: 0 }],
    [
      'is spared if its process here is stopped in a renewal',
      { name, touched: 200, sparesStopped: true },
      { deadAt: undefined, runsAt: 0 },
    ],
    ['is dead if its process here is stopped', { name, touched: 200 }, { deadAt: 91, runsAt: undefined }],
  ])('%s', (_name, held, expected) => {
    expect(judged(held)).toEqual(expected);
  });
});
