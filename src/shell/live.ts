/** Reads values for completions that only this machine or the platform knows. */

import type { Command, Groups, LiveKind } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { placeOf, placesOf } from '../command/place.ts';
import { baseUrl } from '../command/target.ts';
import { isSameId } from '../contract/formats.ts';
import { type Place, sameTenant } from '../place.ts';
import { isRecord, memberOf } from '../text/record.ts';
import { answerTab } from './complete.ts';
import type { Grammar } from './grammar.ts';
import { readSeen, type SeenValue, type SeenValues, seenKey, writeSeen } from './seen.ts';
import { loadCommands } from './tree.ts';

/** How long the platform may take, in milliseconds: somebody has pressed the Tab key and waits. */
export const patience = 350;

/** How long a list from the platform stays fresh, in milliseconds. */
const freshness = 60_000;

/** The answer to a Tab. Never prompts, renews a token or waits longer than `patience`. After a failure, it offers fewer values. */
export async function completeLive(
  words: readonly string[],
  grammar: Grammar,
  groups: Groups,
  open: (line: readonly string[]) => Context,
): Promise<string> {
  return answerTab(words, grammar, async ({ what, line, rest, command }) => {
    try {
      const listing = groups.filter(({ name }) => grammar.listing.includes(name));
      const values =
        what === 'template-files' ? await templateFiles(rest) : await findValues(what, open(line), listing, command);
      return values.map(([word, says]) => ({ word, says }));
    } catch {
      return [];
    }
  });
}

export function optionValueIn(line: readonly string[], option: string): string | undefined {
  const inline = line.findLast((word) => word.startsWith(`--${option}=`));
  if (inline !== undefined) return inline.slice(option.length + 3);
  const at = line.lastIndexOf(`--${option}`);
  return at < 0 ? undefined : line[at + 1];
}

/** The values of a kind. Of a list of the platform they are those of the first page. */
export async function findValues(
  kind: LiveKind,
  context: Context,
  groups: Groups,
  command?: string,
): Promise<readonly SeenValue[]> {
  const { settings, store } = context;
  if (kind === 'columns') return readSeen(store, seenKey(kind, await placeOf(context), command)).values;
  if (kind === 'profiles')
    return Object.entries(store.readConfig().profiles).map(([name, { baseUrl: base = '' }]) => [name, base]);
  if (kind === 'changes')
    return (await (await import('../store/history.ts')).readHistory(store.folder)).entries.map(
      ({ id, at, operation }) => [id, `${at} ${operation}`],
    );
  if (kind === 'paths') return readPaths(settings.resolved.org?.value);
  if (kind === 'requests') return [...methods, ...(await findValues('paths', context, groups))];
  if (kind === 'template-names') {
    const templates = await findValues('templates', context, groups);
    return templates.filter(([, name]) => name !== '').map(([id, name]) => [name, id]);
  }
  const here = await placeOf(context);
  const place = seenKey(kind, here, settings.resolved.org?.value);
  const seen = readSeen(store, place);
  const now = context.world.now();
  const list = await findList(kind, context, groups);
  if (!list || (seen.at > now - freshness && seen.at <= now)) return withConfigured(kind, seen, here, context);
  try {
    const values = await readFirstPage(list, context);
    await writeSeen(store, place, { at: now, values });
    return values;
  } catch {
    return seen.values;
  }
}

/** The files of a folder of templates, and the IDs that were pulled into it, without words that are typed already. */
async function templateFiles([dir = '', ...typed]: readonly string[]): Promise<readonly SeenValue[]> {
  const [{ readFileNames }, { readPullRecord }] = await Promise.all([
    import('../working-copy/folder.ts'),
    import('../working-copy/record.ts'),
  ]);
  const pulled = [...readPullRecord(dir).templates].map(([id, { file }]): SeenValue => [id, file]);
  const idOf = new Map(pulled.map(([id, file]) => [file, id]));
  const files = (readFileNames(dir) ?? []).map((name): SeenValue => [name, idOf.get(name) ?? '']);
  return [...files, ...pulled].filter(([word]) => !typed.includes(word));
}

/** Adds the organizations of profiles for the same tenant. */
function withConfigured(kind: LiveKind, { values }: SeenValues, here: Place, context: Context): readonly SeenValue[] {
  if (kind !== 'organizations') return values;
  const configured = placesOf(context).filter((each) => sameTenant(here, each) !== 'other');
  const orgs = new Map<string, string>();
  for (const { org, profile } of configured)
    if (org !== undefined && ![...values, ...orgs].some(([id]) => isSameId(id, org)))
      orgs.set(org, `profile ${profile}`);
  return [...values, ...orgs];
}

const pageSize = 100;

/** The command that lists a kind. Undefined in a dry run, which sends nothing. */
export async function findList(kind: LiveKind, { options }: Context, groups: Groups): Promise<Command | undefined> {
  return options.dryRun ? undefined : (await loadCommands(groups)).find(({ lists }) => lists?.kind === kind);
}

export async function* readValuePages(list: Command, context: Context): AsyncGenerator<readonly SeenValue[]> {
  for await (const items of listItems(list, context)) yield items.flatMap((item) => seenIn(item, list.lists?.id ?? ''));
}

export async function* listItems(list: Command, context: Context): AsyncGenerator<readonly unknown[]> {
  const [platform, { pages }] = await Promise.all([context.platform(), import('../http/pages.ts')]);
  const { operation, id, first } = await listRequest(list, context);
  const fetchPage = async (skip: number) => {
    const query = Object.entries({ skipCount: `${skip}`, maxResultCount: `${pageSize}` });
    return (await platform.send(operation, skip === 0 ? first : { ...first, query })).value;
  };
  const request = { skip: 0, largestPage: pageSize, id };
  for await (const { items } of pages(fetchPage, request, () => undefined)) yield items;
}

async function readFirstPage(list: Command, context: Context): Promise<readonly SeenValue[]> {
  const [{ operation, id, first }, { openPlatform }, { readListPage }, { storedSession }] = await Promise.all([
    listRequest(list, context),
    import('../http/platform.ts'),
    import('../http/list-page.ts'),
    import('../auth/open-session.ts'),
  ]);
  const { settings, store, world } = context;
  const base = baseUrl(context);
  const { profile, stored, resolved } = settings;
  const place = { base, profile: profile.value, tenant: resolved.tenant, account: stored.account };
  const session = storedSession({ settings: place, env: world.env, store, now: world.now });
  await session.bearer();
  const platform = openPlatform({ base, exchange: await context.exchange(), session });
  const { value } = await platform.send(operation, first);
  return readListPage(value, 0).items.flatMap((item) => seenIn(item, id));
}

/** The first request for a list without filters. */
async function listRequest({ operation, lists }: Command, { settings }: Context) {
  if (!operation || !lists) throw new Error('no list');
  const { toRequest } = await import('../contract/wire.ts');
  const orgId = operation.params.orgId && (settings.resolved.org?.value ?? '');
  const first = toRequest(operation, { orgId, maxResultCount: operation.params.maxResultCount && pageSize });
  return { operation, id: lists.id, first };
}

function seenIn(item: unknown, id: string): SeenValue[] {
  if (!isRecord(item)) return [];
  const [value, name] = [memberOf(item, id), memberOf(item, 'name')];
  return typeof value === 'string' ? [[value, typeof name === 'string' ? name : '']] : [];
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method): SeenValue => [method, '']);

/** The interface's paths for `iiot api`, with the organization filled in. */
async function readPaths(org: string | undefined): Promise<readonly SeenValue[]> {
  const { operations } = await import('../contract/operations.ts');
  return operations
    .filter(({ security }) => security === 'bearer')
    .map(({ path, method, summary }) => [path.replace('{orgId}', org ?? '{orgId}'), `${method}: ${summary}`]);
}
