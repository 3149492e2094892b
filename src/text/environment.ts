/** The environment variables of this process, or of a test. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a text has lost bytes that were not UTF-8: Node replaces such bytes of arguments, variables and typed keys by U+FFFD. */
export function isLost(text: string): boolean {
  return text.includes('\ufffd');
}

/** Whether a variable turns something on: it is set, and neither empty, `0` nor `false`. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value.toLowerCase());
}
