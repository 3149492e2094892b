/** What tests need and a machine may lack. What needs it is skipped there; `said-at-the-end.ts` counts it. */
import { accessSync, constants } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { delimiter, join } from 'node:path';
import { TestRunner } from 'vitest';
import type programs from './programs.json';

export type Program = keyof typeof programs;
type Wanted = Program | 'IPv6';

declare module 'vitest' {
  interface TaskMeta {
    /** What the machine lacks of what the tests of this file need. */
    lacks?: string[];
  }
}

/** Whether the machine lacks any of these, for `skipIf`. To be called while tests are collected: it is noted for the end of the run. */
export function lacks(...wanted: readonly Wanted[]): boolean {
  const missing = wanted.filter((each) => (each === 'IPv6' ? !hasIPv6() : !isInstalled(each)));
  const { meta } = TestRunner.getCurrentSuite().file;
  if (missing.length > 0) meta.lacks = [...new Set([...(meta.lacks ?? []), ...missing])];
  return missing.length > 0;
}

function hasIPv6(): boolean {
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ family }) => family === 'IPv6'));
}

function isInstalled(program: Program): boolean {
  // An ordinary user of Debian has no sbin in PATH.
  return [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'].some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
