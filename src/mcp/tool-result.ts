import { optionNames } from '../command/option.ts';
import { type Failure, foundExit, kinds } from '../failure.ts';
import { parseLossless } from '../text/json.ts';
import { isLongNumber, isRecord, type JsonRecord } from '../text/record.ts';
import { isSecretMember } from '../text/secret-names.ts';
import type { LineResult } from './run-line.ts';
import type { Tool } from './tools.ts';

/** The result of a tool: JSON as text, and the same as structured content. It never contains a secret. */
export type ToolResult = {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent: JsonRecord;
  readonly isError: boolean;
};

/** The answer to a command with `-o json --no-input`: its result or error, then its other messages. @param wording of the tool, for its inputs */
export async function toolResultOf({ exit, stdout, stderr }: LineResult, wording: Wording): Promise<ToolResult> {
  const lines = stderr.trimEnd().split('\n');
  const found = exit === foundExit || exit === kinds.partial.exit ? await parsedJson(stdout) : undefined;
  if (found !== undefined) {
    // If only part of the work was done, the result says more than the error; if differences were found, there is none.
    const { error } = Object((await parsedJson(lines.at(-1) ?? '')) ?? {}) as { error?: { message?: string } }; // our own format
    return toolResult(found, error ? [...lines.slice(0, -1), error.message ?? ''] : lines, false);
  }
  if (exit !== 0) {
    // The JSON error is the last line of stderr (docs/contract.md, "Exit codes and errors").
    const error = inInputs(await parsedJson(lines.pop() ?? ''), wording);
    const messages = lines.map(wording.sentence);
    return toolResult(error ?? { error: { code: 'internal', message: `iiot ended with ${exit}.` } }, messages, true);
  }
  return toolResult((await parsedJson(stdout)) ?? stdout, lines.map(wording.sentence), false);
}

/** Translates the parts of an error that mention options: its sentence, its hint, and those of its details. */
function inInputs(error: unknown, { sentence, name }: Wording): unknown {
  if (Array.isArray(error))
    return error.filter((each) => !agreeing.test(each?.option)).map((each) => inInputs(each, { sentence, name }));
  if (!isRecord(error)) return error;
  const entries = Object.entries(error).map(([member, value]) => {
    if (typeof value !== 'string') return [member, inInputs(value, { sentence, name })];
    if (member === 'option') return [member, name(value)];
    return [member, member === 'message' || member === 'hint' ? sentence(value) : value];
  });
  return Object.fromEntries(entries);
}

export function toolRefusal({ kind, message, facts: { hint = '' } }: Failure): ToolResult {
  return toolResult({ error: { code: kind, message, details: [], hint } }, [], true);
}

function toolResult(value: unknown, messages: readonly string[], isError: boolean): ToolResult {
  const safe = safeValue(value);
  const notices = messages.filter((line) => line !== '').join('\n');
  return {
    content: [
      { type: 'text', text: typeof safe === 'string' ? safe : JSON.stringify(safe) },
      ...(notices === '' ? [] : [{ type: 'text' as const, text: notices }]),
    ],
    structuredContent: structured(safe),
    isError,
  };
}

/** Structured content has to be an object, so a list goes into `items`. */
function structured(value: unknown): JsonRecord {
  if (Array.isArray(value)) return { items: value };
  if (isRecord(value)) return value;
  return typeof value === 'string' ? { text: value } : { value };
}

/** Without secrets, and with long numbers as text, because a client would round them: an ID has to come back unchanged. */
function safeValue(value: unknown): unknown {
  if (typeof value === 'bigint' || isLongNumber(value)) return String(value);
  if (Array.isArray(value)) return value.map(safeValue);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, isSecretMember(name, inner) ? '***' : safeValue(inner)]),
  );
}

/** Undefined for text that is not JSON. */
const parsedJson = (text: string): Promise<unknown> => parseLossless(text).catch(() => undefined);

type Wording = ReturnType<typeof wordingOf>;

/** Commands speak of options, tools of inputs: "--page-size" becomes "pageSize". An option that is not an input keeps its name: it is for the person;
 * one that a person's answer became has none. */
export function wordingOf({ name, command, fields, typed }: Pick<Tool, 'name' | 'command' | 'fields' | 'typed'>) {
  const names = new Map<string, string>();
  for (const [field, kind] of Object.entries(fields)) {
    if (kind.kind === 'argument') names.set(`<${field}>`, field);
    else for (const option of optionNames(kind.option)) names.set(option, field);
  }
  return {
    /** For a sentence: puts the input's name between quotes. */
    sentence: (text: string) =>
      text
        .replaceAll(`iiot ${command.name} --help`, `the input schema of ${name}`)
        .replace(insteadByForce, '')
        .replace(/\bConfirm with --confirm-profile\b.*/, 'Only the person can confirm it')
        .replace(/(?<![\w-])--[a-z][a-z0-9-]*|<\w+>/g, (word) => {
          const field = names.get(word);
          return field === undefined ? word : `"${field}"`;
        }),
    /** For a field that holds one name. */
    name: (option: string) => (option === `--${typed?.long}` ? null : (names.get(option) ?? option)),
  };
}

/** Advice that only a person may follow: "Choose another name, or --force". */
const insteadByForce = /(?:, or --force| Confirm with --yes)\b[^.;]*/g;
const agreeing = /^--(?:yes|confirm-profile)$/;
