/** Why a cell is no ID, as the end of "cell A4 is …". */
export type Unfit = {
  readonly what: string;
  /** Of a number, as they are in the file. */
  readonly digits?: string;
  /** Whether it has more digits than spreadsheets keep. */
  readonly isRounded?: boolean;
};

export type CellText = { readonly text: string; readonly unfit?: Unfit | undefined };

/** A row of a sheet; `cells` ends with the last non-empty one. */
export type SheetRow = {
  readonly sheet: string;
  readonly line: number;
  readonly cells: readonly string[];
  readonly problem: string | undefined;
  readonly isHidden: boolean;
  /** The columns, counted from 0, whose cells are no IDs. */
  readonly unfit: ReadonlyMap<number, Unfit> | undefined;
};

/** How to read the sheets of a workbook. */
export type SheetReading = {
  /** The name of the file. */
  readonly name: string;
  /** In any case; the first sheet if undefined, and all of them for `every`. */
  readonly sheet?: string | undefined;
  readonly every?: boolean;
  /** Called for each area of merged cells. */
  readonly onMerged?: (() => void) | undefined;
};
