import { usage } from '../failure.ts';
import { escapeUnsafe } from '../text/json-write.ts';
import { visible } from '../text/visible.ts';

const manual = 'The language is described at https://jqlang.org/manual.';

/** Parses a jq expression without running it. A syntax error is a usage failure with jq's message. */
export async function checkExpression(expression: string): Promise<void> {
  const { exitCode, stderr } = await runExpression(expression, '');
  if (exitCode !== 0) throw jqFailure('jq cannot read the expression', stderr);
}

/** A jq expression that has the variables of the environment, without secrets, in `env` and `$ENV`. jq itself gets no variables. */
export function withEnvironment(expression: string, env: Readonly<Record<string, string | undefined>>): string {
  if (!/\benv\b|\$ENV\b/.test(expression)) return expression;
  const safe = Object.entries(env).filter(([name, value = '']) => !secretName.test(name) && !secretValue.test(value));
  return `${escapeUnsafe(JSON.stringify(Object.fromEntries(safe)))} as $ENV | def env: $ENV; ${expression}`;
}

const secretName = /(token|secret|pass(word|phrase|wd)?|key|credentials?)$/i;
const secretValue = /:\/\/[^/\s]*@/;

type JqOutput = { readonly values: readonly string[]; readonly remarks: readonly string[] };

/** Runs a jq expression on a JSON text, and returns its values, a line of JSON each, and its messages (`debug`, `stderr`). @throws usage with jq's words */
export async function runJq(expression: string, json: string): Promise<JqOutput> {
  const { exitCode, stdout, stderr } = await runExpression(expression, json);
  if (exitCode !== 0) throw jqFailure('jq failed on the result', stderr);
  return { values: splitLines(escapeUnsafe(stdout)), remarks: splitLines(stderr) };
}

async function runExpression(expression: string, json: string) {
  const { loadJq } = await import('jq-wasm/inline');
  const jq = await loadJq();
  try {
    return runWithDefaultSignals(() => jq.raw(json, expression, ['--compact-output', '--']));
  } catch (fault) {
    // jq reports its own errors, but an endless recursion crashes its WebAssembly instance.
    throw usage('jq gave up on the expression: it needs too much memory.', manual, [
      { option: '--jq', message: String(fault) },
    ]);
  }
}

/** Runs jq, during which a signal ends the process as it does by default: jq may never end, and handlers of signals cannot run meanwhile. */
function runWithDefaultSignals<T>(act: () => T): T {
  const handlers = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => {
    const held = process.rawListeners(signal) as NodeJS.SignalsListener[];
    process.removeAllListeners(signal);
    return { signal, held };
  });
  try {
    return act();
  } finally {
    for (const { signal, held } of handlers) for (const each of held) process.on(signal, each);
  }
}

function jqFailure(sentence: string, stderr: string) {
  const words = (splitLines(stderr)[0] ?? 'no reason given')
    .replace(/^jq: (?:error|parse error)(?: \(at [^)]*\))?:? ?/, '')
    .replace(/(?:: *)?$/, '')
    .replace(' at <top-level>, line ', ' at line ');
  const message = visible(words);
  return usage(`${sentence}: ${message}.`, manual, [{ option: '--jq', message }]);
}

function splitLines(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}
