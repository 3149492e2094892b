import { placeOfLogin } from '../auth/login-place.ts';
import { Failure, ignoreFailure, usage } from '../failure.ts';
import { type Place, placeWords, readPlace, sameLogin } from '../place.ts';
import { changedProfile, guardedFields, type Profile, secretCommandPlaceOf } from '../store/config.ts';
import { decapitalized } from '../text/capitalized.ts';
import { optionForShell } from '../text/shell-lines.ts';
import type { Context } from './context.ts';
import { placeOf, placeOfProfile, whereText } from './place.ts';
import { misspelt, unknownProfile } from './settings.ts';
import { requireLogin } from './target.ts';

export type Confirmation = {
  /** "Delete organization 0b0f…" */
  readonly action: string;
  /** The end of the question: "alertLevel in 40, name in 40". */
  readonly detail?: string;
  /** Words after the question, which is asked unless --yes is given. If absent, only a protected profile asks. */
  readonly asks?: string | undefined;
  /** Lines to show before the question: what is deleted or replaced. */
  readonly announce?: readonly string[];
};

/** Asks once. @param first a sentence about something else that the user agrees to @throws Failure 'interrupted' if the answer is no */
type AskQuestion = (first?: string) => Promise<void>;

/**
 * Prepares the confirmation of a change, without asking yet. A protected profile asks before every change. `--yes` confirms only the change itself, and
 * `--confirm-profile NAME` only the profile. @returns undefined if none is needed @throws usage if one is needed and nobody can answer
 */
export async function openConfirmation(confirmation: Confirmation, context: Context): Promise<AskQuestion | undefined> {
  const asksProtected = mustConfirmProfile(context);
  const asksItself = confirmation.asks !== undefined && context.options.yes !== true;
  if (!asksProtected && !asksItself) return undefined;
  const person = await context.person();
  const here = await placeOf(context);
  const where = whereText(here, context);
  if (!person.canAnswer)
    throw cannotAskFailure(confirmation, { asksProtected, asksItself, where }, person.obstacle, context);
  requireLogin(context);
  return async (first) => {
    const { profile: own, resolved } = context.settings;
    const org = resolved.org ? `, organization ${resolved.org.value}` : '';
    if (asksProtected) context.warn(`Profile ${own.value} is protected: ${placeWords(here)}${org}`);
    const profile = asksProtected ? ` on protected profile ${own.value},` : '';
    const detail = confirmation.detail ? `: ${confirmation.detail}` : '';
    const parts = [first, `${confirmation.action}${profile} ${where}${detail}?`, confirmation.asks];
    return ask(parts.filter(Boolean).join(' '), context);
  };
}

/** A change of a profile: new values, its removal, or a new login. */
type ProfileChange = {
  readonly values?: Profile;
  readonly isRemoved?: boolean;
  /** Where the new login acts, and as whom. */
  readonly login?: Place;
};

/**
 * Asks before a protected or read-only profile is changed so that it guards less, or acts elsewhere. Called by every command that writes a profile or a
 * login. The first login, and one as the same account in the same place, needs no confirmation, even after a logout. @param action "Set baseUrl"
 * @returns a function that warns about a changed base URL and a secretCommand that was unset with it, to be called after the change
 * @throws usage if nobody can answer, interrupted if the answer is no
 */
export async function guardProfile(
  name: string,
  action: string,
  { values = {}, isRemoved = false, login }: ProfileChange,
  context: Context,
): Promise<() => void> {
  // A configuration file that cannot be read guards nothing, because only logging in still works, which sets it aside.
  const before = ignoreFailure(() => context.store.readConfig().profiles[name]) ?? {};
  const isReplaced = (field: (typeof guardedFields)[number]) => {
    const [stored, given] = [before, values].map((profile) => profile[field] || undefined);
    const isFirst = stored === undefined && field !== 'caFile' && field !== 'allowHttp';
    return Object.hasOwn(values, field) && !isFirst && JSON.stringify(stored) !== JSON.stringify(given);
  };
  const misspelling = misspelt(before, name);
  const readOnly = misspelling ? `read-only (${misspelling})` : before.readOnly && 'read-only';
  const guard = before.protected ? 'protected' : readOnly;
  const replaces = () =>
    isRemoved || guardedFields.some(isReplaced) || (login && isOtherLogin(name, login, before, context));
  const isWritten = before.protected === true && Object.keys(values).length > 0 && login === undefined;
  if (guard && (isWritten || replaces())) await confirmGuarded(name, guard, action, context);
  return () => {
    if (before.baseUrl !== undefined && values.baseUrl !== undefined && before.baseUrl !== values.baseUrl)
      context.warn(`Profile ${name} was for ${before.baseUrl}, and is now for ${values.baseUrl}.`);
    const isLost = before.secretCommand && !isRemoved && changedProfile(before, values).secretCommand === undefined;
    const place = secretCommandPlaceOf(before) ?? { base: before.baseUrl ?? '' };
    if (isLost && !Object.hasOwn(values, 'secretCommand'))
      context.warn(`Its secretCommand belonged to ${placeWords(place)} and is unset: set it again for this place.`);
  };
}

function isOtherLogin(name: string, login: Place, { loggedOut }: Profile, { store }: Context): boolean {
  const place = ignoreFailure(() => {
    const known = store.readLogin(name);
    return known ? placeOfLogin(known) : readPlace(loggedOut);
  });
  return place !== undefined && sameLogin(place, login) !== 'same';
}

async function confirmGuarded(name: string, guard: string, action: string, context: Context): Promise<void> {
  if (context.options.confirmProfile?.includes(name)) return;
  const { canAnswer, obstacle } = await context.person();
  const place = placeOfProfile(name, context);
  const reason = `Profile ${name} is ${guard}${place ? `: ${placeWords(place)}` : ''}`;
  if (!canAnswer) {
    const sentence = `${reason}. To ${decapitalized(action)} you must confirm; cannot prompt: ${obstacle}.`;
    const details = [{ option: '--confirm-profile', message: 'is required' }];
    throw usage(sentence, `Confirm with ${optionForShell('confirm-profile', name)}`, details);
  }
  await ask(`${reason}. ${action}?`, context);
}

/** Asks one question. @throws Failure 'interrupted' if the answer is no */
export async function ask(question: string, context: Context): Promise<void> {
  const person = await context.person();
  if (!(await person.confirm(question))) throw new Failure('interrupted', 'Cancelled.');
}

/** Checks the names of --confirm-profile. @param own the values of the command, which may create a profile @throws usage for a profile that does not exist */
export function checkConfirmed(names: readonly string[], own: readonly unknown[], { settings, store }: Context): void {
  const config = ignoreFailure(() => store.readConfig());
  const known = ['default', settings.profile.value, ...own, ...Object.keys(config?.profiles ?? {})];
  const unknown = names.find((name) => !known.includes(name));
  if (config && unknown !== undefined) throw unknownProfile(unknown, config, '--confirm-profile');
}

/** Whether the profile is protected, and not confirmed yet. @throws usage if --confirm-profile names another profile */
function mustConfirmProfile({ settings, options: { confirmProfile: confirmed }, world: { env } }: Context): boolean {
  const { stored, broken } = settings;
  const name = settings.profile.value;
  // Without a readable configuration file, the profile may be protected. Credentials from the environment do not depend on it.
  if (broken && !env.IIOT_TOKEN && !env.IIOT_CLIENT_ID) throw broken;
  if (stored.protected !== true || confirmed?.includes(name)) return false;
  if (confirmed === undefined) return true;
  throw usage(
    `--confirm-profile names ${confirmed.join(', ')}, but the profile in use is ${name}.`,
    `Confirm with ${optionForShell('confirm-profile', name)}`,
    [{ option: '--confirm-profile', message: 'does not name the profile in use' }],
  );
}

function cannotAskFailure(
  { action, announce = [] }: Confirmation,
  { asksProtected, asksItself, where }: { asksProtected: boolean; asksItself: boolean; where: string },
  obstacle: string,
  { settings: { profile } }: Context,
): Failure {
  const named = asksProtected && optionForShell('confirm-profile', profile.value);
  const options = [named, asksItself && '--yes'].filter((word) => word !== false);
  const reason = asksProtected
    ? `Profile ${profile.value} is protected`
    : `To ${decapitalized(action)} ${where} you must confirm`;
  const details = options.map((option) => ({ option: /--[\w-]+/.exec(option)?.[0] ?? option, message: 'is required' }));
  const hint = [...(asksItself ? announce : []), `Confirm with ${options.join(' and ')}`].join(' ');
  return usage(`${reason}; cannot prompt: ${obstacle}.`, hint, details);
}
