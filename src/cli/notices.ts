import type { Context, World } from '../command/context.ts';
import { wrapWords } from '../output/text-width.ts';
import { silentWaiting, type Waiting } from '../terminal/waiting.ts';
import type { Mask } from '../text/mask.ts';
import { visible } from '../text/visible.ts';

/** Writes lines to stderr. `mark`, a coloured sign, is put before a line unchanged. At a terminal, sentences break between words if `wraps`. */
export function printerOf({ stderr }: World, mask: Mask, waiting: Waiting, wraps = false): Context['notice'] {
  return (line, sign = '') => {
    waiting.hide();
    const text = visible(mask.sentence(line));
    // What does not begin with a word is a command, or a line of a difference.
    const room = wraps && stderr.isTTY && /^\w/.test(text) && stderr.columns;
    const lines = room ? wrapWords(text, sign === '' ? room : room - 2) : [text];
    stderr.write(`${sign}${lines.join('\n')}\n`);
  };
}

/** The lines of a command for a person. For a program they wait: a failure is one object, with them in it; otherwise they come at the end. */
export type Notices = {
  readonly print: Context['notice'];
  /** Whether lines wait from now on; if not, those that waited are printed. At a terminal none waits. */
  readonly hold: (isForProgram: boolean) => void;
};

export function openNotices(world: World, mask: Mask, isForProgram: boolean): Notices & { held: readonly string[] } {
  const printed = printerOf(world, mask, silentWaiting, true);
  const held: string[] = [];
  let isHeld = false;
  const hold = (isForProgram: boolean) => {
    isHeld = isForProgram && world.stderr.isTTY !== true;
    if (!isHeld) for (const line of held.splice(0)) printed(line);
  };
  hold(isForProgram);
  return { held, hold, print: (line, mark) => (isHeld ? void held.push(line) : printed(line, mark)) };
}
