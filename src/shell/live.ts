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

async function valuesOf(kind: LiveKind, context: Context, command?: string): Promise<readonly SeenValue[]> {
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
  const read = readers[kind];
  const now = context.world.now();
  if (!read || (seen.at > now - freshness && seen.at <= now)) return withConfigured(kind, seen, context);
  try {
    const values = await read(context);
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
function withConfigured(kind: LiveKind, { values }: SeenValues, { store }: Context): readonly SeenValue[] {
  if (kind !== 'organizations') return values;
  const configured = Object.entries(store.readConfig().profiles).flatMap(([name, { org }]): SeenValue[] =>
    org === undefined || values.some(([id]) => id === org) ? [] : [[org, `profile ${name}`]],
  );
  return [...values, ...configured];
}

type Reader = (context: Context) => Promise<readonly SeenValue[]>;

const readers: Readonly<Partial<Record<LiveKind, Reader>>> = {
  async templates(context) {
    const { listTemplates } = await import('../contract/templates.ts');
    const input = { orgId: context.settings.resolved.org?.value ?? '', maxResultCount: 100 };
    return read(listTemplates, input, 'templateId', context);
  },
  async credentials(context) {
    const { listCredentials } = await import('../contract/credentials.ts');
    return read(listCredentials, {}, 'clientCredentialId', context);
  },
};

async function read(operation: Operation, input: AnyInput, id: string, context: Context) {
  const [{ openPlatform }, { readPage }, { storedSession }, { toRequest }] = await Promise.all([
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
  const { value } = await platform.send(operation, toRequest(operation, input));
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
