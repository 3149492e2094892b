/** Facts about a release that all of its parts need. */
import { readFileSync } from 'node:fs';

export type Facts = {
  readonly version: string;
  /** When the commit was made, in epoch seconds. All files in a release have this time. */
  readonly epoch: number;
  readonly commit: string;
  readonly project: Project;
};

/** Addresses of the project; empty as long as it has none. */
export type Project = { readonly repository: string; readonly bugs: string; readonly homepage: string };

export const summary = (JSON.parse(readFileSync('package.json', 'utf8')) as { description: string }).description;

/** Packages must name somebody. The address can never exist. */
export const maintainer = 'the iiot-cli authors <packages@iiot-cli.invalid>';

export function readProject(): Project {
  return JSON.parse(readFileSync('packaging/project.json', 'utf8')) as Project;
}

/** The URL of a file of a release. */
export function downloadOf({ project: { repository }, version }: Facts, name: string): string {
  return `${repository}/releases/download/v${version}/${name}`;
}

/** The version for packages of Linux, where a tilde sorts a candidate before the release. */
export function packageVersion({ version }: Facts): string {
  return version.replaceAll('-', '~');
}
