import type { Command } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { placeOf, readSeen, type SeenValue, writeSeen } from './seen.ts';
import type { LiveKind } from './values.ts';

const kinds: Readonly<Record<string, LiveKind>> = {
  orgId: 'organizations',
  templateId: 'templates',
  channelId: 'channels',
  clientCredentialId: 'credentials',
  alertPolicyId: 'policies',
  deviceId: 'devices',
};

/**
 * After a successful command, stores the IDs it used and the fields it showed, so that completions can offer them, and removes IDs it has deleted. For
 * most kinds of IDs the interface has no list.
 */
export async function rememberIds(
  { name, operation }: Command,
  input: Readonly<Record<string, unknown>>,
  { settings, store, options }: Context,
  fields: readonly string[],
): Promise<void> {
  const { baseUrl, org } = settings.resolved;
  if (!operation || !baseUrl || options.dryRun) return;
  await rememberColumns(fields, placeOf('columns', baseUrl.value, name), store);
  const used = Object.keys(operation.params).flatMap((name): [LiveKind, string][] => {
    const value = input[name] ?? (name === 'orgId' ? org?.value : undefined);
    const kind = kinds[name];
    return kind && typeof value === 'string' && value !== '' ? [[kind, value]] : [];
  });
  for (const [kind, id] of used) {
    const place = placeOf(kind, baseUrl.value, org?.value);
    const { at, values } = readSeen(store, place);
    const gone = operation.method === 'DELETE' && isTarget(operation.path, kind);
    const next = gone ? values.filter(([each]) => each !== id) : withFirst(values, id);
    if (next.length !== values.length || next[0] !== values[0]) await writeSeen(store, place, { at, values: next });
  }
}

/** A name with a comma cannot be one of several. */
async function rememberColumns(fields: readonly string[], place: string, store: Context['store']): Promise<void> {
  const { values } = readSeen(store, place);
  const further = fields.filter(
    (name) => /^[^,\p{C}]{1,100}$/u.test(name) && !values.some(([known]) => known === name),
  );
  if (further.length === 0) return;
  await writeSeen(store, place, { at: 0, values: [...further.map((name): SeenValue => [name, '']), ...values] });
}

/** A deleted item is the last one in the path. */
function isTarget(path: string, kind: LiveKind): boolean {
  return kinds[/\{(\w+)\}$/.exec(path)?.[1] ?? ''] === kind;
}

/** The most recently used value comes first. */
function withFirst(values: readonly SeenValue[], id: string): readonly SeenValue[] {
  const known = values.find(([each]) => each === id);
  return known && known === values[0] ? values : [known ?? [id, ''], ...values.filter((each) => each !== known)];
}
