import type { Context, World } from '../command/context.ts';
import { wrapWords } from '../output/text-width.ts';
import { silentWaiting, type Waiting } from '../terminal/waiting.ts';
import type { Mask } from '../text/mask.ts';
import { visible } from '../text/visible.ts';

/** A function that writes lines to stderr, each after its `mark`, a coloured sign. @param wraps whether sentences break between words at a terminal */
export function printerOf({ stderr }: World, mask: Mask, waiting: Waiting, wraps = false): Context['notice'] {
  return (line, sign = '') => {
    waiting.hide();
    const text = visible(mask.sentence(line));
    // A line that does not begin with a word is a command, or a line of a difference.
    const room = wraps && stderr.isTTY && /^\w/.test(text) && stderr.columns;
    const lines = room ? wrapWords(text, sign === '' ? room : room - 2) : [text];
    stderr.write(`${sign}${lines.join('\n')}\n`);
  };
}

/** The notices of a command. For a program they are held back, to become part of the object of a failure, or else to be printed at the end. */
export type Notices = {
  readonly print: Context['notice'];
  /** Holds lines back from now on if a program reads stderr; otherwise prints the held lines. At a terminal none is held. */
  readonly hold: (isForProgram: boolean) => void;
};

export function openNotices(world: World, mask: Mask, isForProgram: boolean): Notices & { held: readonly string[] } {
  const print = printerOf(world, mask, silentWaiting, true);
  const held: string[] = [];
  let isHeld = false;
  const hold = (isForProgram: boolean) => {
    isHeld = isForProgram && world.stderr.isTTY !== true;
    if (!isHeld) for (const line of held.splice(0)) print(line);
  };
  hold(isForProgram);
  return { held, hold, print: (line, mark) => (isHeld ? void held.push(line) : print(line, mark)) };
}
