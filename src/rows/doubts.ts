import { notNfc } from '../text/alike.ts';
import { capitalized } from '../text/capitalized.ts';
import { countedRows, groupDigits } from '../text/group-digits.ts';
import { visibleWithBlanks } from '../text/visible.ts';

/** The use of a column, which tells how a spreadsheet can spoil its cells. `label`: its name in the file. */
export type ColumnUse = { readonly label: string; readonly use: 'key' | 'id' | 'text' | 'list' | 'number' | 'other' };

/** The place of a value, "cell C3", "line 3" or "row 3", and the name of its column. */
export type DoubtfulPlace = { readonly where: string; readonly label?: string | undefined };

type DoubtKind = {
  /** Gives the end of a sentence, after the place and the text. @param detail about this text */
  readonly says: (detail: string) => string;
  readonly asks?: boolean;
};

/** Doubtful values, which a person at a spreadsheet could not see or would not have typed. They are sent all the same. */
const kinds = {
  converted: { asks: true, says: (what) => `is ${what} in the sheet, and may have been typed as another text` },
  outdated: { asks: true, says: () => 'comes from a formula, and the workbook has to be recalculated' },
  list: { asks: true, says: (how) => `looks like several values${how}` },
  error: { asks: true, says: () => 'is the error of a formula' },
  formula: { asks: true, says: () => 'is a formula, and is sent as this text' },
  masked: { asks: true, says: () => 'looks like a masked secret, and would replace the secret' },
  total: { asks: true, says: () => 'looks like a row of totals' },
  comma: { says: () => 'is sent as one value' },
  cut: { says: () => "is as long as a spreadsheet's cell can be, and may be cut off" },
  rounded: { says: () => 'may have lost digits in a spreadsheet, which keeps 15' },
  number: { says: (digits) => `is sent as ${digits}` },
  apostrophe: { says: () => 'has the apostrophe that --for-spreadsheet writes, and is sent with it' },
  twin: { says: () => 'is in an earlier row, too; the rows are sent in order' },
  padded: { says: () => 'begins or ends with a blank or an apostrophe, and is sent so' },
  unseen: { says: () => 'has invisible characters, and is sent with them' },
  form: { says: () => `is ${notNfc}` },
  privateUse: { says: (code) => `has the private-use character ${code} (外字), which other systems may not display` },
} as const satisfies Record<string, DoubtKind>;

/** The largest numbers of sentences that are kept, of names and of characters of a text that are shown. */
const [mostSentences, mostNamed, longestText] = [20, 8, 80];

/** Collects doubtful values of a file of rows. Each kind gets one sentence, with the first place and the number of rows. */
export type Doubts = {
  add(kind: keyof typeof kinds, place: DoubtfulPlace, text: string, detail?: string): void;
  /** Adds a sentence on a row, which may quote its values. */
  say(where: string, sentence: string): void;
  ask(sentence: string): void;
  /** The parts of the sheet that a person does not see, to ask about. */
  readonly hidden: Hidden;
  /** Sentences to ask about before anything is sent. */
  questions(): readonly string[];
  notes(): readonly string[];
};

export function openDoubts(): Doubts {
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
    add(kind, { where, label }, text, detail = '') {
      const { says, asks = false }: DoubtKind = kinds[kind];
      const shown = visibleWithBlanks(text.length > longestText ? `${text.slice(0, longestText)}…` : text);
      const place = label === undefined ? where : `${where}, ${label}`;
      const row = where.replace(/^cell [A-Z]+/, '');
      count(kind + (asks ? detail : ''), row, asks, () => `${capitalized(place)}: "${shown}" ${says(detail)}`);
    },
    say: (where, sentence) =>
      count(sentence.replace(/"[^"]*"|\d[^\s"]*/g, ''), where, false, () => {
        return `${where}: ${sentence.replace(/^Note: |\.$/g, '')}`;
      }),
    ask: (sentence) => void ofFile.push(sentence),
    hidden,
    questions: () => [...ofFile, ...hiddenSentences(hidden), ...sentences(true)],
    notes: () => sentences(false),
  };
}

type Hidden = {
  columns: readonly string[];
  rows: number[];
  /** Areas of merged cells, by their first cells. */
  merged: string[];
};

function hiddenSentences({ columns, rows, merged }: Hidden): string[] {
  const counted = (many: number, what: string) => `${groupDigits(many)} hidden ${what}${many === 1 ? '' : 's'}`;
  const named = `${counted(columns.length, 'column')} (${listed(columns)})`;
  const parts = [columns.length > 0 && named, rows.length > 0 && counted(rows.length, 'row')].filter(Boolean);
  const mergedCells = `The sheet has merged cells (${listed(merged)}): only the first cell of each has the value.`;
  const rowNumbers = rows.length > 0 ? ` (row${rows.length === 1 ? '' : 's'} ${listed(rows)})` : '';
  const verb = columns.length + rows.length === 1 ? 'is' : 'are';
  return [
    ...(parts.length > 0 ? [`${parts.join(' and ')} ${verb} sent, too${rowNumbers}.`] : []),
    ...(merged.length > 0 ? [mergedCells] : []),
  ];
}

const listed = (names: readonly unknown[]) =>
  names.slice(0, mostNamed).join(', ') + (names.length > mostNamed ? ', …' : '');
