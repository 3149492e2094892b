/** A list to choose from, read only as far as it is looked at: drawn, and filtered by typing, or as numbered lines. */
import { Failure } from '../failure.ts';
import { cutText, prepareWidths } from '../output/text-width.ts';
import { rejectOnAbort } from '../text/abort.ts';
import { visible } from '../text/visible.ts';
import type { Output, PromptStreams } from './streams.ts';

type PickRow<T> = { readonly value: T; readonly says: string };

export type PickList<T> = {
  readonly pages: AsyncIterable<readonly PickRow<T>[]>;
  readonly heading?: string;
  /** The row of the cursor until something is typed. */
  readonly first?: PickRow<T> | undefined;
  /** The last row, whatever is typed. */
  readonly last?: PickRow<T> | undefined;
  /** Thrown if there is nothing to choose. */
  readonly nothing: Failure;
};

type ListReading<T> = {
  isWhole: boolean;
  failure: unknown;
  /** Reads the next page, and never rejects. */
  readNext(): Promise<void>;
  /** The rows that contain every word of a text. */
  matching(text: string): readonly PickRow<T>[];
  /** Why nothing can be chosen, once that is known. */
  endReason(): unknown;
};

function openReading<T>({ pages, first, last, nothing }: PickList<T>): ListReading<T> {
  const iterator = pages[Symbol.asyncIterator]();
  const rows: PickRow<T>[] = [];
  let next: Promise<void> | undefined;
  const reading: ListReading<T> = {
    isWhole: false,
    failure: undefined,
    readNext() {
      next ??= read().finally(() => {
        next = undefined;
      });
      return next;
    },
    matching(text) {
      const words = comparable(text).split(/\s+/).filter(Boolean);
      const found = rows.filter(({ says }) => words.every((word) => comparable(says).includes(word)));
      return [...(first && words.length === 0 ? [first] : []), ...found, ...(last ? [last] : [])];
    },
    endReason: () => (reading.isWhole && rows.length === 0 && !last ? (reading.failure ?? nothing) : undefined),
  };
  const read = async () => {
    try {
      const { done, value } = await iterator.next();
      const page: readonly PickRow<T>[] = done ? [] : value;
      await prepareWidths(page.map(({ says }) => says));
      rows.push(...page.map((row) => ({ ...row, says: visible(row.says) })));
      reading.isWhole = done === true;
    } catch (error) {
      reading.isWhole = true;
      reading.failure = error;
    }
  };
  return reading;
}

function comparable(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

const visibleRows = 7;
const listedRows = 20;

const steps: Readonly<Record<string, number>> = { up: -1, down: 1, pageup: -visibleRows, pagedown: visibleRows };

/** Lets the user choose a row from a drawn list. @throws Failure 'interrupted' after Esc */
export async function pickFromDrawing<T>(question: string, list: PickList<T>, world: PromptStreams): Promise<T> {
  const { createPrompt, isEnterKey, useEffect, useKeypress, useState } = await import('@inquirer/core');
  const reading = openReading(list);
  type Answer = { readonly value: T } | { readonly thrown: unknown };
  const prompt = createPrompt<Answer, string>((message, done) => {
    const [term, setTerm] = useState('');
    const [at, setAt] = useState(0);
    const [pagesRead, setPagesRead] = useState(0);
    const [ended, setEnded] = useState<string>();
    const rows = reading.matching(term);
    const active = Math.max(0, Math.min(at, rows.length - 1));
    const end = (answer: Answer, says = '') => {
      setEnded(says);
      done(answer);
    };
    const isReading = !reading.isWhole && rows.length - active < 2 * visibleRows;
    useEffect(() => {
      let isOpen = isReading;
      if (isOpen) {
        void reading.readNext().then(() => {
          if (!isOpen) return;
          if (reading.endReason()) end({ thrown: reading.endReason() });
          else setPagesRead(pagesRead + 1);
        });
      }
      return () => {
        isOpen = false;
      };
    }, [isReading, pagesRead]);
    useKeypress((key, line) => {
      const { name } = key;
      const step = steps[name];
      const row = rows[active];
      if (isEnterKey(key) && row) end(row, row.says);
      else if (name === 'escape') end({ thrown: new Failure('interrupted', 'Cancelled.') });
      else if (step !== undefined) setAt(Math.max(0, Math.min(active + step, rows.length - 1)));
      else if (name === 'tab' || isEnterKey(key)) {
        // The key has changed readline's line.
        line.clearLine(0);
        line.write(term);
      } else if (line.line !== term) {
        setTerm(line.line);
        setAt(0);
      }
    });
    const width = Math.max(2, (world.output.columns || 80) - 1);
    if (ended !== undefined) return cutText(`? ${message} ${ended}`.trimEnd(), width);
    const start = Math.max(0, Math.min(active - Math.floor(visibleRows / 2), rows.length - visibleRows));
    const shown = rows
      .slice(start, start + visibleRows)
      .map(({ says }, index) => cutText(`${start + index === active ? '>' : ' '} ${says}`, width));
    const state = statusLine(reading, isReading, rows.length);
    const below = [list.heading, ...shown, state, 'Type to filter, Esc to cancel'];
    return [`? ${message} ${term}`, below.filter((line) => line !== undefined).join('\n')];
  });
  const answer = await prompt(question, world);
  if ('thrown' in answer) throw answer.thrown;
  return answer.value;
}

function statusLine({ failure }: ListReading<unknown>, isReading: boolean, count: number): string | undefined {
  if (failure instanceof Error) return `The rest could not be read: ${visible(failure.message)}`;
  if (isReading) return 'Reading…';
  return count === 0 ? 'Nothing matches.' : undefined;
}

/** Lets the user choose a row by its number, from lines. @param ask reads the answer to a prompt */
export async function pickFromLines<T>(
  list: PickList<T>,
  { stderr, signal, ask }: { stderr: Output; signal: AbortSignal; ask: (prompt: string) => Promise<string> },
): Promise<T> {
  const reading = openReading(list);
  let [term, from] = ['', 0];
  for (;;) {
    while (!reading.isWhole && reading.matching(term).length <= from + listedRows)
      await Promise.race([reading.readNext(), rejectOnAbort(signal)]);
    if (reading.endReason()) throw reading.endReason();
    const rows = reading.matching(term);
    const isMore = rows.length > from + listedRows;
    const lines = rows.slice(from, from + listedRows).map(({ says }, index) => `${from + index + 1}) ${says}`);
    for (const line of [list.heading, ...lines, statusLine(reading, false, rows.length)])
      if (line !== undefined) stderr.write(`${line}\n`);
    const answer = (await ask(`Enter a number, or part of a name${isMore ? ', or nothing for more' : ''}:`)).trim();
    const row = /^\d+$/.test(answer) ? rows[Number(answer) - 1] : undefined;
    if (row) return row.value;
    from = answer === '' && isMore ? from + listedRows : 0;
    if (answer !== '' || !isMore) term = answer;
  }
}
