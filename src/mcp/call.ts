import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { type Answer, answerOf, refusal } from './answer.ts';
import { type Line, lineOf, type ToolInput } from './line.ts';
import { runLine } from './run.ts';
import type { Tool } from './tools.ts';

/** How the person behind the client is asked; undefined where the client cannot. */
export type Asking = ((question: Question) => Promise<Agreement>) | undefined;

/** `typed`: what the person has to type, where agreeing is not enough. */
export type Question = { readonly message: string; readonly typed?: string };
export type Agreement = { readonly agreed: boolean; readonly typed?: string };

export type Call = {
  readonly input: ToolInput;
  readonly allowChanges: boolean;
  readonly asking: Asking;
  readonly cancelled: AbortSignal;
};

/**
 * Runs a tool. What changes something is refused unless it was allowed; what cannot be undone also waits for the person's agreement,
 * and is refused where the client cannot ask. Never throws for what a command can answer.
 */
export async function callTool(tool: Tool, call: Call, context: Context): Promise<Answer> {
  const { command, name } = tool;
  if (command.changes && !call.allowChanges) {
    return refusal(
      'forbidden',
      `${name} changes something, and only reading is allowed here.`,
      'The person may start: iiot mcp --allow-changes',
    );
  }
  try {
    const line = lineOf(tool, call.input);
    const unsafe = secretWithoutPlace(tool, call.input);
    if (unsafe) return unsafe;
    const isRehearsal = call.input.dryRun === true;
    if (command.changes !== 'final' || isRehearsal) {
      return await answerOf(await runLine(rehearsed(tool, line, isRehearsal), context, false, call.cancelled));
    }
    return await callFinal(tool, line, call, context);
  } catch (error) {
    if (error instanceof Failure) return refusal(error.kind, error.message, error.facts.hint ?? '');
    throw error;
  }
}

async function callFinal(tool: Tool, line: Line, { asking, cancelled }: Call, context: Context): Promise<Answer> {
  const shown = ['iiot', ...line.words, ...line.options, ...line.positional].map(quoted).join(' ');
  if (!asking) {
    return refusal(
      'forbidden',
      `${tool.name} cannot be undone, and this client cannot ask the person.`,
      `The person may run: ${shown}`,
    );
  }
  const { typed } = tool;
  const { agreed, typed: answer } = await asking({
    message: `${tool.command.summary}? This cannot be undone.\n${shown}`,
    ...(typed && { typed: typed.schema.description.replace(/[,;].*/, '') }),
  });
  if (!agreed || (typed && !answer)) return refusal('interrupted', 'Nothing was changed.', 'The person said no');
  const options = typed ? [...line.options, `--${typed.long}=${answer}`] : line.options;
  return answerOf(await runLine({ ...line, options }, context, true, cancelled));
}

/** A rehearsal sends nothing, so that any name will do. */
function rehearsed({ typed }: Tool, line: Line, isRehearsal: boolean): Line {
  return typed && isRehearsal ? { ...line, options: [...line.options, `--${typed.long}=…`] } : line;
}

/** The interface shows a secret once, in the answer to its creation: it has to have a place that is not this conversation. */
function secretWithoutPlace({ command, name, fields }: Tool, input: ToolInput): Answer | undefined {
  if (command.name !== 'credentials create' || input.dryRun === true) return undefined;
  const places = ['secretFile', 'saveProfile'].filter((place) => Object.hasOwn(fields, place));
  if (places.some((place) => typeof input[place] === 'string')) return undefined;
  return refusal(
    'usage',
    `${name} shows no secret: it has to go to a file or a profile.`,
    `Give ${places.join(' or ')}`,
  );
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
