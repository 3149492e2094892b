/** Names that a person takes for the same. */

/** The form in which names are compared that somebody writes by hand: without case, width, blanks, hyphens and underscores. */
export function plainName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]/g, '');
}

/** The form in which names are compared that a person chose, so that two of them never mean the same file on a file system that ignores case. */
export function comparableName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
