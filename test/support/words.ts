/** The words of a line, some of them in quotes. */
export function wordsOf(line: string): string[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  return words.map((word) => word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'));
}

/** Whether a line has more than words with quotes around them. */
export function needsShell(line: string): boolean {
  return /[|&;<>$`*\\~(){}#]/.test(line.replace(/'[^']*'/g, ''));
}
