/** Shows the progress of long work on stderr: a line that redraws at a terminal, plain lines with ACCESSIBLE, otherwise nothing. */

import type { Environment } from '../text/environment.ts';
import { groupDigits } from '../text/group-digits.ts';
import { visible } from '../text/visible.ts';
import { isPlain, type Output } from './streams.ts';

export type Counts = {
  readonly done: number;
  readonly failed: number;
  /** Undefined while unknown. */
  readonly total?: number | undefined;
  readonly perSecond: number;
  /** Estimated remaining seconds. */
  readonly left?: number | undefined;
};

type Progress = {
  /** May be called for every row: it draws at most ten times a second, and with ACCESSIBLE once in ten seconds. */
  update(counts: Counts): void;
  /** After a second, shows what is waited for, until the returned function is called. */
  spin(text: string): () => void;
  /** Removes the line from the screen, so that something else can be written; the next update draws it again. */
  hide(): void;
  /** Removes the line for good. */
  finish(): void;
};

type ProgressWorld = {
  readonly stderr: Output;
  readonly env: Environment;
  /** Milliseconds. */
  readonly now: () => number;
  readonly quiet: boolean;
};

type Line = { draw(text: string): void; erase(): void; readonly interval: number; readonly redraws: boolean };

const frames = ['|', '/', '-', '\\'] as const;
const silent: Progress = { update: () => {}, spin: () => () => {}, hide: () => {}, finish: () => {} };

/** The progress of one piece of work. Does not keep the process alive, hide the cursor, or leave anything on the screen that has to be restored. */
export function openProgress({ stderr, env, now, quiet }: ProgressWorld): Progress {
  if (quiet || stderr.isTTY !== true) return silent;
  const line = isPlain(env) ? plainLine(stderr) : drawnLine(stderr);
  const waits = new Set<() => void>();
  let last = line.redraws ? Number.NEGATIVE_INFINITY : now();
  let finished = false;
  return {
    update(counts) {
      if (finished || waits.size > 0 || now() - last < line.interval) return;
      last = now();
      line.draw(countsText(counts));
    },
    spin(text) {
      if (finished) return () => {};
      const end = () => waits.delete(end) && stopWait();
      const stopWait = startWait(line, visible(text));
      waits.add(end);
      return end;
    },
    hide: () => line.erase(),
    finish() {
      finished = true;
      for (const end of waits) end();
      line.erase();
    },
  };
}

/** `1,204 of 2,000 done, 3 failed, 48 a second, 17 s left` */
export function countsText({ done, failed, total, perSecond, left }: Counts): string {
  const number = (value: number) => groupDigits(Math.round(value));
  const parts = [
    total === undefined ? `${number(done)} done` : `${number(done)} of ${number(total)} done`,
    failed > 0 && `${number(failed)} failed`,
    Number.isFinite(perSecond) && `${perSecond < 10 ? Math.round(perSecond * 10) / 10 : number(perSecond)} a second`,
    left !== undefined && Number.isFinite(left) && `${sayDuration(left)} left`,
  ];
  return parts.filter((part) => part !== false).join(', ');
}

function sayDuration(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}

/** A line that is overwritten. It is never wider than the terminal, because overwriting would leave its first rows behind. */
function drawnLine(stderr: Output): Line {
  let drawn = false;
  return {
    interval: 100,
    redraws: true,
    draw(text) {
      const width = stderr.columns && stderr.columns > 0 ? stderr.columns : 80;
      stderr.write(
        `\r${Array.from(text)
          .slice(0, width - 1)
          .join('')}\u001b[K`,
      );
      drawn = true;
    },
    erase() {
      if (drawn) stderr.write('\r\u001b[K');
      drawn = false;
    },
  };
}

function plainLine(stderr: Output): Line {
  return { interval: 10_000, redraws: false, draw: (text) => void stderr.write(`${text}\n`), erase: () => {} };
}

function startWait(line: Line, text: string): () => void {
  let frame = 0;
  let ticking: NodeJS.Timeout | undefined;
  const tick = () => line.draw(line.redraws ? `${frames[frame++ % frames.length]} ${text}` : text);
  const starting = setTimeout(() => {
    tick();
    if (line.redraws) ticking = setInterval(tick, 120).unref();
  }, 1000).unref();
  return () => {
    clearTimeout(starting);
    clearInterval(ticking);
    line.erase();
  };
}
