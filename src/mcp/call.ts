import type { Groups } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { labelOf } from '../command/label.ts';
import { argumentFor } from '../command/reach.ts';
import { refuseChange } from '../command/read-only.ts';
import { asFailure, Failure } from '../failure.ts';
import { type Place, placeWords } from '../place.ts';
import { jsonWithHosts, withoutUsers } from '../text/hosts.ts';
import type { JsonRecord } from '../text/record.ts';
import { quoteForShell } from '../text/shell-lines.ts';
import { visible } from '../text/visible.ts';
import { lineForTool, type ToolLine } from './line.ts';
import { namesOfIds } from './names.ts';
import { refuseForAgents } from './refusals.ts';
import { commandWords, type LineResult, runLine } from './run-line.ts';
import { organizationWords, readToolPlace, refreshSettings, refuseMovedProfile } from './tool-place.ts';
import { type ToolResult, toolRefusal, toolResultOf, wordingOf } from './tool-result.ts';
import type { Tool } from './tools.ts';

/**
 * Asks the person who uses the client to agree, or to type what `typed` describes.
 * @returns the text typed, '' for a plain yes, undefined for a no
 */
export type Elicit = (message: string, typed: string | undefined) => Promise<string | undefined>;

type ToolCall = {
  readonly input: JsonRecord;
  readonly allowChanges: boolean;
  /** Undefined if the client cannot ask. */
  readonly elicit: Elicit | undefined;
  readonly cancelled: AbortSignal;
  /** Where the tools acted when they were first offered; undefined if no platform was set. */
  readonly startPlace: Place | undefined;
  /** All commands: lists among them tell the names of IDs. */
  readonly groups: Groups;
};

/** Runs a tool. Changes must be allowed, and the person must agree to each one through the client. Never throws an error that a command can report. */
export async function callTool(tool: Tool, call: ToolCall, context: Context): Promise<ToolResult> {
  const { command, name } = tool;
  try {
    if (command.changes && !call.allowChanges) {
      refuseChange(name, context.settings, 'The person decides what is read-only');
      const hint = 'The person may start: iiot mcp --allow-changes';
      throw new Failure('forbidden', `${name} changes something, and only reading is allowed here.`, { hint });
    }
    const line = lineForTool(tool, call.input);
    await refuseMovedProfile(call.startPlace, context);
    refuseForAgents(tool, call.input, context);
    const isDryRun = call.input.dryRun === true;
    if (isDryRun || !command.changes) {
      const output = await runLine(isDryRun ? confirmDryRun(tool, line) : line, context, call.cancelled);
      return await toolResultOf(output, wordingOf(tool));
    }
    return await changeWithConsent(tool, line, call, refreshSettings(context));
  } catch (error) {
    return toolRefusal(asFailure(error));
  }
}

/** Rehearses a change, asks the person to agree to it, and makes it. */
async function changeWithConsent(tool: Tool, line: ToolLine, call: ToolCall, context: Context): Promise<ToolResult> {
  const { elicit, cancelled } = call;
  const { profile, stored } = context.settings;
  const dryRun = confirmDryRun(tool, { ...line, options: [...line.options, '--dry-run'] });
  const rehearsed = await runLine(dryRun, context, cancelled);
  // Nobody is asked to agree to a change that would be refused at once.
  if (rehearsed.exit !== 0) return toolResultOf(rehearsed, wordingOf(tool));
  if (!elicit) throw personNeededFailure(tool, line, context);
  const { typed } = tool;
  const askedPlace = await readToolPlace(context);
  const question = await questionFor(tool, line, call, askedPlace, rehearsed, context);
  // The first clause of the option's description is enough as the label of a form.
  const answer = await elicit(question, typed?.schema.description.replace(/[,;].*/, ''));
  if (answer === undefined || (typed && answer === ''))
    throw new Failure('interrupted', 'Nothing was changed.', { hint: 'The person said no' });
  await refuseMovedProfile(askedPlace, context);
  const options = [...line.options, '--yes', ...(typed ? [`--${typed.long}=${answer}`] : [])];
  if (stored.protected) options.push(`--confirm-profile=${profile.value}`);
  return toolResultOf(await runLine({ ...line, options }, context, cancelled), wordingOf(tool));
}

/** The failure of a change that needs a person, whom the client cannot ask. It shows the command to run instead. */
function personNeededFailure({ name }: Tool, line: ToolLine, context: Context): Failure {
  const hint =
    line.stdin === undefined
      ? `The person may run: ${shownLine(line, context)}`
      : `The person may write the JSON to a file, and run: ${shownLine(withBodyFile(line), context)}`;
  return new Failure('forbidden', `${name} needs the agreement of the person, whom this client cannot ask.`, { hint });
}

/** The question before a change, by lines: the change, where it happens, what the dry run warned of, the names of its IDs, the command. */
async function questionFor(
  { command, fields }: Tool,
  line: ToolLine,
  { input, groups }: ToolCall,
  place: Place,
  rehearsed: LineResult,
  context: Context,
): Promise<string> {
  const { profile, stored } = context.settings;
  const warnings = command.changes?.undoable === false ? ['This cannot be undone.'] : [];
  const label = await labelOf(context);
  const [orgField = 'org'] = argumentFor(command, 'org') ?? [];
  const org = Object.hasOwn(fields, orgField) ? String(input[orgField] ?? place.org) : undefined;
  const profileWords = `Profile ${profile.value}${stored.protected ? ' (protected)' : ''}`;
  const { replaces, notes = [] } = JSON.parse(rehearsed.stdout) as { replaces?: unknown; notes?: readonly string[] }; // our own format
  const replacedNotes = replaces === undefined ? [] : notes.map((note) => visible(note, 'escape'));
  const options = { ...context.options, ...(org !== undefined && { org }) };
  return [
    [label?.text, `${command.summary}?`, ...warnings].filter(Boolean).join(' '),
    visible(`${profileWords}: ${placeWords(place)}${organizationWords(org)}`, 'escape'),
    ...rehearsed.stderr.split('\n').filter((note) => note !== ''),
    ...replacedNotes,
    ...(await namesOfIds(input, refreshSettings({ ...context, options }), groups)),
    withoutUsers(shownLine(line, context)),
  ].join('\n');
}

/** Replaces the JSON of standard input by a file to write, so that no secret of the body gets into the history of a shell. */
function withBodyFile({ stdin: _stdin, ...line }: ToolLine): ToolLine {
  return { ...line, options: line.options.map((word) => word.replace(/(?<=^--[\w-]+=)-$/, 'FILE')) };
}

/** The command as a person would type it, on one line, without the options that only set its output. */
function shownLine(line: ToolLine, context: Context): string {
  const words = ['iiot', ...commandWords(line, context)].map((word) => quoteForShell(word)).join(' ');
  const input = line.stdin === undefined ? '' : `printf %s ${quoteForShell(jsonWithHosts(line.stdin))} | `;
  return visible(input + words, 'escape');
}

/** Adds the typed confirmation to a dry run, where any text confirms: nothing is sent. */
function confirmDryRun({ typed }: Tool, line: ToolLine): ToolLine {
  return typed ? { ...line, options: [...line.options, `--${typed.long}=…`] } : line;
}
