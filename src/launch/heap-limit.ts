/** V8 lets a heap grow far before it collects what a long list leaves behind: twice as far as it takes to print one page. */

/** V8's own values. It runs what it has compiled earlier only where they are the same. */
const usual = ['--heap-growing-percent=0', '--semi-space-growth-factor=2'];

/** Keeps the heap small from when it is told to until the end of the work. */
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
    /** Before what was compiled is kept for the next run. */
    async end(): Promise<void> {
      if (!isLimited) return;
      const { setFlagsFromString } = await import('node:v8');
      for (const flag of usual) setFlagsFromString(flag);
    },
  };
}
