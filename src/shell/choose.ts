/** Choosing what a command line lacks, from the values that completions offer. */
import type { LiveKind } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { organization } from '../command/target.ts';
import { isGuid } from '../contract/formats.ts';
import { Failure } from '../failure.ts';
import { isListed, valuePages, valuesOf } from './live.ts';
import type { SeenValue } from './seen.ts';

/** What can be chosen, in words. */
const nouns = {
  templates: 'template',
  policies: 'alert policy',
  channels: 'channel',
  devices: 'device',
  credentials: 'client credential',
  profiles: 'profile',
  organizations: 'organization',
} as const satisfies Partial<Record<LiveKind, string>>;

type Choosable = keyof typeof nouns;

const ofOrganization: readonly LiveKind[] = ['templates', 'policies', 'channels'];

export function isChoosable(kind: unknown): kind is Choosable {
  return typeof kind === 'string' && Object.hasOwn(nouns, kind);
}

const another = Symbol('another ID');

/**
 * Asks for a value of this kind: from the platform's list, or, for what it does not list, from what was used here, or typed.
 * @param first what the first row says, which means no value: the cursor is there until something is typed
 * @throws usage if an organization is needed first, not_found if there is nothing to choose, interrupted
 */
export async function choose(kind: Choosable, context: Context, first?: string): Promise<string | undefined> {
  if (ofOrganization.includes(kind)) organization(context);
  const person = await context.person();
  const noun = nouns[kind];
  const isWhole = kind === 'profiles' || isListed(kind, context);
  const check = (text: string) => idRefusal(kind, text);
  const typed = async () =>
    (await person.ask(`${noun.replace(/^./, (letter) => letter.toUpperCase())} ID`, { check })).trim();
  if (!isWhole && (await valuesOf(kind, context)).length === 0) return typed();
  const value = await person.pick<string | undefined | typeof another>(`Which ${noun}?`, {
    pages: rows(valuePages(kind, context)),
    heading: isWhole ? undefined : 'Used here before:',
    first: first === undefined ? undefined : { value: undefined, says: first },
    last: isWhole ? undefined : { value: another, says: 'Another ID' },
    nothing: new Failure(kind === 'profiles' ? 'usage' : 'not_found', `There is no ${noun}.`),
  });
  return value === another ? typed() : value;
}

async function* rows(pages: AsyncIterable<readonly SeenValue[]>) {
  for await (const page of pages)
    yield page.map(([value, name]) => ({ value, says: name === '' ? value : `${value}  ${name}` }));
}

/** What is wrong with a typed ID, before anything else is asked. */
export function idRefusal(kind: Choosable, text: string): string | undefined {
  if (text.trim() === '') return 'Enter an ID';
  const needsUuid = kind === 'organizations' && !isGuid(text.trim());
  return needsUuid ? 'Enter a UUID such as 3f2504e0-4f89-41d3-9a0c-0305e82c3301' : undefined;
}
