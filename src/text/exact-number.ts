/** A number that a double cannot represent exactly: 1e999, or one with more decimal digits than a double keeps. It is written as it was read. */
export class ExactNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toString(): string {
    return this.digits;
  }

  /** For writers that do not support it: the digits as text. */
  toJSON(): string {
    return this.digits;
  }
}
