import { command } from '../../command/command.ts';
import { listTemplates } from '../../contract/templates.ts';
import { usage } from '../../failure.ts';

const names = { type: 'array', items: { type: 'string', description: 'Variable' } } as const;

export const preview = command({
  name: 'templates preview',
  operation: { ...listTemplates, params: { orgId: listTemplates.params.orgId } },
  summary: 'Show a template with its variables filled in',
  description:
    'Prints the content of a template with values in place of its variables: {{name}}, {{ device.name }}. A file is read from disk, and ' +
    'nothing ' +
    'is sent to the platform; an ID is looked up in the list of templates. Values are inserted as they are, without escaping. Variables ' +
    'without ' +
    'a value are left as they are and listed, and so is anything else in double braces: the platform may accept more than names. With ' +
    '--serve, ' +
    'DIR opens in a browser: every template, its variables to fill in, and how it looks, updated when a file is saved. HTML is shown without ' +
    'scripts and without network access. Only this machine can reach the page, and only under the address that is printed. Ctrl-C stops it.',
  ends: {
    not_found: 'there is no such template',
    rejected: "the platform's list does not give the content of templates",
  },
  arguments: {
    source: {
      type: 'string',
      value: 'FILE|ID',
      isPath: true,
      description: 'File of a template, or its ID; DIR with --serve',
    },
  },
  flags: {
    var: {
      type: 'object',
      additionalProperties: { type: 'string', description: 'Value' },
      description: 'Value of a variable',
    },
    serve: { type: 'boolean', description: 'Show the folder in a browser' },
    port: {
      type: 'integer',
      value: 'N',
      minimum: 0,
      maximum: 65_535,
      description: 'Port for --serve, by default any free one',
    },
  },
  examples: [
    {
      line: 'iiot templates preview templates/template_001-pressure-low.txt --var deviceName="Press 7" --var value=81',
      says: 'A file, before it is pushed',
    },
    { line: 'iiot templates preview template_001', says: 'What is on the platform, and which variables it has' },
    { line: 'iiot templates preview templates --serve', says: 'All of a folder, in a browser' },
  ],
  result: {
    type: 'object',
    description: 'The template, filled in',
    properties: {
      templateId: { type: 'string', description: 'Template' },
      file: { type: ['string', 'null'], description: 'Its file' },
      subject: { description: 'Subject, filled in' },
      content: { type: 'string', description: 'Content, filled in' },
      variables: { ...names, description: 'Its variables, in the order in which they come' },
      missing: { ...names, description: 'Variables without a value' },
      unused: { ...names, description: 'Values without a variable' },
      notUnderstood: { ...names, description: 'What is in double braces and is not a name' },
      url: { type: 'string', format: 'uri', description: 'With --serve: the address of the page' },
    },
  },
  async run(input, context) {
    if (input.serve) return (await import('./serve.ts')).serve(input, context);
    if (input.port !== undefined) throw usage('--port goes with --serve.');
    return (await import('./preview-run.ts')).runPreview(input, context);
  },
});
