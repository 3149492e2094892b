import { usage } from '../failure.ts';
import { escapeUnsafe } from '../text/json-write.ts';
import { visible } from '../text/visible.ts';

type JqResult = {
  /** What the expression gave, each value as JSON on one line. */
  readonly values: readonly string[];
  /** What it said on the side (`debug`, `stderr`), a line each. */
  readonly remarks: readonly string[];
};

const manual = 'The language is described at https://jqlang.org/manual.';

/** Reads a jq expression without running it; one that jq cannot read is a usage failure in jq's words. */
export async function checkExpression(expression: string): Promise<void> {
  const { exitCode, stderr } = await run(expression, '');
  if (exitCode !== 0) throw refused('jq cannot read the expression', stderr);
}

/**
 * Runs a jq expression over one JSON text. It sees neither this machine's files nor its environment. Where it fails, that
 * is a usage failure in jq's words, whatever it gave before.
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
    // jq itself ends orderly; an endless recursion ends the machine that it runs in.
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
