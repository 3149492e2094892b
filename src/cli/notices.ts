import type { Context, World } from '../command/context.ts';
import { silentWaiting, type Waiting } from '../terminal/waiting.ts';
import type { Mask } from '../text/mask.ts';
import { visible } from '../text/visible.ts';

/** Writes lines to stderr. `mark`, a coloured sign, is put before a line unchanged. */
export function printerOf({ stderr }: World, mask: Mask, waiting: Waiting): Context['notice'] {
  return (line, sign = '') => {
    waiting.hide();
    stderr.write(`${sign}${visible(mask.sentence(line))}\n`);
  };
}

/** The lines of a command for a person. For a program they wait: a failure is one object, with them in it; otherwise they come at the end. */
export type Notices = {
  readonly print: Context['notice'];
  /** Whether lines wait from now on; if not, those that waited are printed. At a terminal none waits. */
  readonly hold: (isForProgram: boolean) => void;
};

export function openNotices(world: World, mask: Mask, isForProgram: boolean): Notices & { held: readonly string[] } {
  const printed = printerOf(world, mask, silentWaiting);
  const held: string[] = [];
  let isHeld = false;
  const hold = (isForProgram: boolean) => {
    isHeld = isForProgram && world.stderr.isTTY !== true;
    if (!isHeld) for (const line of held.splice(0)) printed(line);
  };
  hold(isForProgram);
  return { held, hold, print: (line, mark) => (isHeld ? void held.push(line) : printed(line, mark)) };
}
