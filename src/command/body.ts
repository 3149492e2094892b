import type { FieldProblem } from '../contract/check.ts';
import type { Operation } from '../contract/operation.ts';
import type { ObjectSchema, Schema } from '../contract/schema.ts';
import { type AnyInput, checkInput } from '../contract/wire.ts';
import { type FailureDetail, refusedInput, usage } from '../failure.ts';
import { fieldsOf, type JsonRecord } from '../text/record.ts';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import { fieldOf, kebab, type Option, optionsOf } from './option.ts';
import { readJsonFile } from './read-file.ts';

/** Reads the body from the file of --body-file, or from the options for its fields and `readFields`. @throws usage if there is a file and options */
export async function readBody(
  command: Command,
  input: JsonRecord,
  context: Context,
  readFields: () => Promise<JsonRecord> = async () => ({}),
): Promise<object> {
  if (typeof input.bodyFile === 'string') {
    const part = optionsOf(command).find(({ name }) => name !== 'bodyFile' && input[name] !== undefined);
    if (part)
      throw usage(`--body-file is the whole body and cannot be combined with --${part.long}.`, 'Give one or the other');
    const whole = await readJsonFile(input.bodyFile, '--body-file', context);
    if (!(whole instanceof Map)) throw usage('--body-file must hold a JSON object.');
    return command.operation?.body ? withInterfaceNames(command.operation.body, whole) : whole;
  }
  const otherFields = await readFields();
  const body: Record<string, unknown> = {};
  for (const { name, path, readsJson, long } of optionsOf(command)) {
    const typed = input[name];
    if (!path || (typed === undefined && otherFields[name] === undefined)) continue;
    // A row of JSON may have the value itself in place of a file's name.
    const isFile = readsJson && typeof typed === 'string';
    const value = otherFields[name] ?? (isFile ? await readJsonFile(typed, `--${long}`, context) : typed);
    setAt(body, path, value);
  }
  return body;
}

/** Spells the members of a file's body as the interface does, because most platforms read them in any case. @throws usage for a member that is there twice */
export function withInterfaceNames(schema: ObjectSchema, body: Map<string, unknown>): Map<string, unknown> {
  const names = Object.keys(schema.properties ?? {});
  const known = new Map<string, unknown>();
  for (const [written, value] of body) {
    const name = names.find((each) => each.toLowerCase() === written.toLowerCase()) ?? written;
    if (known.has(name)) throw usage(`--body-file has ${name} twice, in different cases.`, 'Leave one of them out');
    const inner = names.includes(name) ? schema.properties?.[name] : schema.additionalProperties;
    known.set(name, inner ? withNamesInside(inner, value) : value);
  }
  return known;
}

function withNamesInside(schema: Schema, value: unknown): unknown {
  if (schema.type === 'object' && value instanceof Map) return withInterfaceNames(schema, value);
  if (schema.type !== 'array' || !Array.isArray(value)) return value;
  return value.map((item) => withNamesInside(schema.items, item));
}

function setAt(body: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) body[name] = value;
  else {
    body[name] ??= {};
    setAt(body[name] as Record<string, unknown>, rest, value); // made by the line above
  }
}

/** Refuses an empty change, which is a mistake even if the platform accepts it. @param otherwise the end of the hint */
export function refuseNothing(command: Command, body: object, otherwise = ''): void {
  if (fieldsOf(body).size > 0) return;
  const options = optionsOf(command)
    .filter(({ path }) => path)
    .map(({ long }) => `--${long}`);
  throw usage('There is nothing to change.', `Give at least one of: ${options.join(', ')}${otherwise}`);
}

/** Checks an input, and warns of values that some platforms may reject. @throws usage with all problems, each with its option */
export function checkRequest(command: Command, operation: Operation, input: AnyInput, context: Context): void {
  const { problems, warnings } = checkInput(operation, input);
  // Only a file gives the body as a Map; its members are not options.
  const isOfFile = (field = '') => input.body instanceof Map && !(field in operation.params);
  const withOptions = (found: readonly FieldProblem[]): readonly FailureDetail[] =>
    found.map((problem) => (isOfFile(problem.field) ? problem : inOptions(command, problem)));
  for (const { option, field, message } of withOptions(warnings))
    context.notice(`Note: ${option ?? (isOfFile(field) ? `--body-file: ${field}` : field)} ${message}.`);
  const first = problems.find(({ field }) => isOfFile(field));
  const nameOf = ({ option, field }: FailureDetail) =>
    option === '--org' ? sourceOfOrg(context) : first && field === first.field ? `--body-file: ${field}` : undefined;
  if (problems.length > 0) throw refusedInput(withOptions(problems), `See iiot ${command.name} --help`, nameOf);
}

/** A name for the organization in use by its source: "IIOT_ORG", "The organization of profile plant". */
export function sourceOfOrg({ settings }: Pick<Context, 'settings'>): string | undefined {
  const from = settings.resolved.org?.from;
  return from?.startsWith('profile ') ? `The organization of ${from}` : from;
}

/** Finds more problems of a command line in which some words are invalid. Leaves out missing fields, because they may be the invalid ones. */
export function furtherProblems(
  command: Command,
  read: { readonly input: JsonRecord; readonly problems: readonly FailureDetail[] },
): readonly FailureDetail[] {
  const { operation } = command;
  if (!operation) return [];
  const body: Record<string, unknown> = {};
  for (const { name, path, readsJson } of optionsOf(command)) {
    if (path && read.input[name] !== undefined && !readsJson) setAt(body, path, read.input[name]);
  }
  const found = checkInput(operation, { ...read.input, body }).problems.map((problem) => inOptions(command, problem));
  return found.filter(
    ({ option, message }) =>
      !/^(is required|needs at least)/.test(message) && !read.problems.some((known) => known.option === option),
  );
}

/** A problem that names the options for its fields. */
function inOptions(command: Command, { field, message, other }: FieldProblem): FailureDetail {
  const option = optionFor(command, field);
  const second = optionFor(command, other);
  const sentence = other !== undefined && second ? message.replace(/\S+$/, second) : message;
  return { field, message: sentence, option };
}

/** The problem of an option with an empty text, which is probably a variable that is not set, or a pipe without input. */
export function emptyProblem(command: Command, option: Option): FailureDetail {
  const { name, path = [name] } = fieldOf(command, option);
  return { field: path.join('.'), option: `--${option.long}`, message: 'is empty' };
}

/** Whether a text is empty, apart from the line ends that an editor or echo adds. */
export const isEmptyText = (text: string): boolean => /^[\r\n]*$/.test(text);

/** The hint for options with empty texts. */
export function emptyHint(command: Command, empty: readonly Option[]): string {
  const hints = empty.map(({ long, name, schema: { sets = name } }) => {
    const clear = optionsOf(command).find(({ schema }) => schema.type === 'boolean' && schema.sets === sets);
    if (!clear) return `Give a value, or leave out --${long}`;
    return `To empty the ${kebab(sets).replace('-', ' ')}: --${clear.long}`;
  });
  return hints.join('. ');
}

/** The option or argument for a field of the platform: "--channel-id" for notification.channelIds[0], "<deviceId>" for deviceId. */
export function optionFor(command: Command, field: string | undefined): string | undefined {
  if (!field) return undefined;
  const plain = plainPath(field.replace(/\[\d+\]$/, ''));
  const option = optionsOf(command).find(({ path, name }) => plainPath(path?.join('.') ?? name) === plain);
  if (option) return `--${option.long}`;
  const argument = Object.keys(command.arguments).find((name) => plainPath(name) === plain);
  if (argument) return `<${argument}>`;
  return plain === 'orgid' && command.operation?.params.orgId ? '--org' : undefined;
}

/** The place of a field in the given files: "body.json: delay", "--config-file: config.name", "--actions-file: [1].name"; undefined if it is in none. */
export function placeIn(command: Command, field: string | undefined, input: JsonRecord): string | undefined {
  if (!field) return undefined;
  if (typeof input.bodyFile === 'string') return `${input.bodyFile === '-' ? '--body-file' : input.bodyFile}: ${field}`;
  const plain = plainPath(field);
  const whole = optionsOf(command).find(({ path, name, readsJson }) => {
    const own = plainPath(path?.join('.') ?? '');
    return readsJson && input[name] !== undefined && plain.startsWith(own) && /^[.[]/.test(plain.slice(own.length));
  });
  if (!whole?.path) return undefined;
  const inside = field.replace(/^\$\.?/, '').slice(whole.path.join('.').length);
  return `--${whole.long}: ${inside.startsWith('[') ? inside : field}`;
}

/** Makes paths comparable, which platforms write in any case and from different roots: "$.Delay", "input.Delay". */
function plainPath(path: string): string {
  return path
    .replace(/^\$\.?/, '')
    .replace(/^input\./i, '')
    .toLowerCase();
}
