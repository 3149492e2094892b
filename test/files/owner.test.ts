import { describe, expect, it } from 'vitest';
import { isAbandoned, newOwnerName, ownerOf } from '../../src/files/owner.ts';

const minute = 60_000;
const now = Date.now();
const parts = () => newOwnerName().split('.');
const named = (change: Record<number, string>) =>
  parts()
    .map((part, place) => change[place] ?? part)
    .join('.');

describe('the owner of a lock', () => {
  it('is alive if it is this process', () => {
    const name = newOwnerName();
    expect(ownerOf(name)).toEqual({
      pid: process.pid,
      start: expect.stringMatching(/^\d+$/),
      boot: expect.stringMatching(/^[0-9a-f]+$/),
      host: expect.stringMatching(/^[0-9a-f]{12}$/),
    });
    expect(isAbandoned(name, 0, now)).toBe(false);
  });

  it('has another name each time', () => {
    expect(newOwnerName()).not.toBe(newOwnerName());
  });

  it.each([
    ['a process that does not exist', true, { 0: '4194399' }, now],
    ['an earlier process with our number', true, { 1: '1' }, now],
    ['a process of an earlier boot', true, { 2: 'abcdef' }, 0],
    ['a process of a clone of this machine', false, { 2: 'abcdef' }, now],
    ['a process that another machine touched 9 minutes ago', false, { 3: 'abcdef' }, now - 9 * minute],
    ['a process that another machine touched 11 minutes ago', true, { 3: 'abcdef' }, now - 11 * minute],
    ['an earlier process 1', true, { 0: '1', 1: '0' }, now],
  ])('is dead if it is %s: %s', (_name, dead, change, changedAt) => {
    expect(isAbandoned(named(change), changedAt, now)).toBe(dead);
  });

  it.each(['', '0.1.2.3.4', '-1.1.a.b.00000000000000000000000000000000', 'notes.txt', '../../etc'])(
    'is not read from %j',
    (name) => {
      expect(ownerOf(name)).toBeUndefined();
    },
  );
});
