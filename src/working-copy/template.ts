import { createHash } from 'node:crypto';

/** A template from the platform's list or from a file. */
export type TemplateDocument = {
  readonly templateId: string;
  /** All fields except the ID and the content, in order, including unknown ones. */
  readonly fields: ReadonlyMap<string, unknown>;
  readonly content: string;
};

/** The fields that an update can change, besides the content. */
export const changeable = ['name', 'subject', 'channelTypes', 'tags'] as const;

/** A hash for each field, including the content. */
export type Hashes = ReadonlyMap<string, string>;

export function hashesOf({ fields, content }: TemplateDocument): Hashes {
  const all: [string, unknown][] = [...fields, ['content', content]];
  return new Map(all.map(([name, value]) => [name, hash(value)]));
}

/** The hash of a missing field, or of null. */
export const hashOfNothing = hash(null);

/** The fields that differ, including the content. Fields that `wanted` lacks stay unchanged, so they are not differences. */
export function differences(local: TemplateDocument, stored: TemplateDocument): string[] {
  const differ = changeable.filter(
    (name) => local.fields.has(name) && canonical(local.fields.get(name)) !== canonical(stored.fields.get(name)),
  );
  return local.content === stored.content ? differ : [...differ, 'content'];
}

/** Whether the fields that an update cannot change are the same. */
export function haveSameFixedFields(one: TemplateDocument, other: TemplateDocument): boolean {
  return canonical(othersOf(one.fields)) === canonical(othersOf(other.fields));
}

function othersOf(fields: TemplateDocument['fields']): ReadonlyMap<string, unknown> {
  return new Map([...fields].filter(([name]) => !isChangeable(name)));
}

export function isChangeable(name: string): boolean {
  return (changeable as readonly string[]).includes(name); // any name may be passed
}

/** The value of a field or of the content. */
export function fieldOf({ fields, content }: TemplateDocument, name: string): unknown {
  return name === 'content' ? content : fields.get(name);
}

/** The same text for equal values: objects and Maps are treated alike, and the order of members does not matter. Null equals absent. */
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
