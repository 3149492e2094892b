import { Readable, Writable } from 'node:stream';
import type { Groups } from '../command/command.ts';
import type { Context, World } from '../command/context.ts';
import { labelOf } from '../command/label.ts';
import { placeOf } from '../command/place.ts';
import { argumentFor } from '../command/reach.ts';
import { refuseChange } from '../command/read-only.ts';
import { readSettings } from '../command/settings.ts';
import { asFailure, Failure, usage } from '../failure.ts';
import { isBelow } from '../files/trust.ts';
import { type Place, placeWords, sameLogin } from '../place.ts';
import { onAbort } from '../text/abort.ts';
import { jsonWithHosts, withoutUsers } from '../text/hosts.ts';
import type { JsonRecord } from '../text/record.ts';
import { quoteForShell } from '../text/shell-lines.ts';
import { visible } from '../text/visible.ts';
import { lineForTool, type ToolLine } from './line.ts';
import { namesOfIds } from './names.ts';
import { type LineResult, type ToolResult, toolRefusal, toolResultOf, wordingOf } from './tool-result.ts';
import type { Tool } from './tools.ts';

/** Asks the user of the client to agree, or to type what `typed` describes. @returns what was typed, '' for a plain yes, undefined for a no; undefined as a whole if the client cannot ask */
export type Elicit = ((message: string, typed: string | undefined) => Promise<string | undefined>) | undefined;

type ToolCall = {
  readonly input: JsonRecord;
  readonly allowChanges: boolean;
  readonly elicit: Elicit;
  readonly cancelled: AbortSignal;
  /** Where the tools act, as it was when they were first offered; undefined if there was no platform. */
  readonly began: Place | undefined;
  /** All commands: lists among them tell the names of IDs. */
  readonly groups: Groups;
};

/** Runs a tool. A change has to be allowed, and agreed to by the user through the client. Never throws for an error that a command can report. */
export async function callTool(tool: Tool, call: ToolCall, context: Context): Promise<ToolResult> {
  const { command, name } = tool;
  try {
    if (command.changes && !call.allowChanges) {
      refuseChange(name, context.settings, 'The person decides what is read-only');
      const hint = 'The person may start: iiot mcp --allow-changes';
      throw new Failure('forbidden', `${name} changes something, and only reading is allowed here.`, { hint });
    }
    const line = lineForTool(tool, call.input);
    await refuseMoved(call.began, context);
    refusePathElsewhere(tool, call.input);
    refuseSecretWithoutPlace(tool, call.input);
    refuseRunnableFile(call.input);
    refuseProfileInUse(call.input, context);
    const isDryRun = call.input.dryRun === true;
    if (isDryRun || !command.changes) {
      const output = await runLine(asDryRun(tool, line, isDryRun), context, call.cancelled);
      return await toolResultOf(output, wordingOf(tool));
    }
    return await callChange(tool, line, call, contextNow(context));
  } catch (error) {
    return toolRefusal(asFailure(error));
  }
}

async function callChange(
  tool: Tool,
  line: ToolLine,
  { elicit, cancelled, input, groups }: ToolCall,
  context: Context,
): Promise<ToolResult> {
  const { profile, stored } = context.settings;
  const warnings = tool.command.changes?.undoable === false ? ['This cannot be undone.'] : [];
  const rehearsal = { ...line, options: [...line.options, '--dry-run'] };
  const rehearsed = await runLine(asDryRun(tool, rehearsal, true), context, cancelled);
  // A person is not asked for what would be refused at once.
  if (rehearsed.exit !== 0) return toolResultOf(rehearsed, wordingOf(tool));
  if (!elicit) {
    const hint =
      line.stdin === undefined
        ? `The person may run: ${shownLine(line, context)}`
        : `The person may write the JSON to a file, and run: ${shownLine(fromFile(line), context)}`;
    const sentence = `${tool.name} needs the agreement of the person, whom this client cannot ask.`;
    throw new Failure('forbidden', sentence, { hint });
  }
  const { typed } = tool;
  const label = await labelOf(context);
  const question = [label?.text, `${tool.command.summary}?`, ...warnings].filter(Boolean).join(' ');
  const here = await placeOfTools(context);
  const [field = 'org'] = argumentFor(tool.command, 'org') ?? [];
  const org = Object.hasOwn(tool.fields, field) ? String(input[field] ?? here.org) : undefined;
  const which = `Profile ${profile.value}${stored.protected ? ' (protected)' : ''}`;
  const place = visible(`${which}: ${placeWords(here)}${organizationWords(org)}`, 'escape');
  // What the dry run says of the values, and of the whole that it replaces.
  const { replaces, notes = [] } = JSON.parse(rehearsed.stdout) as { replaces?: unknown; notes?: readonly string[] }; // our own format
  const losses = replaces === undefined ? [] : notes.map((note) => visible(note, 'escape'));
  const doubts = rehearsed.stderr.split('\n').filter((note) => note !== '');
  const options = { ...context.options, ...(org !== undefined && { org }) };
  const names = await namesOfIds(input, contextNow({ ...context, options }), groups);
  const answer = await elicit(
    [question, place, ...doubts, ...losses, ...names, withoutUsers(shownLine(line, context))].join('\n'),
    typed?.schema.description.replace(/[,;].*/, ''),
  );
  if (answer === undefined || (typed && answer === ''))
    throw new Failure('interrupted', 'Nothing was changed.', { hint: 'The person said no' });
  await refuseMoved(here, context);
  const agreed = [...line.options, '--yes', ...(typed ? [`--${typed.long}=${answer}`] : [])];
  if (stored.protected) agreed.push(`--confirm-profile=${profile.value}`);
  return toolResultOf(await runLine({ ...line, options: agreed }, context, cancelled), wordingOf(tool));
}

function organizationWords(org: string | undefined): string {
  return org === undefined ? '' : `, organization ${org}`;
}

/** Where the tools act now. @throws Failure if that is nowhere */
export async function placeOfTools(context: Context): Promise<Place> {
  const now = contextNow(context);
  return placeOf(now, now.settings.resolved.org?.value);
}

/** With the settings of the profile as it is now: it may have been changed since. @throws Failure if they cannot be used */
function contextNow(context: Context): Context {
  const { options, settings: atStart, store, world } = context;
  const settings = readSettings({ ...options, profile: atStart.profile.value }, world.env, () => store.readConfig());
  return { ...context, settings };
}

/** Refuses if the profile acts in another place than when the tools were offered: nobody has agreed to that one. */
async function refuseMoved(began: Place | undefined, context: Context): Promise<void> {
  if (!began) return;
  const now = await placeOfTools(context);
  const isSameOrg = began.org === undefined || began.org === now.org;
  if (sameLogin(began, now) !== 'other' && isSameOrg) return;
  const was = placeWords(began, now) + organizationWords(began.org);
  const is = placeWords(now, began) + organizationWords(now.org);
  const sentence = `Profile ${context.settings.profile.value} was at ${was} when the tools were offered; now it is at ${is}.`;
  throw usage(sentence, 'The person may start iiot mcp again');
}

/** The same with a file of the person's own, so that no secret of the body gets into the history of a shell. */
function fromFile({ stdin: _stdin, ...line }: ToolLine): ToolLine {
  return { ...line, options: line.options.map((word) => word.replace(/(?<=^--[\w-]+=)-$/, 'FILE')) };
}

/** The command that is about to run, on one line as a user would type it; without the options that only set its output. */
function shownLine(line: ToolLine, context: Context): string {
  const words = ['iiot', ...commandWords(line, context)].map((word) => quoteForShell(word)).join(' ');
  const input = line.stdin === undefined ? '' : `printf %s ${quoteForShell(jsonWithHosts(line.stdin))} | `;
  return visible(input + words, 'escape');
}

/** The line of a dry run, which sends nothing: any text confirms it. */
function asDryRun({ typed }: Tool, line: ToolLine, isDryRun: boolean): ToolLine {
  return typed && isDryRun ? { ...line, options: [...line.options, `--${typed.long}=…`] } : line;
}

/** Keeps paths below the folder of the start, and does not tell what exists elsewhere: an agent may send on whatever it reads. */
function refusePathElsewhere({ command, name }: Tool, input: JsonRecord): void {
  const field = Object.keys(command.arguments).find((each) => {
    const value = input[each];
    return command.arguments[each]?.isPath && typeof value === 'string' && !isBelow('.', value);
  });
  if (field === undefined) return;
  const hint = `Give "${field}" a path in that folder`;
  throw new Failure('forbidden', `${name} reads only below the folder that iiot mcp was started in.`, { hint });
}

/** The platform shows a new secret only once, in the response to its creation, so it needs a place to go that is not this conversation. */
function refuseSecretWithoutPlace({ command, name, fields }: Tool, input: JsonRecord): void {
  const places = ['secretFile', 'saveProfile'].filter((place) => Object.hasOwn(fields, place));
  if (places.length === 0 || !command.changes?.adds || input.dryRun === true) return;
  if (places.some((place) => typeof input[place] === 'string')) return;
  throw usage(`${name} does not show the secret: it must go to a file or a profile.`, `Give ${places.join(' or ')}`);
}

/** The platform chooses the content of the file, and a text that the agent has read perhaps its name: they must not become a script such as ~/.bash_profile. */
function refuseRunnableFile({ secretFile }: JsonRecord): void {
  if (typeof secretFile !== 'string' || /^\P{Cc}*[^\\/\p{Cc}]\.secret$/iu.test(secretFile)) return;
  const hint = 'Give "secretFile" a name that ends in .secret';
  throw usage(`${secretFile} is not a name for a secret file.`, hint);
}

/** A tool may create a profile, but not change the user's, nor create one that is used where none is named: they decide where commands go, and as whom. */
function refuseProfileInUse({ saveProfile }: JsonRecord, { store, settings, world }: Context): void {
  if (typeof saveProfile !== 'string') return;
  const { profiles, current } = store.readConfig();
  const isThere = Object.hasOwn(profiles, saveProfile) || store.readLogin(saveProfile) !== undefined;
  const isUsed = [settings.profile.value, world.env.IIOT_PROFILE, current, 'default'].includes(saveProfile);
  if (!isThere && !isUsed) return;
  const reason = isThere
    ? `Profile ${saveProfile} already exists.`
    : `Profile ${saveProfile} is used where none is named, so the person sets it up.`;
  throw usage(reason, 'Give "saveProfile" a new name');
}

/** The largest answer, in bytes: an agent reads all of it. */
const largestAnswer = 1024 * 1024;

/** Runs one command line in this process, without prompts and with its streams in memory. @param cancelled ends it */
export async function runLine(line: ToolLine, context: Context, cancelled: AbortSignal): Promise<LineResult> {
  const stdout = capture(largestAnswer);
  const stderr = capture(largestAnswer);
  const { world } = context;
  const { IIOT_OUTPUT: _shape, FORCE_COLOR: _color, ...env } = world.env;
  const stop = new AbortController();
  const stopListening = [
    onAbort(world.interrupt, () => stop.abort(world.interrupt.reason)),
    onAbort(cancelled, () => stop.abort(new Failure('interrupted', 'The client has cancelled it.'))),
  ];
  // A spread would read `stdin`, and reading it opens standard input.
  const innerWorld: World = Object.create(world, {
    env: { value: { ...env, IIOT_NO_INPUT: '1' } },
    stdin: { value: Readable.from(line.stdin === undefined ? [] : [Buffer.from(line.stdin)]) },
    stdout: { value: stdout.stream },
    stderr: { value: stderr.stream },
    interrupt: { value: stop.signal },
  });
  const exit = await context
    .run(commandWords(line, context, ['--output=json', '--no-input']), innerWorld)
    .finally(() => {
      for (const end of stopListening) end();
    });
  if (!stdout.isWhole()) {
    const error = {
      error: { code: 'usage', message: 'The result is larger than 1 MiB.', hint: 'Ask for less: limit, skip, name' },
    };
    return { exit: 2, stdout: '', stderr: JSON.stringify(error) };
  }
  return { exit, stdout: stdout.text(), stderr: stderr.text() };
}

/** The words of the command line to run. @param more options that the agent does not choose */
export function commandWords(line: ToolLine, context: Context, more: readonly string[] = []): string[] {
  const { words, options, positional } = line;
  // After "--" nothing is an option.
  const operands = positional.length > 0 ? ['--', ...positional] : [];
  return [...words, ...inherited(context, line), ...options, ...more, ...operands];
}

/** The options that `iiot mcp` itself was started with apply to every tool that takes them, and so does the profile of its start. */
function inherited({ options, settings }: Context, { options: given, global }: ToolLine): string[] {
  const ours = { ...options, profile: settings.profile.value };
  return global.flatMap(({ name, long }) => {
    const value = inheritedOptions.has(name) ? ours[name as keyof typeof ours] : undefined; // its names are those of options
    if (value === true) return [`--${long}`];
    return value === undefined || given.some((word) => word.startsWith(`--${long}=`)) ? [] : [`--${long}=${value}`];
  });
}

const inheritedOptions = new Set(
  'profile baseUrl org requestTimeout retries caFile clientCert clientKey readOnly'.split(' '),
);

function capture(most: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  const stream = new Writable({
    write(chunk, _encoding, done) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size <= most) chunks.push(bytes);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8'), isWhole: () => size <= most };
}
