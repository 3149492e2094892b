/** Finds changes that break a script: things of an earlier surface that are gone, accept less, or give less. New things break nothing. */

/** A schema of an option, an argument or a result, as docs/internals/surface.json has it. */
type Schema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  /** The names of required properties, or for an option or argument, whether it has to be given. */
  readonly required?: readonly string[] | true;
  readonly repeatable?: true;
  /** The name of an argument, which is also that of a column of rows, and of a field of a tool. */
  readonly name?: string;
  readonly short?: string;
  readonly negative?: string;
  readonly default?: string | number;
} & Readonly<Partial<Record<(typeof most)[number] | (typeof least)[number], number>>>;

const most = ['maximum', 'maxLength', 'maxItems'] as const;
const least = ['minimum', 'minLength', 'minItems'] as const;

type Named<T> = Readonly<Record<string, T>>;
type Lists = Named<readonly string[]>;

type CommandSurface = {
  readonly aliases?: readonly string[];
  readonly keys?: readonly string[];
  readonly changes: boolean;
  readonly undoable: boolean | null;
  readonly arguments: readonly Schema[];
  readonly options: Named<Schema>;
  /** The names of its options for rows. */
  readonly rowOptions?: readonly string[];
  readonly exitCodes: readonly string[];
  readonly result: Schema;
  readonly dryRunResult?: Schema;
};

export type Surface = {
  readonly version: string;
  readonly options: Named<Schema>;
  readonly commands: Named<CommandSurface>;
  /** Shared by all commands with `--rows`. */
  readonly rows: { readonly options: Named<Schema>; readonly result: Schema; readonly dryRun: Schema };
  readonly exitCodes: readonly string[];
  readonly errorCodes: readonly string[];
  readonly variables: readonly string[];
  readonly files: readonly string[];
  readonly topics: readonly string[];
  readonly templateFields: readonly string[];
  readonly tools: Lists;
  readonly exports: readonly string[];
};

/** A line for each break, such as "orgs users list --role admin": the option no longer takes the value. */
export function breaksBetween(before: Surface, now: Surface): readonly string[] {
  const lists = ({ exitCodes, errorCodes, variables, files, topics, ...others }: Surface): Lists => ({
    ...{ 'exit code': exitCodes, 'error code': errorCodes, variable: variables, file: files, 'help topic': topics },
    ...{ 'template field': others.templateFields, tool: Object.keys(others.tools), export: others.exports },
  });
  return [
    ...missing('', lists(before), lists(now)),
    ...missing('tool ', before.tools, { ...before.tools, ...now.tools }),
    ...optionBreaks('every command', before.options, now.options),
    ...outputBreaks('rows result', before.rows.result, now.rows.result),
    ...outputBreaks('rows dry run', before.rows.dryRun, now.rows.dryRun),
    ...Object.entries(before.commands).flatMap(([name, command]) => {
      const same = now.commands[name];
      return same ? commandBreaks(name, withRowOptions(command, before), withRowOptions(same, now)) : [name];
    }),
  ];
}

/** A command with its options for rows among the others. */
function withRowOptions(command: CommandSurface, { rows }: Surface): CommandSurface {
  const named = Object.entries(rows.options).filter(([name]) => command.rowOptions?.includes(name));
  return { ...command, options: { ...command.options, ...Object.fromEntries(named) } };
}

function commandBreaks(name: string, before: CommandSurface, now: CommandSurface): readonly string[] {
  const lists = ({ aliases = [], keys = [], exitCodes }: CommandSurface) => ({
    alias: aliases,
    key: keys,
    'exit code': exitCodes,
  });
  const isSafe = ({ changes, undoable }: CommandSurface) => !changes || undoable === true;
  return [
    ...missing(`${name} `, lists(before), lists(now)),
    ...(before.changes === now.changes ? [] : [`${name} changes`]),
    ...(isSafe(before) && !isSafe(now) ? [`${name} undoable`] : []),
    ...before.arguments.flatMap((each, at) => {
      const same = now.arguments[at];
      return same ? inputBreaks(`${name} argument ${at + 1}`, each, same) : [`${name} argument ${at + 1}`];
    }),
    ...now.arguments
      .slice(before.arguments.length)
      .flatMap((each) => (each.required ? [`${name} one argument more`] : [])),
    ...optionBreaks(name, before.options, now.options),
    ...outputBreaks(`${name} result`, before.result, now.result),
    ...outputBreaks(`${name} dry run`, before.dryRunResult ?? {}, now.dryRunResult ?? {}),
  ];
}

function missing(path: string, before: Lists, now: Lists): readonly string[] {
  return Object.entries(before).flatMap(([what, names]) =>
    names.filter((each) => !now[what]?.includes(each)).map((each) => `${path}${what} ${each}`),
  );
}

function optionBreaks(path: string, before: Named<Schema>, now: Named<Schema>): readonly string[] {
  const added = Object.entries(now).filter(([name, { required }]) => required && !(name in before));
  return [
    ...Object.entries(before).flatMap(([name, option]) => {
      const same = now[name];
      return same ? inputBreaks(`${path} ${name}`, option, same) : [`${path} ${name}`];
    }),
    ...added.map(([name]) => `${path} ${name} required`),
  ];
}

/** A line for each way in which an option or argument accepts less than before. */
function inputBreaks(path: string, before: Schema, now: Schema): readonly string[] {
  const lostWords = before.enum?.filter((each) => now.enum && !now.enum.includes(each)) ?? [];
  const wrong: Named<boolean> = {
    type: !isWithin(before, now),
    name: before.name !== now.name,
    enum: before.enum === undefined && now.enum !== undefined,
    required: !before.required && now.required === true,
    repeatable: before.repeatable === true && !now.repeatable,
    default: before.default !== undefined && before.default !== now.default,
    short: before.short !== undefined && before.short !== now.short,
    negative: before.negative !== undefined && before.negative !== now.negative,
    ...Object.fromEntries(most.map((word) => [word, (now[word] ?? Infinity) < (before[word] ?? Infinity)])),
    ...Object.fromEntries(least.map((word) => [word, (now[word] ?? -Infinity) > (before[word] ?? -Infinity)])),
  };
  return [
    ...Object.keys(wrong).flatMap((word) => (wrong[word] ? [`${path} ${word}`] : [])),
    ...lostWords.map((word) => `${path} ${word}`),
  ];
}

/** A line for each way in which a result gives less than before. New values of an enumeration break nothing: programs have to expect unknown ones. */
function outputBreaks(path: string, before: Schema, now: Schema): readonly string[] {
  const names = ({ required }: Schema) => (Array.isArray(required) ? (required as readonly string[]) : []);
  const lost = Object.keys(before.properties ?? {}).filter((name) => !now.properties?.[name]);
  return [
    ...(isWithin(now, before) ? [] : [`${path} type`]),
    ...lost.map((name) => `${path} ${name}`),
    ...names(before).flatMap((name) =>
      names(now).includes(name) || lost.includes(name) ? [] : [`${path} ${name} required`],
    ),
    ...Object.entries(before.properties ?? {}).flatMap(([name, schema]) => {
      const same = now.properties?.[name];
      return same ? outputBreaks(`${path} ${name}`, schema, same) : [];
    }),
    ...(before.items ? outputBreaks(`${path} item`, before.items, now.items ?? {}) : []),
  ];
}

/** Whether every type of one is a type of the other. Without a type, it is any. */
function isWithin(one: Schema, other: Schema): boolean {
  const [inner, outer] = [one, other].map(({ type }) => (typeof type === 'string' ? [type] : type));
  return outer === undefined || inner?.every((type) => outer.includes(type)) === true;
}
