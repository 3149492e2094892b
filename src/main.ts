import type { RunLine } from './cli/inner-line.ts';
import { type CommandLine, checkedInput } from './cli/input.ts';
import { type Notices, openNotices } from './cli/notices.ts';
import { openContext } from './cli/open-context.ts';
import { checkDashes, parseLine } from './cli/parse.ts';
import { type ReportFacts, report, withClock } from './cli/report.ts';
import { checkWords } from './cli/words.ts';
import { checkShape, openWaitingFor, readShape, write } from './cli/write.ts';
import { type Command, changesPlatform, type InnerParts, lineArgumentOf } from './command/command.ts';
import type { Context, World } from './command/context.ts';
import { labelOnScreen } from './command/label.ts';
import { withPlace } from './command/line.ts';
import { refuseChange } from './command/read-only.ts';
import { formatOf, readSettings } from './command/settings.ts';
import { noOrganization, requireLogin } from './command/target.ts';
import { ownWords } from './command/word.ts';
import { groups } from './commands/index.ts';
import { harmlessParameters } from './contract/shared.ts';
import { Failure } from './failure.ts';
import { isStructured, type OutputShape } from './output/result.ts';
import { sinkOf } from './output/sink.ts';
import type { Help } from './shell/find-help.ts';
import { openStore } from './store/store.ts';
import { silentWaiting } from './terminal/waiting.ts';
import { createMask, type Mask } from './text/mask.ts';

/** Runs the words after `iiot`; returns the exit code, after all output is written. @param isTyped false for words that come from JSON */
export async function main(argv: readonly string[], world: World, isTyped = true): Promise<number> {
  const mask = createMask(harmlessParameters);
  for (const name of ['IIOT_TOKEN', 'IIOT_CLIENT_SECRET', 'IIOT_PASSWORD', 'IIOT_CLIENT_KEY_PASSPHRASE'])
    mask.remember(world.env[name] ?? '');
  let known: ReportFacts = { json: wantsJson(argv, world.env), noColor: argv.includes('--no-color') };
  const notices = openNotices(world, mask, known.json);
  const learn = (facts: Partial<ReportFacts>) => {
    known = { ...known, ...facts };
  };
  try {
    if (argv[0] === '__complete') return await (await import('./cli/complete.ts')).complete(argv.slice(1), world, main);
    await checkWords(argv, 0, isTyped ? world.env : undefined);
    const line = await lineToRun(argv);
    const help = await findHelp(line, world);
    if (help) return await showHelp(help, world);
    const exit = await parseAndRun(line, { world, mask, notices, learn }, isTyped);
    notices.hold(false);
    return exit;
  } catch (error) {
    return await report(error, world, mask, { ...known, notices: notices.held }, argv);
  }
}

/** The parts that every step of a run needs. */
type Surroundings = {
  readonly world: World;
  readonly mask: Mask;
  readonly notices: Notices;
  /** Keeps facts for the message of a later failure. */
  readonly learn: (facts: Partial<ReportFacts>) => void;
};

async function parseAndRun(argv: readonly string[], around: Surroundings, isTyped: boolean): Promise<number> {
  const { world, mask, learn } = around;
  const parsed = await parseLine(argv, async (line) => (await import('./cli/missing.ts')).canChoose(line, world));
  if ('group' in parsed) {
    const help = await findHelp([...parsed.group, '--help'], world);
    return help ? showHelp(help, world) : 0;
  }
  learn({ command: parsed.command });
  const commandLine = checkedInput(parsed, argv, isTyped);
  learn({ input: commandLine.input, options: commandLine.options });
  await checkDashes(parsed, argv);
  if (!lineArgumentOf(parsed.command)) return runInContext(commandLine, around);
  const { joinInner } = await import('./cli/inner-line.ts');
  const ignore = () => undefined;
  const runInner: RunLine = (line, inner, { warn, ...parts }) =>
    runInContext(line, { world: inner, mask, notices: { print: warn, hold: ignore }, learn: ignore }, parts);
  return runInContext(await joinInner(parsed, argv, runInner), around);
}

/** Opens the context of a command line, runs it and writes its result, or gives the result to `take`. @returns the exit code */
async function runInContext(
  line: CommandLine,
  { world, mask, notices: { print, hold }, learn }: Surroundings,
  { take, ...shared }: Partial<Omit<InnerParts, 'warn'>> = {},
): Promise<number> {
  const { input: typed, options } = line;
  const waiting = await openWaitingFor(world, options);
  const warn: Context['warn'] = (text, mark) => {
    waiting.hide();
    print(text, mark);
  };
  try {
    // Do not spread `world`: reading its stdin property opens standard input.
    const { env, platform, homedir, accountHome, uid, now } = world;
    const wait = (text: string) => waiting.begin(text).end;
    const store = openStore({ env, platform, homedir, accountHome, uid, now, warn, wait });
    const { tenant, app, account } = typed;
    const settings = readSettings({ tenant, app, account, ...options }, env, () => store.readConfig());
    learn({ settings });
    const format = formatOf(options, settings);
    const json = isStructured(format);
    learn({ json });
    hold(json);
    const shape = await readShape(options, format, env);
    const run: Context['run'] = (words, innerWorld) => main(words, innerWorld, false);
    const parts = { world, options, settings, store, mask, waiting, warn, run };
    const opened = Object.assign(openContext(parts), shared);
    return await runAndWrite(line, opened, shape, { json, take, hold }).catch((error: unknown) => {
      throw error instanceof Failure ? withClock(error, opened.clock) : error;
    });
  } finally {
    waiting.finish();
  }
}

async function runAndWrite(
  line: CommandLine,
  opened: Context,
  shape: OutputShape,
  { json, take, hold }: { json: boolean; take: InnerParts['take'] | undefined; hold: Notices['hold'] },
): Promise<number> {
  const { command, notes } = line;
  const { world, options, waiting } = opened;
  if (options.confirmProfile)
    (await import('./command/confirm.ts')).checkConfirmed(options.confirmProfile, Object.values(line.input), opened);
  await checkChange(command, opened);
  // At a terminal, check the login before asking questions; in scripts, report errors in the command line first.
  if (world.stderr.isTTY === true && changesPlatform(command)) requireLogin(opened);
  for (const note of notes) opened.notice(note);
  const { outcome, input, context } = await runCommand(line, opened, take === undefined);
  const result =
    outcome && 'operation' in outcome
      ? await (await import('./command/perform.ts')).perform(outcome, context)
      : outcome;
  if (!result) return 0;
  const fields: string[] = [];
  const { notice } = context;
  const lines = { notice, waiting, fields: (names: readonly string[]) => fields.push(...names) };
  if (result.goesOn) hold(false);
  const unwritten = await (take?.(result) ?? write(result, shape, world, lines, options.noColor === true));
  // Work continues to its end even if its result cannot be written.
  const end = await result.ending?.(unwritten);
  if (unwritten instanceof Failure) throw end instanceof Failure && end.facts.cause === unwritten ? end : unwritten;
  if (end instanceof Failure) throw end;
  if (end && !json) {
    for (const line of [end.sentence, end.hint])
      if (line) context.notice(await withPlace(line, groups, context.options));
  }
  // Completions are used at a terminal only.
  if (world.stdout.isTTY === true) await (await import('./shell/seen.ts')).rememberIds(command, input, context, fields);
  return end?.exit ?? 0;
}

/** Refuses a change that the settings forbid, before anything is asked; each request is checked again. Names the profile of a dry run. */
async function checkChange(command: Command, context: Context): Promise<void> {
  const { options, settings, world } = context;
  if (!options.dryRun) {
    if (changesPlatform(command))
      refuseChange(`iiot ${command.name}`, settings, command.changes?.dryRun === 'none' ? '' : undefined);
    return;
  }
  const label = command.changes && world.stderr.isTTY === true ? await labelOnScreen(context) : undefined;
  if (label) context.notice(` Dry run with profile ${settings.profile.value}`, label.painted);
}

/** Runs the command with the typed input, after the user has chosen what is missing from it. */
async function runCommand({ command, input: typed, missing }: CommandLine, context: Context, isOuter: boolean) {
  const act = async (context: Context) => {
    const chosen =
      missing.length > 0 &&
      (await (await import('./cli/missing.ts')).chooseArguments(command, { missing, typed }, context));
    const input = { ...typed, ...chosen };
    const outcome =
      command.rows && input.rows !== undefined
        ? await command.rows.run(command, input, context)
        : await command.run(input as never, context, groups); // the command's definitions made this input
    return { outcome, input, context };
  };
  return act(context).catch(async (error: unknown) => {
    // Every command looks for its organization before it does anything else.
    if (!isOuter || !(error instanceof Failure) || error.facts.cause !== noOrganization) throw error;
    return act(await (await import('./cli/missing.ts')).chooseOrganization(error, command, context));
  });
}

async function showHelp({ result, shape }: Help, world: World): Promise<number> {
  const silent = { notice: () => undefined, waiting: silentWaiting };
  const unwritten = await write(result, await checkShape(shape), world, silent, false);
  if (unwritten instanceof Failure) throw unwritten;
  return 0;
}

/** The words to run: those that show the version if --version is among them, whatever else is. */
async function lineToRun(argv: readonly string[]): Promise<readonly string[]> {
  const words = ownWords(argv);
  if (!words.includes('--version') && !words.includes('-V')) return argv;
  const { versionLine } = await import('./shell/find-help.ts');
  return versionLine(words);
}

/** The help that `help …` or `--help` asks for; undefined for any other command line. */
async function findHelp(argv: readonly string[], world: World): Promise<Help | undefined> {
  const words = ownWords(argv);
  if (words.length > 0 && !['help', '--help', '-h'].some((word) => words.includes(word))) return undefined;
  const { findHelp } = await import('./shell/find-help.ts');
  return findHelp(groups, words, sinkOf(world.stdout, world.env).columns);
}

/** Whether errors are JSON, judged from the words and the environment before the command line is parsed. */
function wantsJson(argv: readonly string[], env: World['env']): boolean {
  const at = argv.findIndex((word) => word === '-o' || word === '--output');
  const inline = argv.find((word) => word.startsWith('--output=') || /^-o./.test(word));
  const format = inline?.replace(/^(--output=|-o=?)/, '') ?? (at >= 0 ? argv[at + 1] : undefined);
  return argv.includes('--json') || isStructured(format ?? env.IIOT_OUTPUT ?? '');
}
