/** The notes of a release: its part of the changelog. */

/** The section of a version, or the section Unreleased, without its heading. */
export function notesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const named = (name: string) => sections.find((each) => each.split(/\s/)[0] === name);
  const section = named(version) ?? named('Unreleased');
  if (section === undefined) throw new Error(`CHANGELOG.md has no section for ${version}: add "## ${version}"`);
  return section.replace(/^.*\n+/, '');
}
