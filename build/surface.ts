/**
 * The surface that scripts rely on, as data: docs/internals/surface.json. It has names, kinds, values and limits, but no texts, which can change at any
 * time (docs/contract.md).
 */
import { readFileSync } from 'node:fs';
import type { Groups } from '../src/command/command.ts';
import { dryRunOfEachSchema } from '../src/command/dry-run-schema.ts';
import { summarySchema } from '../src/command/row-flags.ts';
import { kinds } from '../src/failure.ts';
import { everyTool } from '../src/mcp/tools.ts';
import { describeBranch, describeTool } from '../src/shell/describe.ts';
import { everyExitCode } from '../src/shell/exit-codes.ts';
import { jsonSchema } from '../src/shell/json-schema.ts';
import { files, topics, variables } from '../src/shell/topics.ts';
import { type Branch, flatten } from '../src/shell/tree.ts';
import { changeable } from '../src/working-copy/template.ts';

type Named = { readonly long: string; readonly topic?: string };
type Facts = Readonly<Record<string, unknown>>;

export async function surface(groups: Groups, branches: readonly Branch[], version: string): Promise<Facts> {
  const { options } = describeTool(groups) as { readonly options: readonly Named[] }; // made of the global options
  const all = branches.flatMap(flatten).filter(({ command }) => command !== undefined);
  const rowOptions: Record<string, unknown> = {};
  const commands = Object.fromEntries(all.map((branch) => [branch.name, commandSurface(branch, rowOptions)]));
  return {
    version,
    options: byName(options),
    commands,
    exitCodes: byCode(everyExitCode()),
    rows: {
      options: rowOptions,
      result: bare(jsonSchema(summarySchema)),
      dryRun: bare(jsonSchema(dryRunOfEachSchema)),
    },
    errorCodes: Object.keys(kinds),
    variables: variables.flatMap(([names]) => names.replace(/=\w+/g, '').split(', ')),
    files: files.map(([name]) => name),
    topics: topics.map(({ name }) => name),
    templateFields: ['templateId', ...changeable],
    tools: Object.fromEntries((await everyTool(groups)).map(({ name, fields }) => [name, Object.keys(fields)])),
    exports: Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).exports),
  };
}

/** The surface of a command. @param shared gets the options for rows, which are listed once; the command only names the ones that it has */
function commandSurface(branch: Branch, shared: Record<string, unknown>): Facts {
  const { command } = branch;
  // Commands below have entries of their own.
  const facts = describeBranch({ ...branch, branches: [] }) as Facts & {
    readonly aliases: readonly string[];
    readonly arguments: readonly { readonly name: string }[];
    readonly options: readonly Named[];
    readonly exitCodes: ReturnType<typeof everyExitCode>;
  }; // made of a command
  const args = facts.arguments.map((each) => ({ name: each.name, ...(bare(each) as Facts) })); // an object stays one
  const { aliases, options, exitCodes, result, dryRunResult, changes, undoable } = facts;
  const isShared = ({ long, topic, ...option }: Named) => {
    if (topic !== 'rows') return false;
    shared[long] ??= bare(option);
    return JSON.stringify(shared[long]) === JSON.stringify(bare(option));
  };
  const inRows = options.filter(isShared).map(({ long }) => long);
  const own = options.filter(({ long }) => !inRows.includes(long));
  return {
    ...(aliases.length > 0 && { aliases }),
    ...(command?.shell.keys && { keys: Object.keys(command.shell.keys) }),
    ...{ changes, undoable, arguments: args, options: byName(own) },
    ...(inRows.length > 0 && { rowOptions: inRows }),
    exitCodes: byCode(exitCodes),
    result: bare(result),
    ...(dryRunResult !== undefined && { dryRunResult: bare(dryRunResult) }),
  };
}

function byName(options: readonly Named[]): Facts {
  return Object.fromEntries(options.map((option) => [option.long, bare(option)]));
}

function byCode(codes: ReturnType<typeof everyExitCode>): readonly string[] {
  return codes.map(({ code, error }) => (error === null ? String(code) : `${code} ${error}`));
}

const words = ['name', 'long', 'value', 'field', 'description', 'title', 'examples'];

/** A value without texts and without members that are false. @param hasOwnNames the keys are names of properties, and all stay */
function bare(value: unknown, hasOwnNames = false): unknown {
  if (Array.isArray(value)) return value.map((each) => bare(each));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key, each]) => hasOwnNames || (!words.includes(key) && each !== false));
  return Object.fromEntries(kept.map(([key, each]) => [key, bare(each, key === 'properties' && !hasOwnNames)]));
}

/** The text of docs/internals/surface.json. A value that fits gets one line, so that each difference is a line of an option, a field or a value. */
export function surfaceText(value: unknown, indent = ''): string {
  const line = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length <= widest) return line;
  const deeper = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((each) => surfaceText(each, deeper))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${surfaceText(each, deeper)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${parts.map((part) => deeper + part).join(',\n')}\n${indent}${close}`;
}

const widest = 160;
