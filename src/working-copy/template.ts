import { createHash } from 'node:crypto';

/** A template, as a list of the platform and as a file have it. */
export type Template = {
  readonly templateId: string;
  /** All but the id and the content, in their order; what this tool does not know as well. */
  readonly fields: ReadonlyMap<string, unknown>;
  readonly content: string;
};

/** What an update can change, the content beside. */
export const changeable = ['name', 'subject', 'channelTypes', 'tags'] as const;

/** A hash for each field, content included. */
export type Hashes = ReadonlyMap<string, string>;

export function hashesOf({ fields, content }: Template): Hashes {
  const all: [string, unknown][] = [...fields, ['content', content]];
  return new Map(all.map(([name, value]) => [name, hash(value)]));
}

/** The hash of a field that is not there, or null. */
export const hashOfNothing = hash(null);

/** The fields that differ, content included. What `wanted` does not have stays as it is, and so is no difference. */
export function differences(wanted: Template, stored: Template): string[] {
  const differ = changeable.filter(
    (name) => wanted.fields.has(name) && canonical(wanted.fields.get(name)) !== canonical(stored.fields.get(name)),
  );
  return wanted.content === stored.content ? differ : [...differ, 'content'];
}

/** Whether the fields that an update cannot change are the same. */
export function haveSameOthers(one: Template, other: Template): boolean {
  return canonical(othersOf(one.fields)) === canonical(othersOf(other.fields));
}

function othersOf(fields: Template['fields']): ReadonlyMap<string, unknown> {
  return new Map([...fields].filter(([name]) => !isChangeable(name)));
}

export function isChangeable(name: string): boolean {
  return (changeable as readonly string[]).includes(name); // any name may be asked for
}

/** The value of a field, content included. */
export function fieldOf({ fields, content }: Template, name: string): unknown {
  return name === 'content' ? content : fields.get(name);
}

/** The same text for the same value, whatever holds its members and in whatever order they are. Null and absent are the same. */
export function canonical(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const members: [string, unknown][] = value instanceof Map ? [...value] : Object.entries(value);
  return `{${members
    .sort(byName)
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`)
    .join(',')}}`;
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function hash(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('base64url').slice(0, 22);
}
