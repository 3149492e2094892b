/** The variables of a process: those of this one, or those of a test. */
export type Environment = Readonly<Record<string, string | undefined>>;
