/** The variables of a process: those of this one, or those of a test. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether bytes of a text were not UTF-8, and are lost: Node replaces those of arguments, of variables and of keys by U+FFFD. */
export function isLost(text: string): boolean {
  return text.includes('\ufffd');
}

/** Whether a variable switches something on: set, and neither empty, `0` nor `false`. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value.toLowerCase());
}
