/** The largest secret, in bytes. */
export const largestSecret = 64 * 1024;

/** A secret as somebody gives it: without the byte order mark before it and the line end after it, which editors and shells add. */
export function secretIn(text: string): string {
  return text.replace(/^\ufeff/, '').replace(/\r?\n$|\r$/, '');
}
