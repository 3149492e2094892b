/** V8 lets a heap grow far before it collects what a long list leaves behind: to twice the memory that one page needs. */

/** V8's defaults. Cached code runs only with the same values. */
const usual = ['--heap-growing-percent=0', '--semi-space-growth-factor=2'];

/** The memory of young objects that may be in use, in bytes: several pages of a list, so that not each of them is followed by a collection. */
const enoughForTheYoung = 4 * 2 ** 20;

/** Keeps the heap small, from when it is requested until the end of the work. */
export function openHeapLimit() {
  let isLimited = false;
  let isYoungLimited = false;
  return {
    /** May be called again and again: young objects are limited only once they have enough. */
    async limit(what: 'old' | 'all'): Promise<void> {
      if (isYoungLimited || (isLimited && what === 'old')) return;
      const { setFlagsFromString, getHeapSpaceStatistics } = await import('node:v8');
      if (!isLimited) setFlagsFromString('--heap-growing-percent=30');
      isLimited = true;
      if (what === 'old') return;
      const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
      if (young && young.space_size < enoughForTheYoung) return;
      setFlagsFromString('--semi-space-growth-factor=1');
      isYoungLimited = true;
    },
    /** Call this before compiled code is cached. */
    async end(): Promise<void> {
      if (!isLimited) return;
      const { setFlagsFromString } = await import('node:v8');
      for (const flag of usual) setFlagsFromString(flag);
    },
  };
}
