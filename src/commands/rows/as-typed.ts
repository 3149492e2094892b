import { type Command, ownOptions } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { lineOf, wordsOf } from '../../command/line.ts';
import type { RowsInput } from '../../command/row-flags.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import type { RowWork } from './kind.ts';
import { formatOf } from './plan.ts';

/** The options of rows that say nothing of what a row means. */
const ofTheRun = [
  'rows',
  'concurrency',
  'rate',
  'journal',
  'resume',
  'repeatUnknown',
  'failedFile',
  'resultsFile',
  'dryRun',
];
const ofErrors = ['skipInvalid', 'failFast'];

/**
 * A command line for rows as it was typed: to be continued, and to be compared with the one that a journal was started with. Inside
 * `sandbox exec`, it names the sandbox: its journal ends with it, and anywhere else the line would send every row.
 * @param input the arguments and options of the command; `file` is its argument, or the value of --rows
 */
export function asTyped(
  command: Command,
  { file, ...input }: RowsInput & Readonly<Record<string, unknown>>,
  { options, world: { env } }: Pick<Context, 'options' | 'world'>,
): Pick<RowWork, 'line' | 'meaning'> {
  const own = { ...input, format: formatOf({ file, ...input }) };
  const args = Object.keys(command.arguments).map((name) => wordOf(input[name]));
  const meaning = ownOptions(command).filter(({ name }) => ![...ofTheRun, ...ofErrors].includes(name));
  const where = env.IIOT_SANDBOX ? { ...options, baseUrl: options.baseUrl ?? env.IIOT_SANDBOX_URL } : options;
  const fileName = 'file' in command.arguments ? 'file' : 'rows';
  return {
    line: ({ file: other = file, ...changes }) => lineOf(command, { ...input, ...changes, [fileName]: other }, where),
    meaning: [...args, ...meaning.map((option) => wordsOf([option], own).join(' '))].filter(Boolean),
  };
}

function wordOf(value: unknown): string {
  return value === undefined ? '' : quoteForShell(String(value));
}

/** The names of --ignore-columns. */
export function columnNames(words = ''): readonly string[] {
  return words
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}
