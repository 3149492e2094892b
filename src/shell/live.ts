/** Completions that only this machine or the platform knows. */

import type { LiveKind } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { baseUrl } from '../command/target.ts';
import type { Operation } from '../contract/operation.ts';
import type { AnyInput } from '../contract/wire.ts';
import { isRecord, memberOf } from '../text/record.ts';
import { answerTab } from './complete.ts';
import type { Grammar } from './grammar.ts';
import { placeOf, readSeen, type SeenValue, type SeenValues, writeSeen } from './seen.ts';

/** How long the platform may take, in milliseconds: somebody is waiting for the Tab key. */
export const patience = 350;

/** How long a list from the platform stays fresh, in milliseconds. */
const freshness = 60_000;

/**
 * The answer to a Tab. It never asks, never renews a token, never waits for the platform longer than `patience`, and reports no failure: it only
 * offers fewer values.
 * @param words the shell, and the words passed by its script
 */
export async function completeLive(
  words: readonly string[],
  grammar: Grammar,
  open: (line: readonly string[]) => Context,
): Promise<string> {
  return answerTab(words, grammar, async ({ what, line, rest, command }) => {
    try {
      const values = what === 'template-files' ? await templateFiles(rest) : await valuesOf(what, open(line), command);
      return values.map(([word, says]) => ({ word, says }));
    } catch {
      return [];
    }
  });
}

export function valueIn(line: readonly string[], option: string): string | undefined {
  const inline = line.findLast((word) => word.startsWith(`--${option}=`));
  if (inline !== undefined) return inline.slice(option.length + 3);
  const at = line.lastIndexOf(`--${option}`);
  return at < 0 ? undefined : line[at + 1];
}

/** The values of a kind, of a list of the platform those of its first page. */
export async function valuesOf(kind: LiveKind, context: Context, command?: string): Promise<readonly SeenValue[]> {
  const { settings, store } = context;
  // The fields that the command has shown of this platform.
  if (kind === 'columns') return readSeen(store, placeOf(kind, baseUrl(context), command)).values;
  if (kind === 'profiles')
    return Object.entries(store.readConfig().profiles).map(([name, { baseUrl: base = '' }]) => [name, base]);
  if (kind === 'paths') return paths(settings.resolved.org?.value);
  if (kind === 'requests') return [...methods, ...(await valuesOf('paths', context))];
  if (kind === 'template-names') {
    const templates = await valuesOf('templates', context);
    return templates.filter(([, name]) => name !== '').map(([id, name]) => [name, id]);
  }
  const place = placeOf(kind, baseUrl(context), settings.resolved.org?.value);
  const seen = readSeen(store, place);
  const list = listOf(kind, context);
  const now = context.world.now();
  if (!list || (seen.at > now - freshness && seen.at <= now)) return withConfigured(kind, seen, context);
  try {
    const values = await firstPage(list, context);
    await writeSeen(store, place, { at: now, values });
    return values;
  } catch {
    return seen.values;
  }
}

/** The files of a folder of templates, and the IDs that were pulled into it, without those that are typed already. */
async function templateFiles([dir = '', ...typed]: readonly string[]): Promise<readonly SeenValue[]> {
  const [{ fileNames }, { readPullRecord }] = await Promise.all([
    import('../working-copy/folder.ts'),
    import('../working-copy/record.ts'),
  ]);
  const pulled = [...readPullRecord(dir).templates].map(([id, { file }]): SeenValue => [id, file]);
  const idOf = new Map(pulled.map(([id, file]) => [file, id]));
  const files = (fileNames(dir) ?? []).map((name): SeenValue => [name, idOf.get(name) ?? '']);
  return [...files, ...pulled].filter(([word]) => !typed.includes(word));
}

/** Profiles name organizations, too. */
function withConfigured(kind: LiveKind, { values }: SeenValues, context: Context): readonly SeenValue[] {
  if (kind !== 'organizations') return values;
  const base = baseUrl(context);
  const configured = Object.entries(context.store.readConfig().profiles).flatMap(
    ([name, { org, baseUrl: own = base }]): SeenValue[] =>
      org === undefined || own !== base || values.some(([id]) => id === org) ? [] : [[org, `profile ${name}`]],
  );
  return [...values, ...configured];
}

/** A list of the platform. */
type List = {
  readonly operation: () => Promise<Operation>;
  readonly id: string;
  readonly input: (context: Context) => AnyInput;
};

const lists: Readonly<Partial<Record<LiveKind, List>>> = {
  templates: {
    operation: async () => (await import('../contract/templates.ts')).listTemplates,
    id: 'templateId',
    input: ({ settings }) => ({ orgId: settings.resolved.org?.value ?? '', maxResultCount: pageSize }),
  },
  credentials: {
    operation: async () => (await import('../contract/credentials.ts')).listCredentials,
    id: 'clientCredentialId',
    input: () => ({}),
  },
};

const pageSize = 100;

/** A dry run sends nothing, not even this. */
function listOf(kind: LiveKind, { options }: Context): List | undefined {
  return options.dryRun ? undefined : lists[kind];
}

/** Whether the platform has a list of all values. */
export function isListed(kind: LiveKind, context: Context): boolean {
  return listOf(kind, context) !== undefined;
}

/** The values of a kind, read page by page where the platform has a list of them. */
export async function* valuePages(kind: LiveKind, context: Context): AsyncGenerator<readonly SeenValue[]> {
  const list = listOf(kind, context);
  if (!list) {
    yield await valuesOf(kind, context);
    return;
  }
  const [operation, platform] = await Promise.all([list.operation(), context.platform()]);
  const [{ pages }, { toRequest }] = await Promise.all([import('../http/pages.ts'), import('../contract/wire.ts')]);
  const first = toRequest(operation, list.input(context));
  const fetchPage = async (skip: number) => {
    const query = Object.entries({ skipCount: `${skip}`, maxResultCount: `${pageSize}` });
    return (await platform.send(operation, skip === 0 ? first : { ...first, query })).value;
  };
  const request = { skip: 0, largestPage: pageSize, id: list.id };
  for await (const { items } of pages(fetchPage, request, () => undefined))
    yield items.flatMap((item) => seenIn(item, list.id));
}

async function firstPage({ operation: load, input, id }: List, context: Context): Promise<readonly SeenValue[]> {
  const [operation, { openPlatform }, { readPage }, { storedSession }, { toRequest }] = await Promise.all([
    load(),
    import('../http/platform.ts'),
    import('../http/pages.ts'),
    import('../auth/open-session.ts'),
    import('../contract/wire.ts'),
  ]);
  const { settings, store, world } = context;
  const base = baseUrl(context);
  const parts = { settings: { base, profile: settings.profile.value }, env: world.env, store, now: world.now };
  const session = storedSession(parts);
  await session.bearer();
  const platform = openPlatform({ base, exchange: await context.exchange(), session });
  const { value } = await platform.send(operation, toRequest(operation, input(context)));
  return readPage(value, 0).items.flatMap((item) => seenIn(item, id));
}

function seenIn(item: unknown, id: string): SeenValue[] {
  if (!isRecord(item)) return [];
  const [value, name] = [memberOf(item, id), memberOf(item, 'name')];
  return typeof value === 'string' ? [[value, typeof name === 'string' ? name : '']] : [];
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method): SeenValue => [method, '']);

/** The interface's paths for `iiot api`, with the organization filled in. */
async function paths(org: string | undefined): Promise<readonly SeenValue[]> {
  const { operations } = await import('../contract/operations.ts');
  return operations
    .filter(({ security }) => security === 'bearer')
    .map(({ path, method, summary }) => [path.replace('{orgId}', org ?? '{orgId}'), `${method}: ${summary}`]);
}
