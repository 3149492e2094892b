import { optionFor, placeIn } from '../command/body.ts';
import type { Command } from '../command/command.ts';
import type { Context, World } from '../command/context.ts';
import type { GlobalInput } from '../command/global-options.ts';
import { withPlace } from '../command/line.ts';
import { argumentFor, usesPlace } from '../command/reach.ts';
import type { Settings } from '../command/settings.ts';
import { groups } from '../commands/index.ts';
import { Failure, type FailureDetail, ignoreFailure } from '../failure.ts';
import { codeOf, fileFailure } from '../files/file-failure.ts';
import { paintFor } from '../output/paint.ts';
import { wantsColor } from '../output/sink.ts';
import { wrapAnyWords } from '../output/text-width.ts';
import { sentenceOf, sentenceWithDetails } from '../text/failure-sentence.ts';
import { escapeUnsafe } from '../text/json-write.ts';
import type { Mask } from '../text/mask.ts';
import { visible } from '../text/visible.ts';
import { replaced } from '../version.ts';

/** Prints a failure to stderr, for a person or as JSON; nothing else prints one. Prints bugs too, with their stack for --debug. @returns the exit code */
export async function report(
  error: unknown,
  world: World,
  mask: Mask,
  known: ReportFacts & { readonly notices: readonly string[] },
  argv: readonly string[],
): Promise<number> {
  const { command, input = {}, options = {}, json, noColor } = known;
  const failure =
    error instanceof Failure ? await withPlacedHint(withOptions(error, command, input), options) : bugFailure(error);
  if (argv.includes('--debug') && error instanceof Error && !(error instanceof Failure))
    await printError(world, visible(stackOf(error, mask), 'keep'));
  const text = json
    ? jsonError(failure, known, mask)
    : await humanError(withFilePlaces(withoutUntyped(failure, argv), command, input), mask, world, noColor);
  await printError(world, text);
  return failure.exit;
}

/** The facts about a run that its failure is printed with, as far as they are known by then. */
export type ReportFacts = {
  readonly command?: Command;
  readonly input?: Fields;
  readonly options?: GlobalInput;
  readonly settings?: Settings;
  readonly json: boolean;
  readonly noColor: boolean;
};
type Fields = Readonly<Record<string, unknown>>;

async function withPlacedHint(failure: Failure, options: GlobalInput): Promise<Failure> {
  const { hint } = failure.facts;
  return hint ? failure.with({ hint: await withPlace(hint, groups, options) }) : failure;
}

function bugFailure(error: unknown): Failure {
  // Not a bug if a part of the program could not be loaded.
  if (error instanceof Error && ['EMFILE', 'ENFILE'].includes(codeOf(error) ?? ''))
    return fileFailure('open', 'path' in error ? String(error.path) : 'a file', error);
  if (Object(error).code === replaced)
    return new Failure('io', 'iiot was replaced by another version while this command ran.', {
      hint: 'Run it again',
      cause: error,
    });
  const name = error instanceof Error ? error.name : 'Error';
  const hint = 'Run it again with --debug to see where, and report it';
  return new Failure('internal', `This is a bug in iiot (${name}).`, { hint, cause: error });
}

/** Adds how wrong this machine's clock is to a failure that it may have caused. */
export function withClock(failure: Failure, clock: Context['clock']): Failure {
  const words = failure.kind === 'unauthenticated' || failure.kind === 'unavailable' ? clock.words() : undefined;
  return words === undefined ? failure : new Failure(failure.kind, `${failure.message} ${words}`, failure.facts);
}

/** Adds the options for the platform's field names, and a hint if there is none. */
function withOptions(failure: Failure, command: Command | undefined, { bodyFile }: Fields): Failure {
  if (!command) return failure;
  const { details, hint = hintFor(failure, command) } = failure.facts;
  const fromField = (field?: string) => (bodyFile === undefined ? optionFor(command, field) : undefined);
  const named = details?.map((detail) => ({ ...detail, option: detail.option ?? fromField(detail.field) }));
  return failure.with({ hint, details: named });
}

function hintFor({ kind, facts }: Failure, command: Command): string | undefined {
  // After a cancellation, the help of the command is not needed.
  if (kind === 'interrupted') return undefined;
  if (facts.status !== 404) return helpOf(command);
  return command.operation?.params.orgId ? 'Check the ID and --org' : 'Check --base-url and --org';
}

export function helpOf({ name }: Command): string {
  return `See iiot ${name} --help`;
}

/** The failure as JSON. Masks every text before JSON escapes it. */
function jsonError(failure: Failure, known: ReportFacts & { readonly notices: readonly string[] }, mask: Mask): string {
  const { status = null, details = [], hint, request = null, requestId = null, looked } = failure.facts;
  const placed = details.map((each) =>
    each.line === undefined && each.row === undefined ? each : { ...each, field: each.field ?? null },
  );
  const sentence = { message: sentenceOf(failure), status, details: placed, hint: hint || null };
  const { notices } = known;
  const words = { ...sentence, request, ...placeFields(known), requestId, ...(looked && { looked: true }), notices };
  const masked = JSON.stringify(words, (_, value) => (typeof value === 'string' ? mask.sentence(value) : value));
  return escapeUnsafe(JSON.stringify({ error: { code: failure.kind, ...JSON.parse(masked) } }));
}

/** The base URL, profile and organization of the command; null for those that it does not use. */
function placeFields({ command, input = {}, settings }: Pick<ReportFacts, 'command' | 'input' | 'settings'>) {
  const ifUsed = (place: Parameters<typeof usesPlace>[1], value: string | undefined) =>
    (command && usesPlace(command, place) && value) || null;
  const [argument = ''] = (command && argumentFor(command, 'org')) ?? [];
  const { baseUrl, org } = settings?.resolved ?? {};
  const named = input[argument];
  return {
    baseUrl: ifUsed('baseUrl', baseUrl?.value),
    profile: ifUsed(
      'profile',
      ignoreFailure(() => settings?.profile.value),
    ),
    orgId: ifUsed('org', typeof named === 'string' ? named : org?.value),
  };
}

/** Removes options that the user did not type from the details, and details that the sentence repeats. */
function withoutUntyped(failure: Failure, argv: readonly string[]): Failure {
  const { details } = failure.facts;
  const isTyped = (option: string) => !option.startsWith('--') || argv.some((word) => word.split('=')[0] === option);
  const isNews = ({ option, message }: FailureDetail) =>
    option === undefined || isTyped(option) || !failure.message.includes(message);
  const trim = (each: FailureDetail) => (isTyped(each.option ?? '') ? each : { ...each, option: undefined });
  return details ? failure.with({ details: details.filter(isNews).map(trim) }) : failure;
}

/** Names the fields of the details by their place in the file of --body-file or of another option. */
function withFilePlaces(failure: Failure, command: Command | undefined, input: Fields): Failure {
  const { details } = failure.facts;
  if (!command || !details) return failure;
  const given = details.map((detail) => {
    const place = placeIn(command, detail.field, input);
    return place === undefined ? detail : { message: detail.message, field: place };
  });
  return failure.with({ details: given });
}

/** The failure as lines for a person: the error, the hint, and the platform's status and request ID, in colour at a terminal. */
async function humanError(failure: Failure, mask: Mask, world: World, noColor: boolean): Promise<string> {
  const { status, hint, requestId } = failure.facts;
  const shown = (text: string) => visible(mask.sentence(text));
  const { bad, dim } = await paintFor(wantsColor(world.stderr.isTTY === true, world.env, noColor));
  // Answering no is not an error.
  const [error, advice] = failure.kind === 'interrupted' ? ['', ''] : ['error: ', 'hint: '];
  const numbers = [...(status === undefined ? [] : [`HTTP ${status}`]), ...(requestId ? [`request ${requestId}`] : [])];
  const lines = [`${error}${shown(sentenceWithDetails(failure))}`, ...(hint ? [`${advice}${shown(hint)}`] : [])];
  const { isTTY, columns } = world.stderr;
  const wrapped = isTTY && columns ? await Promise.all(lines.map((line) => wrapAnyWords(line, columns))) : lines;
  return [
    ...wrapped.flat().map((line, at) => (at === 0 ? line.replace(/^error:/, (word) => bad(word)) : line)),
    ...(numbers.length > 0 ? [dim(shown(numbers.join(' · ')))] : []),
  ].join('\n');
}

/** Writes a text to stderr. Resolves even if it cannot be written, so that a closed stderr does not change the exit code. */
function printError(world: World, text: string): Promise<void> {
  return new Promise((resolve) => {
    world.stderr.write(`${text}\n`, () => resolve());
  });
}

/** The message on one line, because it may quote a platform, and each frame of the stack on another. */
function stackOf({ name, message, stack = '' }: Error, mask: Mask): string {
  const frames = stack
    .replace(message, '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line));
  return [`${name}: ${visible(mask.text(message))}`, ...frames.map((frame) => mask.text(frame))].join('\n');
}
