import type { Change } from './change.ts';
import type { Command } from './command.ts';
import { alsoWrong, optionFor } from './commands/body.ts';
import { type Context, openContext, type World } from './context.ts';
import { type Detail, Failure } from './failure.ts';
import type { GlobalInput } from './global-options.ts';
import { createMask, type Mask } from './http/mask.ts';
import { readInput, refusedInput } from './input.ts';
import { harmless } from './output/json.ts';
import type { Result, Shape } from './output/result.ts';
import { sinkOf } from './output/sink.ts';
import { visible } from './output/visible.ts';
import { parse } from './program.ts';
import { formatOf, readSettings } from './settings.ts';
import type { Help } from './shell/find-help.ts';
import { openStore } from './store/store.ts';

/**
 * Runs one command line.
 * @param argv the words behind `iiot`
 * @returns the exit code; everything has been written by then
 */
export async function main(argv: readonly string[], world: World): Promise<number> {
  const mask = createMask(harmlessParameters);
  for (const name of ['IIOT_TOKEN', 'IIOT_CLIENT_SECRET', 'IIOT_PASSWORD']) mask.remember(world.env[name] ?? '');
  const asked: { command?: Command; json: boolean } = { json: wantsJson(argv, world.env) };
  try {
    if (argv[0] === '__complete') return await complete(argv.slice(1), world);
    const help = await helpFor(argv, world);
    if (help) {
      await checkedShape(help.shape);
      const unwritten = await write(help.result, help.shape, world, () => undefined, false);
      if (unwritten instanceof Failure) throw unwritten;
      return 0;
    }
    return await run(argv, world, mask, asked);
  } catch (error) {
    return await report(error, world, mask, asked, argv.includes('--debug'));
  }
}

async function run(
  argv: readonly string[],
  world: World,
  mask: Mask,
  asked: { command?: Command; json: boolean },
): Promise<number> {
  const parsed = await parse(argv);
  asked.command = parsed.command;
  const { input, options, problems } = readInput(parsed, argv);
  if (problems.length > 0) {
    const typed = { ...input, ...(options.org !== undefined && { orgId: options.org }) };
    const others = alsoWrong(parsed.command, { input: typed, problems });
    throw refusedInput([...problems, ...others], helpOf(parsed.command));
  }
  const say = (line: string) => void world.stderr.write(`${visible(mask.text(line))}\n`);
  // Not the whole world: its standard input opens as soon as it is looked at.
  const { env, platform, homedir, uid, now } = world;
  const store = openStore({ env, platform, homedir, uid, now, warn: say });
  const { tenant, app, account } = input;
  const settings = readSettings({ tenant, app, account, ...options }, world.env, () => store.readConfig());
  const shape = shapeOf(options, formatOf(options, settings));
  asked.json = isStructured(shape.format);
  await checkedShape(shape);
  const context = openContext({ world, options, settings, store, mask, run: main });
  const outcome = await parsed.command.run(input as never, context); // the command's definitions made this input
  const result = outcome && 'operation' in outcome ? await performed(outcome, context) : outcome;
  if (!result) return 0;
  const unwritten = await write(result, shape, world, context.notice, options.noColor === true);
  // Work whose result cannot be written goes on to its end all the same.
  const failure = await result.ending?.(unwritten);
  if (unwritten instanceof Failure) throw failure?.facts.cause === unwritten ? failure : unwritten;
  if (failure) throw failure;
  // For the completions of who sits at a terminal.
  if (world.stdout.isTTY === true) await (await import('./shell/remember.ts')).remember(parsed.command, input, context);
  return 0;
}

async function performed(change: Change, context: Context): Promise<Result> {
  const { perform } = await import('./change.ts');
  return perform(change, context);
}

function shapeOf(input: GlobalInput, format: Shape['format']): Shape {
  return {
    format,
    ...(input.columns !== undefined && { columns: input.columns.split(',').map((name) => name.trim()) }),
    ...(input.jq !== undefined && { jq: input.jq }),
    ...(input.csvSafe && { csvSafe: true }),
    ...(input.quiet && { quiet: true }),
  };
}

/** Only a shape that can be wrong has to be judged, and that costs loading. */
async function checkedShape(shape: Shape): Promise<void> {
  if (shape.columns === undefined && shape.jq === undefined) return;
  const { checkShape } = await import('./output/shape.ts');
  await checkShape(shape);
}

/** Writes, and gives why the result did not get out, where it did not. */
async function write(
  result: Result,
  shape: Shape,
  world: World,
  notice: (line: string) => void,
  noColor: boolean,
): Promise<Failure | 'unread' | undefined> {
  const { writeResult } = await import('./output/write.ts');
  const stdout = sinkOf(world.stdout, world.env, noColor);
  try {
    await writeResult(result, shape, { stdout, notice: async (line) => notice(line) });
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  return stdout.closed ? 'unread' : undefined;
}

/** Query parameters of the interface whose values say nothing secret. */
const harmlessParameters = new Set([
  'skipCount',
  'maxResultCount',
  'sorting',
  'orgRole',
  'name',
  'orgName',
  'channelType',
  'tags',
  'grant_type',
  'returnUrl',
  'tenantId',
]);

/** What `help …` and `--help` ask for, or undefined where the line asks for something else. */
async function helpFor(argv: readonly string[], world: World): Promise<Help | undefined> {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  if (words.length > 0 && !['help', '--help', '-h'].some((word) => words.includes(word))) return undefined;
  const { helpFor: find } = await import('./shell/find-help.ts');
  return find(words, sinkOf(world.stdout, world.env).columns);
}

/** What the completions of a shell ask for; nothing of it ever fails. */
async function complete(words: readonly string[], world: World): Promise<number> {
  const { completeLive } = await import('./shell/live.ts');
  await sinkOf(world.stdout, world.env).write(await completeLive(words, world, main));
  return 0;
}

function isStructured(format: string): boolean {
  return format === 'json' || format === 'ndjson' || format === 'yaml';
}

/** Whether errors are JSON, as far as the line and the environment tell before the line is understood. */
function wantsJson(argv: readonly string[], env: World['env']): boolean {
  const at = argv.findIndex((word) => word === '-o' || word === '--output');
  const inline = argv.find((word) => word.startsWith('--output=') || /^-o./.test(word));
  const format = inline?.replace(/^(--output=|-o=?)/, '') ?? (at >= 0 ? argv[at + 1] : undefined);
  return argv.includes('--json') || isStructured(format ?? env.IIOT_OUTPUT ?? '');
}

/** The only place that prints a failure. A bug is one too: its stack is for --debug. */
async function report(
  error: unknown,
  world: World,
  mask: Mask,
  { command, json }: { command?: Command; json: boolean },
  debug: boolean,
): Promise<number> {
  const failure = error instanceof Failure ? withOptions(error, command) : bug(error);
  if (debug && error instanceof Error && !(error instanceof Failure))
    await say(world, visible(mask.text(error.stack ?? ''), 'keep'));
  // A command that ran another one passes its end on, which has been told already.
  if (failure.message === '') return failure.exit;
  await say(world, json ? mask.text(jsonError(failure)) : humanError(failure, mask));
  return failure.exit;
}

function bug(error: unknown): Failure {
  const name = error instanceof Error ? error.name : 'Error';
  return new Failure('internal', `This is a fault of iiot itself (${name}).`, {
    hint: 'Run it again with --debug to see where, and report it',
    cause: error,
  });
}

/** The platform's field names with our options beside them, and something to do next. */
function withOptions(failure: Failure, command: Command | undefined): Failure {
  if (!command) return failure;
  // Who stopped it, or runs another command in it, has no use for its help.
  const isOver = failure.kind === 'interrupted' || failure.message === '';
  const { details, hint = isOver ? undefined : helpOf(command) } = failure.facts;
  return failure.with({
    ...(hint !== undefined && { hint }),
    ...(details && {
      details: details.map((detail) => {
        const option = detail.option ?? optionFor(command, detail.field);
        return option === undefined ? detail : { ...detail, option };
      }),
    }),
  });
}

function helpOf({ name }: Command): string {
  return `See: iiot ${name} --help`;
}

function jsonError({ kind, message, facts }: Failure): string {
  const { status, details, hint, request, requestId } = facts;
  return harmless(
    JSON.stringify({ error: { code: kind, message, status, details: details ?? [], hint, request, requestId } }),
  );
}

function humanError({ kind, message, facts }: Failure, mask: Mask): string {
  // The sentence of a usage failure names every option already.
  const details = kind === 'usage' ? [] : (facts.details ?? []).map((detail) => detailWords(detail, message));
  const first = [message, details.filter((words) => words !== '').join('; ')].join(' ').trim();
  const id = facts.requestId ? ` [request ${facts.requestId}]` : '';
  const shown = [visible(mask.text(`${first}${id}`))];
  if (facts.hint) shown.push(visible(mask.text(facts.hint)));
  return shown.join('\n');
}

/** What a detail adds to the sentence before it, which may have all of it, or all but the option's name. */
function detailWords({ option, field, message }: Detail, sentence: string): string {
  const name = option ?? field ?? '';
  const isNamed = name === '' || sentence.includes(name);
  if (sentence.includes(message)) return isNamed ? '' : `(${name})`;
  return name === '' ? message : `${name}: ${message}`;
}

/** Resolves when it is written, or cannot be: a closed stderr changes no exit code. */
function say(world: World, text: string): Promise<void> {
  return new Promise((resolve) => {
    world.stderr.write(`${text}\n`, () => resolve());
  });
}
