import { command } from '../command/command.ts';
import { formatOf } from '../command/settings.ts';
import { version as number } from '../version.ts';

const version = command({
  name: 'version',
  summary: 'Show the version',
  description: 'Prints the version of iiot. With -o json also the version of Node.js that runs it.',
  examples: [
    { line: 'iiot version', says: 'For a bug report' },
    { line: 'iiot version -o json', says: 'For a program' },
  ],
  result: {
    type: 'object',
    description: 'The versions',
    required: ['version', 'node'],
    properties: {
      version: { type: 'string', description: 'Version of iiot' },
      node: { type: 'string', description: 'Version of Node.js' },
    },
  },
  async run(_, { world, options, settings }) {
    if (formatOf(options, settings) === 'table' && options.jq === undefined)
      return { kind: 'text', text: `${number}\n` };
    return { kind: 'record', value: { version: number, node: world.nodeVersion }, id: 'version' };
  },
});

export const commands = [version];
