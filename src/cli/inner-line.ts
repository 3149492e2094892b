import { type InnerLine, type InnerParts, lineArgumentOf } from '../command/command.ts';
import type { World } from '../command/context.ts';
import { globalOptions } from '../command/global-options.ts';
import { usage } from '../failure.ts';
import { streamAt } from '../files/open-regular.ts';
import { takesFile } from '../shell/option-facts.ts';
import { type CommandLine, checkedInput } from './input.ts';
import { type ParsedLine, parseLine, type TypedValues } from './parse.ts';
import { helpOf } from './report.ts';
import { checkWords } from './words.ts';

export type RunLine = (line: CommandLine, world: World, parts: InnerParts) => Promise<number>;

/** Reads the words after `--` as a command line, whose global options count for the outer command. @throws usage for a line that cannot run many times */
export async function joinInner(outer: ParsedLine, argv: readonly string[], runLine: RunLine): Promise<CommandLine> {
  const at = argv.indexOf('--') + 1;
  const words = argv.slice(argv[at] === 'iiot' ? at + 1 : at);
  await checkWords(argv, argv.length - words.length);
  const inner = await parseLine(words);
  if ('group' in inner) throw usage('After -- there is a group of commands, not a command.', 'See iiot --help');
  const { command } = inner;
  const isGlobal = ({ option }: TypedValues) => globalOptions.includes(option);
  const read = checkedInput({ ...inner, typed: inner.typed.filter((each) => !isGlobal(each)) }, words);
  const line = checkedInput({ ...outer, typed: [...outer.typed, ...inner.typed.filter(isGlobal)] }, argv);
  const subject = `iiot ${outer.command.name} runs a command many times`;
  if (line.options.help || line.options.version)
    throw usage(`${subject}, and does not show its help.`, helpOf(command));
  const files = inner.typed.flatMap(({ option, word = '' }) => (takesFile(option.schema) ? word : []));
  if ([...inner.words, ...files].some((word) => streamAt(String(word))))
    throw usage(`${subject}, and standard input (-) or a pipe can be read once.`, 'Give it a file');
  const run: InnerLine['run'] = (options, ...rest) =>
    runLine({ command, input: { ...read.input, dryRun: options.dryRun }, options, notes: [], missing: [] }, ...rest);
  return {
    ...line,
    input: { ...line.input, [lineArgumentOf(outer.command) ?? '']: { command, input: read.input, run } },
    options: { ...line.options, ...read.options },
    notes: [...line.notes, ...read.notes],
  };
}
