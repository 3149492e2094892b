/** A number that no double holds: 1e999, or more digits behind the point than are kept. It is written as it was read. */
export class ExactNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toString(): string {
    return this.digits;
  }

  /** For writers that know no such number: its digits as a text. */
  toJSON(): string {
    return this.digits;
  }
}
