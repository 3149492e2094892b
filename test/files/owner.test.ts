import { describe, expect, it } from 'vitest';
import { isDead, ownerOf, ownersName } from '../../src/files/owner.ts';

const minute = 60_000;
const now = Date.now();
const parts = () => ownersName().split('.');
const named = (change: Record<number, string>) =>
  parts()
    .map((part, place) => change[place] ?? part)
    .join('.');

describe('whether an owner is dead', () => {
  it('knows itself alive', () => {
    const name = ownersName();
    expect(ownerOf(name)).toEqual({
      pid: process.pid,
      start: expect.stringMatching(/^\d+$/),
      boot: expect.stringMatching(/^[0-9a-f]+$/),
      host: expect.stringMatching(/^[0-9a-f]{12}$/),
    });
    expect(isDead(name, 0, now)).toBe(false);
  });

  it('never gives a name twice', () => {
    expect(ownersName()).not.toBe(ownersName());
  });

  it.each([
    ['a process number that nobody has', { 0: '4194399' }, now, true],
    ['our number, given to us after its first bearer had died', { 1: '1' }, now, true],
    ['a process of before the last boot', { 2: 'abcdef' }, 0, true],
    ['a process of a clone of this machine that runs beside it', { 2: 'abcdef' }, now, false],
    ['a process of another machine', { 3: 'abcdef' }, now - 9 * minute, false],
    ['a process of another machine, long ago', { 3: 'abcdef' }, now - 11 * minute, true],
    ['process 1, which is never ours to signal', { 0: '1', 1: '0' }, now, true],
  ])('%s', (_name, change, changedAt, dead) => {
    expect(isDead(named(change), changedAt, now)).toBe(dead);
  });

  it.each(['', '0.1.2.3.4', '-1.1.a.b.00000000000000000000000000000000', 'notes.txt', '../../etc'])(
    'has no owner for %j',
    (name) => {
      expect(ownerOf(name)).toBeUndefined();
    },
  );
});
