/** Asks for an ID that a command line lacks, with the values that completions offer. */
import type { Groups, LiveKind } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { placeOf, whereText } from '../command/place.ts';
import { organization } from '../command/target.ts';
import { isGuid } from '../contract/formats.ts';
import { Failure } from '../failure.ts';
import { capitalized } from '../text/capitalized.ts';
import { findList, findValues, readValuePages } from './live.ts';
import { isOfTenant, type SeenValue } from './seen.ts';

/** The kinds of things that can be chosen, with the words for them. */
export const nouns = {
  templates: 'template',
  policies: 'alert policy',
  channels: 'channel',
  devices: 'device',
  credentials: 'client credential',
  profiles: 'profile',
  organizations: 'organization',
} as const satisfies Partial<Record<LiveKind, string>>;

type ChoosableKind = keyof typeof nouns;

export function isChoosable(kind: unknown): kind is ChoosableKind {
  return typeof kind === 'string' && Object.hasOwn(nouns, kind);
}

const anotherId = Symbol('another ID');

/**
 * Asks for a value of a kind: from the platform's list, or if it has none, from values that were used here before, or typed.
 * @param first the text of a first row that means no value, where the cursor is until something is typed
 * @throws usage if an organization is needed first, not_found if there is nothing to choose, interrupted
 */
export async function chooseId(
  kind: ChoosableKind,
  context: Context,
  groups: Groups,
  first?: string,
): Promise<string | undefined> {
  const isOwn = kind === 'profiles';
  if (!isOwn && !isOfTenant(kind)) organization(context);
  const person = await context.person();
  const noun = nouns[kind];
  const list = await findList(kind, context, groups);
  const isWhole = isOwn || list !== undefined;
  const where = isOwn ? '' : whereText(await placeOf(context), context);
  // The answer has to fit on the line of the question.
  const isLong = where.length > (context.world.stderr.columns || 80) / 3;
  const headings = [isLong ? where : '', isWhole ? '' : 'used here before'].filter(Boolean).join(', ');
  const check = (text: string) => idRefusal(kind, text);
  const askForId = async () =>
    (await person.ask([capitalized(noun), 'ID', where].filter(Boolean).join(' '), { check })).trim();
  const known = list ? [] : await findValues(kind, context, groups);
  if (!isWhole && known.length === 0) return askForId();
  const value = await person.pick<string | undefined | typeof anotherId>(
    `Which ${noun}${where === '' || isLong ? '' : ` ${where}`}?`,
    {
      pages: pickRows(list ? readValuePages(list, context) : [known]),
      heading: headings === '' ? undefined : `${capitalized(headings)}:`,
      first: first === undefined ? undefined : { value: undefined, says: first },
      last: isWhole ? undefined : { value: anotherId, says: 'Another ID' },
      nothing: new Failure(isOwn ? 'usage' : 'not_found', `There is no ${noun}.`),
    },
  );
  return value === anotherId ? askForId() : value;
}

async function* pickRows(pages: AsyncIterable<readonly SeenValue[]> | readonly (readonly SeenValue[])[]) {
  for await (const page of pages)
    yield page.map(([value, name]) => ({ value, says: name === '' ? value : `${value}  ${name}` }));
}

/** Why a typed ID is refused at once. */
export function idRefusal(kind: ChoosableKind, text: string): string | undefined {
  if (text.trim() === '') return 'Enter an ID';
  const needsUuid = kind === 'organizations' && !isGuid(text.trim());
  return needsUuid ? 'Enter a UUID such as 3f2504e0-4f89-41d3-9a0c-0305e82c3301' : undefined;
}
