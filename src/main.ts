import { readInput } from './cli/input.ts';
import { openContext } from './cli/open-context.ts';
import { checkDashes, parseLine } from './cli/parse.ts';
import { helpOf, report } from './cli/report.ts';
import { furtherProblems } from './command/body.ts';
import type { Change } from './command/change.ts';
import { type Command, changesPlatform } from './command/command.ts';
import type { Context, World } from './command/context.ts';
import type { GlobalInput } from './command/global-options.ts';
import { formatOf, readSettings } from './command/settings.ts';
import { requireLogin } from './command/target.ts';
import { groups } from './commands/index.ts';
import { Failure, refusedInput } from './failure.ts';
import type { OutputShape, Result, Streams } from './output/result.ts';
import { sinkOf, wantsColor } from './output/sink.ts';
import type { Help } from './shell/find-help.ts';
import type { Grammar } from './shell/grammar.ts';
import { openStore } from './store/store.ts';
import { silentWaiting, type Waiting } from './terminal/waiting.ts';
import { createMask, type Mask } from './text/mask.ts';
import { visible } from './text/visible.ts';

/**
 * Runs one command line.
 * @param argv the words after `iiot`
 * @returns the exit code, after all output is written
 */
export async function main(argv: readonly string[], world: World): Promise<number> {
  const mask = createMask(harmlessParameters);
  for (const name of ['IIOT_TOKEN', 'IIOT_CLIENT_SECRET', 'IIOT_PASSWORD', 'IIOT_CLIENT_KEY_PASSPHRASE'])
    mask.remember(world.env[name] ?? '');
  const invocation: Invocation = { json: wantsJson(argv, world.env), noColor: argv.includes('--no-color') };
  try {
    if (argv[0] === '__complete') return await complete(argv.slice(1), world);
    const line = await withVersion(argv);
    const help = await helpFor(line, world);
    if (help) return await showHelp(help, world);
    return await run(line, world, mask, invocation);
  } catch (error) {
    invocation.waiting?.finish();
    return await report(error, world, mask, invocation, argv);
  } finally {
    invocation.waiting?.finish();
  }
}

/** What is known about the command line so far. */
type Invocation = { command?: Command; json: boolean; noColor: boolean; waiting?: Waiting };

async function run(argv: readonly string[], world: World, mask: Mask, invocation: Invocation): Promise<number> {
  const parsed = await parseLine(argv);
  if ('group' in parsed) {
    const help = await helpFor([...parsed.group, '--help'], world);
    return help ? showHelp(help, world) : 0;
  }
  invocation.command = parsed.command;
  const { input, options, problems, notes } = readInput(parsed, argv);
  if (problems.length > 0) {
    const typed = { ...(options.org !== undefined && { orgId: options.org }), ...input };
    const others = furtherProblems(parsed.command, { input: typed, problems });
    throw refusedInput([...problems, ...others], helpOf(parsed.command));
  }
  await checkDashes(parsed, argv);
  const waiting = await waitingOf(world, options);
  invocation.waiting = waiting;
  const say = (line: string) => {
    waiting.hide();
    world.stderr.write(`${visible(mask.sentence(line))}\n`);
  };
  // Do not spread `world`: reading its stdin property opens standard input.
  const { env, platform, homedir, uid, now } = world;
  const wait = (text: string) => waiting.begin(text).end;
  const store = openStore({ env, platform, homedir, uid, now, warn: say, wait });
  const { tenant, app, account } = input;
  const settings = readSettings({ tenant, app, account, ...options }, world.env, () => store.readConfig());
  const shape = shapeOf(options, formatOf(options, settings));
  invocation.json = isStructured(shape.format);
  await verifyShape(shape);
  const context = openContext({ world, options, settings, store, mask, waiting, run: main });
  // At a terminal, check the login before asking questions; in scripts, report errors in the command line first.
  if (world.stderr.isTTY === true && changesPlatform(parsed.command)) requireLogin(context);
  for (const note of notes) context.notice(note);
  const outcome = await parsed.command.run(input as never, context, groups); // the command's definitions made this input
  const result = outcome && 'operation' in outcome ? await performed(outcome, context) : outcome;
  if (!result) return 0;
  const fields: string[] = [];
  const { notice } = context;
  const lines = { notice, waiting, fields: (names: readonly string[]) => fields.push(...names) };
  const unwritten = await write(result, shape, world, lines, options.noColor === true);
  // Work continues to its end even if its result cannot be written.
  const end = await result.ending?.(unwritten);
  if (unwritten instanceof Failure) throw end instanceof Failure && end.facts.cause === unwritten ? end : unwritten;
  if (end instanceof Failure) throw end;
  if (end && !invocation.json) for (const line of [end.sentence, end.hint]) if (line) context.notice(line);
  // Completions are used at a terminal only.
  if (world.stdout.isTTY === true)
    await (await import('./shell/seen.ts')).rememberIds(parsed.command, input, context, fields);
  return end?.exit ?? 0;
}

async function showHelp({ result, shape }: Help, world: World): Promise<number> {
  await verifyShape(shape);
  const silent = { notice: () => undefined, waiting: silentWaiting };
  const unwritten = await write(result, shape, world, silent, false);
  if (unwritten instanceof Failure) throw unwritten;
  return 0;
}

async function performed(change: Change, context: Context): Promise<Result> {
  const { perform } = await import('./command/perform.ts');
  return perform(change, context);
}

function shapeOf(input: GlobalInput, format: OutputShape['format']): OutputShape {
  return {
    format,
    ...(input.columns !== undefined && { columns: input.columns.split(',').map((name) => name.trim()) }),
    ...(input.jq !== undefined && { jq: input.jq }),
    ...(input.csvSafe && { csvSafe: true }),
    ...(input.quiet && { quiet: true }),
  };
}

/** Loads the check only for a shape that can be wrong. */
async function verifyShape(shape: OutputShape): Promise<void> {
  if (shape.columns === undefined && shape.jq === undefined) return;
  const { checkShape } = await import('./output/shape.ts');
  await checkShape(shape);
}

/** Writes the result; returns the reason if it could not be written. */
async function write(
  result: Result,
  shape: OutputShape,
  world: World,
  { notice, waiting, fields }: Pick<Context, 'notice' | 'waiting'> & Pick<Streams, 'fields'>,
  noColor: boolean,
): Promise<Failure | 'unread' | undefined> {
  const { writeResult } = await import('./output/write.ts');
  // If stdout is a terminal, hide the spinner before writing.
  const stdout = sinkOf(world.stdout, world.env, noColor, world.stdout.isTTY ? waiting.hide : undefined);
  const done = async (line: string) => {
    if (world.stderr.isTTY !== true) return notice(line);
    const { successMark } = await import('./terminal/streams.ts');
    notice(line, await successMark(world, noColor));
  };
  try {
    const lines = { notice: async (line: string) => notice(line), done };
    await writeResult(result, shape, { stdout, ...lines, now: world.now, ...(fields && { fields }) });
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  return stdout.closed ? 'unread' : undefined;
}

async function waitingOf({ stderr, env }: World, { quiet, noColor }: GlobalInput): Promise<Waiting> {
  if (quiet || stderr.isTTY !== true) return silentWaiting;
  const { openWaiting } = await import('./terminal/spinner.ts');
  return openWaiting({ stderr, env, color: wantsColor(true, env, noColor === true) });
}

/** Query parameters of the interface whose values are never secret. */
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

/** The words before an inner command. */
function ownWords(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end < 0 ? argv : argv.slice(0, end);
}

/** --version shows the version, whatever else is on the line. */
async function withVersion(argv: readonly string[]): Promise<readonly string[]> {
  const words = ownWords(argv);
  if (!words.includes('--version') && !words.includes('-V')) return argv;
  const { versionLine } = await import('./shell/find-help.ts');
  return versionLine(words);
}

/** The help that `help …` or `--help` asks for; undefined for any other command line. */
async function helpFor(argv: readonly string[], world: World): Promise<Help | undefined> {
  const words = ownWords(argv);
  if (words.length > 0 && !['help', '--help', '-h'].some((word) => words.includes(word))) return undefined;
  const { helpFor: find } = await import('./shell/find-help.ts');
  return find(groups, words, sinkOf(world.stdout, world.env).columns);
}

/** Answers a shell's request for completions; never fails. */
async function complete(words: readonly string[], world: World): Promise<number> {
  const [{ completeLive }, { openCompletionContext }] = await Promise.all([
    import('./shell/live.ts'),
    import('./cli/completion-context.ts'),
  ]);
  const open = (line: readonly string[]) => openCompletionContext(line, world, main);
  const answer = await completeLive(words, await grammarOf(world), open);
  await sinkOf(world.stdout, world.env).write(answer);
  return 0;
}

/** The grammar of the command line: written by the build, or made from the definitions. */
async function grammarOf({ text }: World): Promise<Grammar> {
  const written = text?.('dist/completions.json');
  if (written !== undefined) return JSON.parse(written) as Grammar; // written by the build
  const [{ readGrammar }, { everyBranch }] = await Promise.all([
    import('./shell/grammar.ts'),
    import('./shell/tree.ts'),
  ]);
  return readGrammar(await everyBranch(groups));
}

function isStructured(format: string): boolean {
  return format === 'json' || format === 'ndjson' || format === 'yaml';
}

/** Whether errors are JSON, judged from the words and the environment before the command line is parsed. */
function wantsJson(argv: readonly string[], env: World['env']): boolean {
  const at = argv.findIndex((word) => word === '-o' || word === '--output');
  const inline = argv.find((word) => word.startsWith('--output=') || /^-o./.test(word));
  const format = inline?.replace(/^(--output=|-o=?)/, '') ?? (at >= 0 ? argv[at + 1] : undefined);
  return argv.includes('--json') || isStructured(format ?? env.IIOT_OUTPUT ?? '');
}
