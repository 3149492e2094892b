import { createBitset, failedRowsLine, openDoneRows, readMarks } from './done-rows.ts';
import { checkHead, otherInput } from './journal-head.ts';
import type { JournalKind } from './journal-kind.ts';

/** Journals for what is safe to repeat: a line with the mark of each row that is done. The input may be edited between two runs. */
export const byMarks: JournalKind = {
  async read(bytes, { head, path, input, eachMark }) {
    const first = bytes.indexOf(10) + 1;
    const isSame = checkHead(bytes.toString('utf8', 0, first), head, path);
    const { failedRowFiles, dropped, marks, count } = readMarks(bytes.subarray(first));
    const rows = openDoneRows(marks);
    await eachMark(rows.see);
    const { done, lost } = rows.found();
    if (lost > 0 && lost === count) throw otherInput(path, input);
    const changed = !isSame && count > 0 ? { done: done.size, lost } : undefined;
    return { done, dropped, failedRowFiles, lines: [...[...failedRowFiles].map(failedRowsLine), marks], changed };
  },
  none: () => ({ done: createBitset(0), dropped: 0, failedRowFiles: new Set(), lines: [] }),
};
