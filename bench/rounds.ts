/** Commands run in turn, again and again: their times are compared within each round, so that a machine that slows down slows all. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export type Contender = {
  readonly what: string;
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** How it ends; 0 unless told. */
  readonly exit?: number;
};

export type Measured = {
  readonly what: string;
  /** Milliseconds of the whole process: the median, and the tenths at both ends. */
  readonly median: number;
  readonly low: number;
  readonly high: number;
  /** To the first contender's time of the same round: the median. */
  readonly ratio: number;
};

/** Measures each contender once a round. The first is what the others are compared with. Throws where one fails. */
export function measure(contenders: readonly Contender[], rounds: number): Measured[] {
  const times = contenders.map((): number[] => []);
  for (const contender of contenders) timed(contender); // files and caches warm
  for (let round = 0; round < rounds; round += 1) {
    contenders.forEach((contender, at) => {
      times[at]?.push(timed(contender));
    });
  }
  const base = times[0] ?? [];
  return contenders.map(({ what }, at) => {
    const own = times[at] ?? [];
    const ratios = own.map((time, round) => time / (base[round] ?? Number.NaN));
    return { what, median: share(own, 0.5), low: share(own, 0.1), high: share(own, 0.9), ratio: share(ratios, 0.5) };
  });
}

/** Whether a program is on this machine. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** The peak memory of a Node program, in MiB: the median of five runs. @param told a file for what each has taken */
export function peakMemory({ command: [program, ...words], env, what }: Contender, told: string): number {
  const peaks = Array.from({ length: 5 }, () => {
    const preload = `--require ${JSON.stringify(resolve('test/support/peak.cjs'))}`;
    const options = { ...environment(env), NODE_OPTIONS: preload, PEAK_FILE: told };
    const run = spawnSync(program, words, { stdio: 'ignore', env: options });
    if (run.status === null) throw new Error(`${what} was killed`);
    return Number(readFileSync(told, 'utf8')) / 1024;
  });
  return share(peaks, 0.5);
}

function timed({ what, command: [program, ...words], env, exit = 0 }: Contender): number {
  const began = performance.now();
  const run = spawnSync(program, words, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment(env),
    maxBuffer: 2 ** 30,
  });
  const time = performance.now() - began;
  if (run.error) throw run.error;
  if (run.status !== exit) throw new Error(`${what} ended with ${run.status}: ${run.stderr}`);
  return time;
}

function environment(env: Contender['env']): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, ...env };
}

function share(values: readonly number[], part: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN;
}
