import type { Command } from '../../command/command.ts';
import { isField, type Option, optionsOf } from '../../command/option.ts';
import type { Operation } from '../../contract/operation.ts';
import { operations } from '../../contract/operations.ts';
import type { Schema } from '../../contract/schema.ts';
import { splitHeader } from '../../rows/csv.ts';
import { plainName as plain } from '../../text/alike.ts';
import type { RowFacts } from './facts.ts';
import type { RowsRun } from './plan.ts';

/** A column: an argument of the command, a field of its body, or a name that it passes on, such as a key of a device. */
export type InputColumn = {
  /** The name in `run`'s input. */
  readonly name: string;
  /** The name in the file. */
  readonly label: string;
  readonly schema: Schema;
  readonly option?: Option | undefined;
  readonly takesNull: boolean;
  /** The only value that cells may have, which is not sent: the organization of all rows. */
  readonly only?: string | undefined;
};

/** The names that a command accepts as columns: its arguments, and the fields of its operation's body by their options or by the platform's names. */
export type Vocabulary = ReturnType<typeof vocabularyOf>;

export function vocabularyOf({ command, facts, typed, ignored, orgId, place }: RowsRun) {
  const normalize = nameNormalizer(facts);
  const { known, words, elsewhere } = knownNames(command, facts, orgId);
  const recorded = recordedFields(command.operation);
  /** Finds the names of --ignore-columns. A value may be a name itself, or several names separated by commas. */
  const ignoredIn = (names: readonly string[]): ReadonlySet<string> => {
    if (ignored.length === 0) return new Set();
    const present = new Set(names.map(normalize));
    return new Set(
      ignored.flatMap((value) => (present.has(normalize(value)) ? value : splitIgnored(value))).map(normalize),
    );
  };
  return { command, facts, typed, place, known, words, elsewhere, recorded, normalize, ignoredIn };
}

/** Returns what normalizes the name of a column for comparisons: to its letters for a command's own columns, hardly at all for keys of a device. */
export function nameNormalizer({ others }: RowFacts): (name: string) => string {
  return others === undefined ? plain : (name) => name.trim().normalize('NFC');
}

export function splitIgnored(value: string): readonly string[] {
  return splitHeader(value, ',').filter(Boolean);
}

/** The names of a command's columns, and of the options that are not columns. */
function knownNames(command: Command, { key, others }: RowFacts, orgId: string | undefined) {
  const known = new Map<string, Omit<InputColumn, 'label'>>();
  const elsewhere = new Map<string, Option>();
  const text = { type: 'string', description: '' } as const;
  if (others !== undefined) {
    known.set(plain(key), { name: key, schema: text, takesNull: false });
    return { known, elsewhere, words: [key, others] };
  }
  if (orgId !== undefined) known.set(plain('orgId'), { name: 'orgId', schema: text, takesNull: false, only: orgId });
  for (const [name, schema] of Object.entries(command.arguments))
    known.set(plain(name), { name, schema, takesNull: false });
  const options = optionsOf(command);
  const fields = options.filter((each) => isField(command, each));
  for (const option of fields) {
    const { name, long, path, schema, readsJson } = option;
    const takesNull = [command.operation?.body?.properties?.[name]?.type].flat().includes('null');
    for (const word of [path?.join('.') ?? name, name, ...(readsJson ? [] : [long])])
      known.set(plain(word), { name, schema, option, takesNull });
  }
  for (const option of options)
    for (const word of [option.name, option.long]) if (!known.has(plain(word))) elsewhere.set(plain(word), option);
  const longs = fields.map(({ name, long, readsJson }) => (readsJson ? name : long));
  return { known, elsewhere, words: [...Object.keys(command.arguments), ...longs] };
}

/** The fields that the interface names in the record of an operation, or in a list of such records. */
function recordedFields(operation: Operation | undefined): ReadonlySet<string> {
  const list = (operations as readonly Operation[]).find(({ id }) => id === `${operation?.id.split('.')[0]}.list`);
  const items = list?.responseSchema?.type === 'array' ? list.responseSchema.items : undefined;
  const fields = [items, operation?.responseSchema].map((each) => (each?.type === 'object' ? each.properties : {}));
  return new Set(fields.flatMap((each) => Object.keys(each ?? {}).map(plain)));
}
