/** The variables of a process: those of this one, or those of a test. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a variable switches something on: set, and neither empty, `0` nor `false`. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value.toLowerCase());
}
