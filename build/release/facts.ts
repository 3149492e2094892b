/** What every part of a release needs to know of it. */
import { readFileSync } from 'node:fs';

export type Facts = {
  readonly version: string;
  /** Seconds: when the commit was made. Everything in a release was changed last at that time. */
  readonly epoch: number;
  readonly commit: string;
  readonly project: Project;
};

/** Where the project is; empty as long as it has no address. */
export type Project = { readonly repository: string; readonly bugs: string; readonly homepage: string };

export const summary = (JSON.parse(readFileSync('package.json', 'utf8')) as { description: string }).description;

/** The address is one that can never exist: packages must name somebody. */
export const maintainer = 'the iiot-cli authors <packages@iiot-cli.invalid>';

export function project(): Project {
  return JSON.parse(readFileSync('packaging/project.json', 'utf8')) as Project;
}

/** Where a file of a release is downloaded from. */
export function downloadOf({ project: { repository }, version }: Facts, name: string): string {
  return `${repository}/releases/download/v${version}/${name}`;
}

/** As packages of Linux have versions: there, a candidate's tilde sorts it before the release. */
export function packageVersion({ version }: Facts): string {
  return version.replaceAll('-', '~');
}
