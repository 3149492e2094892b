import { usage } from '../failure.ts';
import { escapeUnsafe } from '../text/json-write.ts';
import { visible } from '../text/visible.ts';

type JqResult = {
  /** The values of the expression, each as JSON on one line. */
  readonly values: readonly string[];
  /** Its messages (from `debug`, `stderr`), one per line. */
  readonly remarks: readonly string[];
};

const manual = 'The language is described at https://jqlang.org/manual.';

/** Parses a jq expression without running it. A syntax error is a usage failure with jq's message. */
export async function checkExpression(expression: string): Promise<void> {
  const { exitCode, stderr } = await run(expression, '');
  if (exitCode !== 0) throw refused('jq cannot read the expression', stderr);
}

/**
 * Runs a jq expression over one JSON text. It cannot access files or the environment. An error is a usage failure with jq's message, whatever it
 * returned before.
 */
export async function runJq(expression: string, json: string): Promise<JqResult> {
  const { exitCode, stdout, stderr } = await run(expression, json);
  if (exitCode !== 0) throw refused('The command was carried out, but jq failed on its result', stderr);
  return { values: linesOf(escapeUnsafe(stdout)), remarks: linesOf(stderr) };
}

async function run(expression: string, json: string) {
  const { loadJq } = await import('jq-wasm/inline');
  const jq = await loadJq();
  try {
    return jq.raw(json, expression, ['--compact-output', '--']);
  } catch (fault) {
    // jq reports its own errors, but an endless recursion crashes its WebAssembly instance.
    throw usage('jq gave up on the expression: it needs too much memory.', manual, [
      { option: '--jq', message: String(fault) },
    ]);
  }
}

function refused(sentence: string, stderr: string) {
  const words = (linesOf(stderr)[0] ?? 'no reason given')
    .replace(/^jq: (?:error|parse error)(?: \(at [^)]*\))?:? ?/, '')
    .replace(/(?:: *)?$/, '')
    .replace(' at <top-level>, line ', ' at line ');
  const message = visible(words);
  return usage(`${sentence}: ${message}.`, manual, [{ option: '--jq', message }]);
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}
