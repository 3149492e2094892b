/** What the tests of a file need: made before each test or before all of them, and removed afterwards. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type Person, person } from './world.ts';

type Closing = { close(): unknown } | { leave(): unknown } | { done(): unknown };
type Lifetime = { readonly before: typeof beforeEach; readonly after: typeof afterEach };

/** A new one for each test of the file or group that calls this. */
export function madeForEach<T extends Closing>(make: () => T | Promise<T>): T {
  return made(make, { before: beforeEach, after: afterEach });
}

/** One for all tests of the file or group that calls this. */
export function madeForAll<T extends Closing>(make: () => T | Promise<T>): T {
  return made(make, { before: beforeAll, after: afterAll });
}

/** A new person for each test. */
export function personForEach(...options: Parameters<typeof person>): Person {
  return madeForEach(() => person(...options));
}

/** Makes persons with their own options, who leave after the test. */
export function personsForEach(): typeof person {
  const open: Person[] = [];
  afterEach(() => {
    for (const each of open.splice(0)) each.leave();
  });
  return (...options) => {
    const one = person(...options);
    open.push(one);
    return one;
  };
}

/** Closes after each test what the test has passed to it. */
export function closedAfterEach(): <T extends Closing>(opening: T | Promise<T>) => Promise<T> {
  const open: Closing[] = [];
  afterEach(async () => {
    for (const each of open.splice(0)) await close(each);
  });
  return async (opening) => {
    const opened = await opening;
    open.push(opened);
    return opened;
  };
}

/** Stands for the one that is there at the moment. */
function made<T extends Closing>(make: () => T | Promise<T>, { before, after }: Lifetime): T {
  let current: T | undefined;
  before(async () => {
    current = await make();
  });
  after(async () => {
    const last = current;
    current = undefined;
    if (last !== undefined) await close(last);
  });
  const found = (): T => {
    if (current === undefined) throw new Error('It is there during a test only.');
    return current;
  };
  // It has no properties of its own: all of them are read and set where it stands for.
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(found(), name),
    set: (_, name, value) => Reflect.set(found(), name, value),
  });
}

function close(one: Closing): unknown {
  if ('done' in one) return one.done();
  return 'close' in one ? one.close() : one.leave();
}
