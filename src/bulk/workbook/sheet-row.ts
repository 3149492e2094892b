/** A row as a sheet has it; `cells` ends with the last one that has something in it. */
export type SheetRow = {
  readonly line: number;
  readonly cells: readonly string[];
  readonly problem: string | undefined;
};
