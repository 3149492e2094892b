import { usage } from '../failure.ts';
import { readSteps } from './done-rows.ts';
import { checkHead, damaged } from './journal-head.ts';
import type { JournalKind } from './journal-kind.ts';

/** Journals for what is not safe to repeat: a line for each row before it is sent, and one for how it ended. */
export const bySteps: JournalKind = {
  async read(bytes, { head, path, input }) {
    const first = bytes.indexOf(10) + 1;
    if (!checkHead(bytes.toString('utf8', 0, first), head, path))
      throw usage(
        `${input}${head.input.files ? ', or a file that an option names,' : ''} is not the file of ${path}, or has changed since, so iiot cannot tell which rows were sent.`,
        `Give the file as it was; to send other rows, use a separate file`,
      );
    const lines = bytes.subarray(first);
    const { last, dropped, ...steps } = readSteps(lines, head.input.rows);
    if (last > head.input.rows) throw damaged(path, last, input, head.input.rows);
    return { ...steps, dropped, lines: [lines.subarray(0, lines.length - dropped)] };
  },
  none(path) {
    throw usage(
      `No journal at ${path}, so iiot cannot tell which rows were sent.`,
      'If none was sent, leave out --resume; otherwise name the journal with --journal FILE',
    );
  },
};
