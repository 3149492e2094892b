declare const __VERSION__: string;

/** The version of this tool, inserted by the build. */
export const version = __VERSION__;
