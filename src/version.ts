declare const __VERSION__: string;

/** The version of this tool, inserted by the build. */
export const version = __VERSION__;

/** The code of the error for a file of the program that is gone, because another version has taken its place. */
export const replaced = 'ERR_IIOT_REPLACED';
