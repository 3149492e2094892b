import { command } from '../command/command.ts';
import { kebab } from '../command/option.ts';
import { refusedInput, usage } from '../failure.ts';

const mcp = command({
  name: 'mcp',
  without: { agents: 'is this', each: 'it runs until its client ends it', formats: true },
  reach: 'organization',
  summary: 'Offer the commands as tools to agents, over stdio',
  description:
    'Offers the commands as tools over the Model Context Protocol, on standard input and output, to the client that starts it. Tools only read ' +
    'unless --allow-changes is given and neither IIOT_READ_ONLY nor the profile refuses changes. Then the client asks the person before every change, which ' +
    'is refused if the client cannot ask. Logging in, profiles and arbitrary requests are not offered, and no result holds a secret. ' +
    'Options such as --profile and --org apply to the tools that take them.',
  flags: { allowChanges: { type: 'boolean', description: 'Also offer the tools that change something' } },
  examples: {
    'iiot mcp --profile plant': 'The command to enter in a client; it reads only',
    'iiot mcp --profile plant --allow-changes': 'With changes, which the person confirms',
  },
  async run({ allowChanges }, context, groups) {
    const idle = ['yes', 'confirmProfile', 'verbose', 'debug'].filter((name) => name in context.options);
    const message = 'has no effect: iiot mcp asks and answers in its client; leave it out';
    const problems = idle.map((name) => ({ option: `--${kebab(name)}`, message }));
    if (problems.length > 0) throw refusedInput(problems, 'See iiot mcp --help');
    if (context.settings.missing) throw context.settings.missing;
    const { serveTools } = await import('../mcp/server.ts');
    const { readOnly } = context.settings;
    if (allowChanges && context.options.readOnly)
      throw usage('--allow-changes and --read-only cannot be combined.', 'Give one of them');
    if (allowChanges && readOnly) context.warn(`No tool that changes something is offered: read-only (${readOnly}).`);
    await serveTools(context, groups, allowChanges === true && !readOnly);
    return undefined;
  },
});

export const commands = [mcp];
