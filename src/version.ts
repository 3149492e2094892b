declare const __VERSION__: string;

/** The version of this tool, put in by the build. */
export const version = __VERSION__;
