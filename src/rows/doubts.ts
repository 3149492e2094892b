import { notNfc } from '../text/alike.ts';
import { capitalized } from '../text/capitalized.ts';
import { countedRows, groupDigits } from '../text/group-digits.ts';
import { exact } from '../text/visible.ts';

/** The use of a column, which tells how a spreadsheet can spoil its cells. `label`: its name in the file. */
export type ColumnUse = { readonly label: string; readonly use: 'key' | 'id' | 'text' | 'list' | 'number' | 'other' };

/** The place of a value, "cell C3", "line 3" or "row 3", and the name of its column. */
export type DoubtfulPlace = { readonly where: string; readonly label?: string | undefined };

type DoubtKind = {
  /** Follows the place and the text. @param detail what is known of this text */
  readonly is: (detail: string) => string;
  /** Whether it is asked about before anything is sent. */
  readonly asks?: boolean;
};

/** Doubtful values, which a person at a spreadsheet could not see or would not have typed. They are sent all the same. */
const kinds = {
  converted: { asks: true, is: (what) => `is ${what} in the sheet, and may have been typed as another text` },
  outdated: { asks: true, is: () => 'comes from a formula, and the workbook has to be recalculated' },
  list: { asks: true, is: (how) => `looks like several values${how}` },
  error: { asks: true, is: () => 'is the error of a formula' },
  formula: { asks: true, is: () => 'is a formula, and is sent as this text' },
  masked: { asks: true, is: () => 'looks like a masked secret, and would replace the secret' },
  total: { asks: true, is: () => 'looks like a row of totals' },
  comma: { is: () => 'is sent as one value' },
  cut: { is: () => "is as long as a spreadsheet's cell can be, and may be cut off" },
  rounded: { is: () => 'may have lost digits in a spreadsheet, which keeps 15' },
  number: { is: (digits) => `is sent as ${digits}` },
  apostrophe: { is: () => 'has the apostrophe that --for-spreadsheet writes, and is sent with it' },
  twin: { is: () => 'is in an earlier row, too; the rows are sent in order' },
  padded: { is: () => 'begins or ends with a blank or an apostrophe, and is sent so' },
  unseen: { is: () => 'has invisible characters, and is sent with them' },
  form: { is: () => `is ${notNfc}` },
  privateUse: { is: (code) => `has the private-use character ${code} (外字), which other systems may not display` },
} as const satisfies Record<string, DoubtKind>;

/** The largest numbers of sentences that are kept, of names and of characters of a text that are shown. */
const [mostSentences, mostNamed, longestText] = [20, 8, 80];

/** What is doubtful in a file of rows. */
export type Doubts = ReturnType<typeof openDoubts>;

/** Collects doubts. Each kind is told once, with the first place and the number of rows. */
export function openDoubts() {
  const found = new Map<string, { asks: boolean; sentence: string; rows: number; last: string }>();
  const ofFile: string[] = [];
  const hidden: Hidden = { columns: [], rows: [], merged: [] };
  const count = (kind: string, row: string, asks: boolean, sentence: () => string) => {
    const known = found.get(kind);
    if (known && known.last !== row) Object.assign(known, { rows: known.rows + 1, last: row });
    if (!known && found.size < mostSentences) found.set(kind, { asks, sentence: sentence(), rows: 1, last: row });
  };
  const sentences = (asks: boolean) =>
    [...found.values()]
      .filter((each) => each.asks === asks)
      .map(({ sentence, rows }) => `${sentence}${rows > 1 ? ` (and ${countedRows(rows - 1)} more)` : ''}.`);
  return {
    add(kind: keyof typeof kinds, { where, label }: DoubtfulPlace, text: string, detail = ''): void {
      const { is, asks = false }: DoubtKind = kinds[kind];
      const shown = exact(text.length > longestText ? `${text.slice(0, longestText)}…` : text);
      const place = label === undefined ? where : `${where}, ${label}`;
      const row = where.replace(/^cell [A-Z]+/, '');
      count(kind + (asks ? detail : ''), row, asks, () => `${capitalized(place)}: "${shown}" ${is(detail)}`);
    },
    /** A sentence on a row, which may quote its values. */
    say: (where: string, sentence: string) =>
      count(sentence.replace(/"[^"]*"|\d[^\s"]*/g, ''), where, false, () => {
        return `${where}: ${sentence.replace(/^Note: |\.$/g, '')}`;
      }),
    ask: (sentence: string) => void ofFile.push(sentence),
    /** What of the sheet a person does not see, to ask about. */
    hidden,
    /** What to ask about before anything is sent, as sentences. */
    asked: () => [...ofFile, ...hiddenIn(hidden), ...sentences(true)],
    said: () => sentences(false),
  };
}

type Hidden = {
  columns: readonly string[];
  rows: number[];
  /** Areas of merged cells, by their first cells. */
  merged: string[];
};

function hiddenIn({ columns, rows, merged }: Hidden): string[] {
  const counted = (many: number, what: string) => `${groupDigits(many)} hidden ${what}${many === 1 ? '' : 's'}`;
  const named = `${counted(columns.length, 'column')} (${listed(columns)})`;
  const parts = [columns.length > 0 && named, rows.length > 0 && counted(rows.length, 'row')].filter(Boolean);
  const areas = `The sheet has merged cells (${listed(merged)}): only the first cell of each has the value.`;
  const which = rows.length > 0 ? ` (row${rows.length === 1 ? '' : 's'} ${listed(rows)})` : '';
  const are = columns.length + rows.length === 1 ? 'is' : 'are';
  return [
    ...(parts.length > 0 ? [`${parts.join(' and ')} ${are} sent, too${which}.`] : []),
    ...(merged.length > 0 ? [areas] : []),
  ];
}

const listed = (names: readonly unknown[]) =>
  names.slice(0, mostNamed).join(', ') + (names.length > mostNamed ? ', …' : '');
