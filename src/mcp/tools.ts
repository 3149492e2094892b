import type { Command, Groups } from '../command/command.ts';
import { ownOptions } from '../command/command.ts';
import type { Option } from '../command/option.ts';
import { globalOptionsOf } from '../command/reach.ts';
import { type JsonSchema, jsonSchema } from '../shell/json-schema.ts';
import { isRequired, optionDescription, takesFile } from '../shell/option-facts.ts';
import { loadCommands } from '../shell/tree.ts';

/** How a field of a tool's input is turned into words of the command line. */
export type Field =
  | { readonly kind: 'argument'; readonly repeated: boolean; readonly required: boolean }
  | { readonly kind: 'option'; readonly option: Option }
  /** JSON that the command reads from standard input: `--actions-file -`. */
  | { readonly kind: 'json'; readonly option: Option };

export type Tool = {
  /** "orgs_users_list". */
  readonly name: string;
  readonly command: Command;
  readonly fields: Readonly<Record<string, Field>>;
  readonly input: JsonSchema;
  /** An option that a person has to type, never a program: the name of what is deleted. */
  readonly typed?: Option;
};

/** The commands as tools: their input is the command's arguments and options, plus the organization if the command acts in one. */
export async function everyTool(groups: Groups): Promise<readonly Tool[]> {
  return (await loadCommands(groups)).filter(({ without }) => without.agents === undefined).map(toolOf);
}

function toolOf(command: Command): Tool {
  const all = [...argumentFields(command), ...optionFields(command)];
  const typed = ownOptions(command).find(({ schema }) => schema.forAgents === 'typed');
  const required = all.filter(({ required: must }) => must).map(({ name }) => name);
  return {
    name: command.name.replaceAll(/[ -]/g, '_'),
    command,
    fields: Object.fromEntries(all.map(({ name, field }) => [name, field])),
    input: {
      type: 'object',
      properties: Object.fromEntries(all.map(({ name, schema }) => [name, schema])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
    ...(typed && { typed }),
  };
}

type DescribedField = {
  readonly name: string;
  readonly field: Field;
  readonly schema: JsonSchema;
  readonly required: boolean;
};

function argumentFields(command: Command): DescribedField[] {
  return Object.entries(command.arguments).map(([name, { optional = false, repeated = false, ...schema }]) => {
    const description = schema.isPath ? `${schema.description}; in the folder of iiot mcp` : schema.description;
    const each = { ...jsonSchema(schema), description };
    const ofAll = schema.value === undefined ? description : `${schema.value}: ${description}`;
    const described = repeated ? { type: 'array', items: each, description: ofAll } : each;
    return { name, field: { kind: 'argument', repeated, required: !optional }, schema: described, required: !optional };
  });
}

function optionFields(command: Command): DescribedField[] {
  // One that takes the organization as an argument has no such option.
  const takesOrg = command.operation !== undefined && globalOptionsOf(command).some(({ name }) => name === 'org');
  const all = [...ownOptions(command), ...(takesOrg ? [organization] : [])];
  return all.flatMap((option): DescribedField[] => {
    const { forAgents } = option.schema;
    const isOfBody = option.path !== undefined || option.name === 'bodyFile';
    if (forAgents === 'never' || forAgents === 'typed') return [];
    if (takesFile(option.schema) && forAgents !== 'secret') return isOfBody ? [jsonField(option)] : [];
    const required = isRequired(command, option);
    return [{ name: camel(option.long), field: { kind: 'option', option }, schema: optionSchema(option), required }];
  });
}

/** A JSON file that goes into the body is passed as JSON itself. */
function jsonField(option: Option): DescribedField {
  const name = camel(option.long.replace(/-file$/, ''));
  const description = option.schema.description.replace(/, a JSON file.*|; - is standard input/, '');
  return { name, field: { kind: 'json', option }, schema: { description }, required: false };
}

function optionSchema(option: Option): JsonSchema {
  const { schema } = option;
  const { default: _told, ...facts } = jsonSchema(schema);
  const description = optionDescription(option);
  if (schema.forAgents === 'secret') return { ...facts, description: `${description}; its name ends in .secret` };
  if (schema.type === undefined) return { ...facts, type: ['string', 'integer'], description };
  // An option for a list of any values takes text; other values are passed through bodyFile.
  if (schema.type === 'array') return { ...facts, items: { type: 'string', ...jsonSchema(schema.items) }, description };
  return schema.type === 'integer' && schema.unit === 'seconds'
    ? { type: ['integer', 'string'], description }
    : { ...facts, description };
}

const organization: Option = {
  name: 'org',
  long: 'org',
  schema: { type: 'string', description: 'The organization, if not the one that is set' },
};

/** "page-size" becomes `pageSize`. */
function camel(long: string): string {
  return long.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
