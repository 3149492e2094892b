import { parseJson } from '../http/json.ts';

/** What a tool answers: JSON as text, and the same as a structure. No secret is ever part of it. */
export type Answer = {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
};

/** What one command line has written, and its exit code. */
export type Ran = { readonly exit: number; readonly stdout: string; readonly stderr: string };

const secretNames = /^(client_?secret|access_?token|refresh_?token|id_?token|password)$/i;
const hidden = '***';

/** The answer of a command that has run with `-o json --no-input`: its result, or its error. What it said beside comes after it. */
export async function answerOf({ exit, stdout, stderr }: Ran): Promise<Answer> {
  const lines = stderr.trimEnd().split('\n');
  if (exit !== 0) {
    // The JSON error is the last line of stderr (section 9 of the command line's contract).
    const error = await parsed(lines.pop() ?? '');
    return answer(error ?? { error: { code: 'internal', message: `iiot ended with ${exit}.` } }, lines, true);
  }
  return answer((await parsed(stdout)) ?? stdout, lines, false);
}

/** A refusal in the form of every error. */
export function refusal(code: string, message: string, hint: string): Answer {
  return answer({ error: { code, message, details: [], hint } }, [], true);
}

function answer(value: unknown, said: readonly string[], isError: boolean): Answer {
  const safe = tellable(value);
  const notices = said.filter((line) => line !== '').join('\n');
  return {
    content: [
      { type: 'text', text: typeof safe === 'string' ? safe : JSON.stringify(safe) },
      ...(notices === '' ? [] : [{ type: 'text' as const, text: notices }]),
    ],
    structuredContent: structured(safe),
    isError,
  };
}

/** Structured content is an object: a list stands in `items`. */
function structured(value: unknown): Readonly<Record<string, unknown>> {
  if (Array.isArray(value)) return { items: value };
  if (isRecord(value)) return value;
  return typeof value === 'string' ? { text: value } : { value };
}

/** Without secrets, and with numbers that a client would round as texts: an id has to come back as it was. */
function tellable(value: unknown): unknown {
  if (typeof value === 'bigint' || isLongNumber(value)) return String(value);
  if (Array.isArray(value)) return value.map(tellable);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, secretNames.test(name) ? hidden : tellable(inner)]),
  );
}

/** Numbers that keep their digits are objects of another kind than those of JSON. */
function isLongNumber(value: unknown): boolean {
  return isRecord(value) && Object.getPrototypeOf(value) !== Object.prototype;
}

async function parsed(text: string): Promise<unknown> {
  try {
    return await parseJson(text);
  } catch {
    return undefined; // text, or nothing
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
