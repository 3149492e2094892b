/** What the tests of a file need fresh: made before each test and removed after it. */
import { afterEach, beforeEach } from 'vitest';
import { type Person, person } from './world.ts';

/** A new person for each test of the file or group that calls this. */
export function personForEach(...options: Parameters<typeof person>): Person {
  let found: Person | undefined;
  const current = (): Person => {
    if (found === undefined) throw new Error('A person is there during a test only.');
    return found;
  };
  beforeEach(() => {
    found = person(...options);
  });
  afterEach(() => {
    found?.leave();
    found = undefined;
  });
  return {
    iiot: (words, given) => current().iiot(words, given),
    get platform() {
      return current().platform;
    },
    get requests() {
      return current().requests;
    },
    get sent() {
      return current().sent;
    },
    get folder() {
      return current().folder;
    },
    get env() {
      return current().env;
    },
    advance: (milliseconds) => current().advance(milliseconds),
    leave: () => current().leave(),
  };
}
