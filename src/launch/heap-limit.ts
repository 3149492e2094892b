/** V8 lets a heap grow far before it collects what a long list leaves behind: to twice the memory that one page needs. */

/** V8's defaults. Cached code runs only with the same values. */
const usual = ['--heap-growing-percent=0', '--semi-space-growth-factor=2'];

/** Keeps the heap small, from when it is requested until the end of the work. */
export function openHeapLimit() {
  let isLimited = false;
  return {
    async limit(what: 'old' | 'all'): Promise<void> {
      if (isLimited) return;
      isLimited = true;
      const { setFlagsFromString } = await import('node:v8');
      setFlagsFromString('--heap-growing-percent=30');
      if (what === 'all') setFlagsFromString('--semi-space-growth-factor=1');
    },
    /** Call this before compiled code is cached. */
    async end(): Promise<void> {
      if (!isLimited) return;
      const { setFlagsFromString } = await import('node:v8');
      for (const flag of usual) setFlagsFromString(flag);
    },
  };
}
