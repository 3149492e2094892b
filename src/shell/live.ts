/** `iiot __complete KIND [WORD…]`: the values that only this machine or the platform knows, for the completions of a shell. */
import { readySession } from '../auth/ready.ts';
import { type Context, openContext, type Run, type World } from '../context.ts';
import { listCredentials } from '../contract/credentials.ts';
import type { Operation } from '../contract/operation.ts';
import { operations } from '../contract/operations.ts';
import { listTemplates } from '../contract/templates.ts';
import { type AnyInput, toRequest } from '../contract/wire.ts';
import { createMask } from '../http/mask.ts';
import { visible } from '../output/visible.ts';
import { readSettings } from '../settings.ts';
import { openStore } from '../store/store.ts';
import { baseUrl } from '../target.ts';
import { type LiveKind, liveKinds } from './live-kinds.ts';
import { placeOf, readSeen, type Seen, type SeenValue, writeSeen } from './seen.ts';

/** How long the platform may take, in milliseconds: a person waits with a finger on the key. */
const patience = 350;
/** How long a list from the platform is good, in milliseconds. */
const freshness = 60_000;

/**
 * The values of a kind, a line each: the value, a tab, what it is. No question, no renewal, no waiting beyond half a second, and no
 * word of any failure: then there are simply fewer values.
 * @param words the kind, and the words of the command line so far, of which --profile, --base-url and --org count
 */
export async function completeLive(words: readonly string[], world: World, run: Run): Promise<string> {
  const [kind, ...line] = words;
  const known = liveKinds.find((each) => each === kind);
  if (!known) return '';
  try {
    const values = known === 'zones' ? zones() : await valuesOf(known, contextOf(line, world, run));
    return values.map(([value, label]) => `${visible(value)}\t${visible(label)}\n`).join('');
  } catch {
    return '';
  }
}

function contextOf(line: readonly string[], world: World, run: Run): Context {
  const { env, platform, homedir, uid, now } = world;
  const store = openStore({ env, platform, homedir, uid, now, warn: () => undefined });
  const options = { profile: valueIn(line, 'profile'), baseUrl: valueIn(line, 'base-url'), org: valueIn(line, 'org') };
  const settings = readSettings(options, env, () => store.readConfig());
  const interrupt = AbortSignal.any([world.interrupt, AbortSignal.timeout(patience)]);
  // Not by spreading: standard input opens as soon as it is looked at.
  const hurried: World = Object.create(world, { interrupt: { value: interrupt } });
  return openContext({
    world: hurried,
    options: { quiet: true },
    settings: { ...settings, timeout: patience, retries: 0 },
    store,
    mask: createMask(new Set()),
    run,
  });
}

function valueIn(line: readonly string[], option: string): string | undefined {
  const inline = line.findLast((word) => word.startsWith(`--${option}=`));
  if (inline !== undefined) return inline.slice(option.length + 3);
  const at = line.lastIndexOf(`--${option}`);
  return at < 0 ? undefined : line[at + 1];
}

async function valuesOf(kind: LiveKind, context: Context): Promise<readonly SeenValue[]> {
  const { settings, store } = context;
  if (kind === 'profiles') return profiles(context);
  if (kind === 'paths') return paths(settings.sourced.org?.value);
  if (kind === 'template-names') {
    const templates = await valuesOf('templates', context);
    return templates.filter(([, name]) => name !== '').map(([id, name]) => [name, id]);
  }
  const place = placeOf(kind, baseUrl(context), settings.sourced.org?.value);
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

function profiles({ store }: Context): readonly SeenValue[] {
  return Object.entries(store.readConfig().profiles).map(([name, { baseUrl: base = '' }]) => [name, base]);
}

/** Organizations stand in profiles, too. */
function withConfigured(kind: LiveKind, { values }: Seen, { store }: Context): readonly SeenValue[] {
  if (kind !== 'organizations') return values;
  const configured = Object.entries(store.readConfig().profiles).flatMap(([name, { org }]): SeenValue[] =>
    org === undefined || values.some(([id]) => id === org) ? [] : [[org, `profile ${name}`]],
  );
  return [...values, ...configured];
}

type Reader = (context: Context) => Promise<readonly SeenValue[]>;

const readers: Readonly<Partial<Record<LiveKind, Reader>>> = {
  templates: (context) =>
    read(
      listTemplates,
      { orgId: context.settings.sourced.org?.value ?? '', maxResultCount: 100 },
      'templateId',
      context,
    ),
  credentials: (context) => read(listCredentials, {}, 'clientCredentialId', context),
};

async function read(operation: Operation, input: AnyInput, id: string, context: Context) {
  const [{ openPlatform }, { readPage }] = await Promise.all([import('../http/call.ts'), import('../http/page.ts')]);
  const { settings, store, world } = context;
  const base = baseUrl(context);
  const parts = { settings: { base, profile: settings.profile.value }, env: world.env, store, now: world.now };
  const session = readySession(parts);
  await session.bearer();
  const platform = openPlatform({ base, exchange: await context.exchange(), session });
  const { value } = await platform.send(operation, toRequest(operation, input));
  return readPage(value, 0).items.flatMap((item) => seenIn(item, id));
}

function seenIn(item: unknown, id: string): SeenValue[] {
  if (typeof item !== 'object' || item === null) return [];
  const { [id]: value, name } = item as Readonly<Record<string, unknown>>; // any object is one
  return typeof value === 'string' ? [[value, typeof name === 'string' ? name : '']] : [];
}

/** The paths of the interface for `iiot api`, with the organization in its place. */
function paths(org: string | undefined): readonly SeenValue[] {
  return operations
    .filter(({ security }) => security === 'bearer')
    .map(({ path, method, summary }) => [path.replace('{orgId}', org ?? '{orgId}'), `${method}: ${summary}`]);
}

function zones(): readonly SeenValue[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => [zone, '']);
}
