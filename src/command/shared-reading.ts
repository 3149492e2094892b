import type { Context } from './context.ts';

/**
 * Lets callers that wait for the same reading share it. A call during a reading gets the next one, because that one may be older than what the
 * call asks about. There is one reading at a time for each `clock` of a context, which all rows of a run share.
 */
export function sharedReading<T, More extends unknown[]>(read: (context: Context, ...more: More) => Promise<T>) {
  const latest = new WeakMap<object, Promise<unknown>>();
  const next = new WeakMap<object, Promise<T>>();
  return (context: Context, ...more: More): Promise<T> => {
    const { clock } = context;
    const upcoming =
      next.get(clock) ??
      (latest.get(clock) ?? Promise.resolve()).then(() => {
        next.delete(clock);
        return read(context, ...more);
      });
    next.set(clock, upcoming);
    latest.set(clock, upcoming.then(String, String)); // settles either way: a failed reading does not block the next
    return upcoming;
  };
}
