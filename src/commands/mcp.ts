import { command } from '../command/command.ts';

const mcp = command({
  name: 'mcp',
  summary: 'Offer the commands as tools to agents, over stdio',
  description:
    'Serves the commands as tools by the Model Context Protocol on standard input and output, for a client that starts it. Tools only read unless ' +
    '--allow-changes is given; what cannot be undone is then still asked of the person through the client, and refused where the client cannot ask. ' +
    'Logging in, profiles and arbitrary requests are no tools, and no result holds a secret. Options such as --profile and --org hold for every tool.',
  flags: { allowChanges: { type: 'boolean', description: 'Also offer the tools that change something' } },
  examples: [
    { line: 'iiot mcp --profile plant', says: 'The command to enter in a client; it reads only' },
    { line: 'iiot mcp --profile plant --allow-changes', says: 'With changes, each final one confirmed' },
  ],
  async run({ allowChanges }, context, groups) {
    const { serveTools } = await import('../mcp/server.ts');
    await serveTools(context, groups, allowChanges === true);
    return undefined;
  },
});

export const commands = [mcp];
