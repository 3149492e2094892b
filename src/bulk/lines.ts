/** Cuts a text that comes in pieces into lines; they end with LF, CRLF or CR. */
export type LineCutter = {
  /** The lines that end in the next piece. */
  readonly cut: (piece: string) => string[];
  /** What has come of a line that has not ended. */
  readonly rest: () => string;
};

export function openLineCutter(): LineCutter {
  let rest = '';
  return {
    cut(piece) {
      const text = rest + piece;
      // The other half of a CRLF may be in the next piece.
      const end = text.endsWith('\r') ? text.length - 1 : text.length;
      const lines = text.slice(0, end).split(/\r\n|\n|\r/);
      rest = (lines.pop() ?? '') + text.slice(end);
      return lines;
    },
    rest: () => rest,
  };
}
