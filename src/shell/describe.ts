import { type Command, type Groups, ownOptions } from '../command/command.ts';
import { dryRunOfEachSchema, dryRunSchema } from '../command/dry-run-schema.ts';
import { globalOptions } from '../command/global-options.ts';
import type { Argument, Option } from '../command/option.ts';
import { globalOptionsOf } from '../command/reach.ts';
import { summarySchema } from '../command/row-flags.ts';
import type { JsonRecord } from '../text/record.ts';
import { version } from '../version.ts';
import { everyExitCode, exitCodesOf } from './exit-codes.ts';
import { type JsonSchema, jsonSchema } from './json-schema.ts';
import { isRequired, takesFile, usageLine } from './option-facts.ts';
import { topics } from './topics.ts';
import { aliasOf, type Branch } from './tree.ts';

/** The whole tool without its commands, as data: `iiot help -o json`. */
export function describeTool(groups: Groups): JsonRecord {
  return {
    name: 'iiot',
    version,
    summary: 'Administer an industrial IoT platform',
    usage: 'iiot COMMAND [OPTIONS]',
    options: globalOptions.map((option) => describeOption(option)),
    exitCodes: everyExitCode(),
    topics: topics.map(({ name, summary }) => ({ name, summary })),
    commands: groups.map(({ name, summary }) => ({ name, summary })),
  };
}

/** A group or a command as data, with everything below it in `commands`. @param withGlobal also lists the global options that a command takes */
export function describeBranch(branch: Branch, withGlobal = false): JsonRecord {
  const { name, summary, command, branches } = branch;
  const dryRun = command?.changes?.dryRun;
  const below = branches.length === 0 ? {} : { commands: branches.map((each) => describeBranch(each, withGlobal)) };
  if (!command) return { name, summary, usage: `iiot ${name} COMMAND [OPTIONS]`, ...below };
  const alias = aliasOf(branch);
  return {
    name,
    summary: command.summary,
    description: command.description,
    usage: usageLine(command),
    aliases: alias === undefined ? [] : [name.replace(/\S+$/, alias)],
    arguments: Object.entries(command.arguments).map(([each, argument]) => describeArgument(each, argument)),
    options: [
      ...ownOptions(command).map((option) => describeOption(option, command)),
      ...(withGlobal ? globalOptionsOf(command) : []).map((option) => ({ ...describeOption(option), global: true })),
    ],
    examples: Object.entries(command.examples).map(([line, summary]) => ({ line, summary })),
    exitCodes: exitCodesOf(command),
    changes: command.changes !== undefined,
    undoable: command.changes?.undoable ?? null,
    result: resultSchema(command),
    ...(ownOptions(command).some(({ name }) => name === 'dryRun') && {
      dryRunResult: jsonSchema(typeof dryRun === 'object' ? dryRun : dryRunSchema),
    }),
    ...(command.rows && { rowsResult: jsonSchema(summarySchema), rowsDryRunResult: jsonSchema(dryRunOfEachSchema) }),
    ...below,
  };
}

/** The schema of a command's JSON output. If the interface documents no response, only what was done is known. */
function resultSchema({ operation, result, changes }: Command): JsonSchema {
  const known = result ?? operation?.responseSchema;
  if (known) return jsonSchema(known);
  const description = changes
    ? "The platform's record if it returns one, otherwise what was done"
    : 'What the command found';
  return { type: 'object', description };
}

function describeArgument(name: string, argument: Argument): JsonRecord {
  const { optional = false, repeated = false, value, description, ...rest } = argument;
  return {
    name,
    ...(value !== undefined && { value }),
    description,
    required: !optional,
    repeatable: repeated,
    ...jsonSchema({ ...rest, description }),
  };
}

function describeOption(option: Option, command?: Command): JsonRecord {
  const { long, schema, path } = option;
  const { items, additionalProperties, type = ['string', 'integer'], ...words } = jsonSchema(schema);
  return {
    name: long,
    long: `--${long}`,
    ...(schema.short && { short: `-${schema.short}` }),
    ...(schema.type === 'boolean' && schema.negative && { negative: `--${schema.negative}` }),
    type,
    ...elementOf(items ?? additionalProperties),
    ...words,
    ...(schema.value !== undefined && { value: schema.value }),
    ...(takesFile(schema) && { file: true }),
    repeatable: schema.type === 'array' || schema.type === 'object',
    required: command !== undefined && isRequired(command, option),
    ...(path && { field: path.join('.') }),
  };
}

/** The facts of an option's elements. Their possible values are those of the option. */
function elementOf(element: unknown): JsonRecord {
  if (typeof element !== 'object' || element === null) return {};
  const { enum: values } = element as { readonly enum?: readonly string[] }; // a schema made by jsonSchema
  // An option for a list of any values accepts text.
  return { items: { type: 'string', ...element }, ...(values && { enum: values }) };
}
