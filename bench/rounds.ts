/** Runs commands in turn, in many rounds. Their times are compared within each round, so that a slower machine slows all of them. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export type Contender = {
  readonly what: string;
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** The expected exit code; 0 by default. */
  readonly exit?: number;
};

export type Measured = {
  readonly what: string;
  /** Milliseconds of the whole process: the median, and the tenths at both ends. */
  readonly median: number;
  readonly low: number;
  readonly high: number;
  /** The median of the ratios to the first contender's time in the same round. */
  readonly ratio: number;
};

/** Measures each contender once a round, and compares it with the first. @throws if one fails */
export function measure(contenders: readonly Contender[], rounds: number): Measured[] {
  const times = contenders.map((): number[] => []);
  for (const contender of contenders) timeOnce(contender); // files and caches warm
  for (let round = 0; round < rounds; round += 1) {
    contenders.forEach((contender, at) => {
      times[at]?.push(timeOnce(contender));
    });
  }
  const base = times[0] ?? [];
  return contenders.map(({ what }, at) => {
    const own = times[at] ?? [];
    const ratios = own.map((time, round) => time / (base[round] ?? Number.NaN));
    return {
      what,
      median: quantile(own, 0.5),
      low: quantile(own, 0.1),
      high: quantile(own, 0.9),
      ratio: quantile(ratios, 0.5),
    };
  });
}

/** Whether a program is on this machine. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** The peak memory of a Node program, in MiB: the median of five runs. @param told path of a file for the peak of each run */
export function peakMemory({ command: [program, ...words], env, what }: Contender, told: string): number {
  const peaks = Array.from({ length: 5 }, () => {
    const preload = `--require ${JSON.stringify(resolve('test/support/peak.cjs'))}`;
    const options = { ...environment(env), NODE_OPTIONS: preload, PEAK_FILE: told };
    const run = spawnSync(program, words, { stdio: 'ignore', env: options });
    if (run.status === null) throw new Error(`${what} was killed`);
    return Number(readFileSync(told, 'utf8')) / 1024;
  });
  return quantile(peaks, 0.5);
}

function timeOnce({ what, command: [program, ...words], env, exit = 0 }: Contender): number {
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

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN;
}
