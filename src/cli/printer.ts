import type { Context, World } from '../command/context.ts';
import type { Waiting } from '../terminal/waiting.ts';
import type { Mask } from '../text/mask.ts';
import { visible } from '../text/visible.ts';

/** Writes lines to stderr. `mark`, a coloured sign, is put before a line unchanged. */
export function printerOf({ stderr }: World, mask: Mask, waiting: Waiting): Context['notice'] {
  return (line, sign = '') => {
    waiting.hide();
    stderr.write(`${sign}${visible(mask.sentence(line))}\n`);
  };
}
