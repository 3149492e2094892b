import { command } from '../command/command.ts';
import { formatOf } from '../command/settings.ts';
import { list, record, text, textOrNull } from '../contract/shared.ts';
import { version as number } from '../version.ts';
import { findInstallMethod, installMethods } from './installed.ts';

const version = command({
  name: 'version',
  summary: 'Show the version',
  description:
    'Prints the version of iiot. With -o json, also the commit it was built from, the version of Node.js that runs it, how it was installed, ' +
    'the packages bundled in it, and where to read how to check all that.',
  examples: {
    'iiot version': 'For a bug report',
    'iiot version -o json': 'For a program',
    'iiot version --jq \'.bundled[] | .name + " " + .version\'': 'What is inside',
  },
  result: record('The versions', {
    version: text('Version of iiot'),
    commit: textOrNull('Commit of the sources; with -dirty if they had changes. null if it was not built from a clone'),
    node: text('Version of Node.js'),
    installMethod: text('How it was installed, as far as its location shows', { enum: installMethods }),
    bundled: list(
      'Third-party packages inside',
      record('A package', { name: text('Its name'), version: text('Its version') }),
    ),
    verify: textOrNull('Where to read how to check a release, a URL'),
  }),
  async run(_, { world, options, settings }) {
    if (formatOf(options, settings) === 'table' && options.jq === undefined)
      return { kind: 'text', text: `${number}\n` };
    // Written by the build (build/third-parties.ts).
    const { commit = null, bundled = [], verify = null } = JSON.parse(world.text?.('dist/build.json') ?? '{}');
    const installMethod = findInstallMethod(world.self);
    const value = { version: number, commit, node: world.nodeVersion, installMethod, bundled, verify };
    return { kind: 'record', value, id: 'version' };
  },
});

export const commands = [version];
