/** A row of a sheet; `cells` ends with the last non-empty one. */
export type SheetRow = {
  readonly line: number;
  readonly cells: readonly string[];
  readonly problem: string | undefined;
};
