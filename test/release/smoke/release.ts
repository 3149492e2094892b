import { readFileSync } from 'node:fs';

/** The folder of the release that is tried. */
export const release = process.env.IIOT_TEST_RELEASE ?? '';

export const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
