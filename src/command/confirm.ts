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
  /** What follows it in the question: "alertLevel in 40, name in 40". */
  readonly detail?: string;
  /** Asked about unless --yes is given, with these words after the question; if absent, only a protected profile asks. */
  readonly asks?: string | undefined;
  /** What the user should know first: what is deleted or replaced. */
  readonly announce?: readonly string[];
};

/** Asks, once; `first` is what else the user agrees to. @throws Failure 'interrupted' if the answer is no */
type AskQuestion = (first?: string) => Promise<void>;

/**
 * Prepares the confirmation of a change; undefined if none is needed. A protected profile asks before every change; `--yes` answers only the
 * question, and `--confirm-profile NAME` only the profile. Does not prompt yet.
 * @throws usage if a confirmation is needed and it cannot prompt
 */
export async function openConfirmation(confirmation: Confirmation, context: Context): Promise<AskQuestion | undefined> {
  const asksProtected = isClosed(context);
  const asksItself = confirmation.asks !== undefined && context.options.yes !== true;
  if (!asksProtected && !asksItself) return undefined;
  const person = await context.person();
  const here = await placeOf(context);
  const where = whereText(here, context);
  if (!person.canAnswer)
    throw nobodyThere(confirmation, { asksProtected, asksItself, where }, person.obstacle, context);
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

/** What a command is about to do to a profile: its new values, or its end under this name; and the login that it gets. */
type ProfileChange = {
  readonly values?: Profile;
  readonly isRemoved?: boolean;
  /** Its account or client, and where. */
  readonly login?: Place;
};

/**
 * Decides for every command that writes a profile or its login whether it may: in a protected or read-only one, it asks before anything that guards
 * it is replaced, or trusts more than before. A first login, and one as the same account in the same place, replace nothing, also after a logout.
 * @param what the change: "Set baseUrl"
 * @returns says a changed address, and a secretCommand that goes with the old one; to be called when it is done
 * @throws usage if it cannot prompt, interrupted if the answer is no
 */
export async function guardProfile(
  name: string,
  what: string,
  { values = {}, isRemoved = false, login }: ProfileChange,
  context: Context,
): Promise<() => void> {
  // A file that cannot be read guards nothing: only logging in still works, which sets it aside.
  const before = ignoreFailure(() => context.store.readConfig().profiles[name]) ?? {};
  const isReplaced = (field: (typeof guardedFields)[number]) => {
    const [was, is] = [before, values].map((profile) => profile[field] || undefined);
    const isFirst = was === undefined && field !== 'caFile' && field !== 'allowHttp';
    return Object.hasOwn(values, field) && !isFirst && JSON.stringify(was) !== JSON.stringify(is);
  };
  const wrong = misspelt(before, name);
  const readOnly = wrong ? `read-only (${wrong})` : before.readOnly && 'read-only';
  const held = before.protected ? 'protected' : readOnly;
  const replaces = () =>
    isRemoved || guardedFields.some(isReplaced) || (login && isOtherLogin(name, login, before, context));
  const isWritten = before.protected === true && Object.keys(values).length > 0 && login === undefined;
  if (held && (isWritten || replaces())) await confirmHeld(name, held, what, context);
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

async function confirmHeld(name: string, held: string, what: string, context: Context): Promise<void> {
  if (context.options.confirmProfile?.includes(name)) return;
  const { canAnswer, obstacle } = await context.person();
  const place = placeOfProfile(name, context);
  const which = `Profile ${name} is ${held}${place ? `: ${placeWords(place)}` : ''}`;
  if (!canAnswer) {
    const sentence = `${which}. To ${decapitalized(what)} you must confirm; cannot prompt: ${obstacle}.`;
    const details = [{ option: '--confirm-profile', message: 'is required' }];
    throw usage(sentence, `Confirm with ${optionForShell('confirm-profile', name)}`, details);
  }
  await ask(`${which}. ${what}?`, context);
}

/** Asks one question. @throws Failure 'interrupted' if the answer is no */
export async function ask(question: string, context: Context): Promise<void> {
  const person = await context.person();
  if (!(await person.confirm(question))) throw new Failure('interrupted', 'Cancelled.');
}

/** @param own what the command was given: it may create the profile. @throws usage if --confirm-profile names one that does not exist */
export function checkConfirmed(names: readonly string[], own: readonly unknown[], { settings, store }: Context): void {
  const config = ignoreFailure(() => store.readConfig());
  const known = ['default', settings.profile.value, ...own, ...Object.keys(config?.profiles ?? {})];
  const unknown = names.find((name) => !known.includes(name));
  if (config && unknown !== undefined) throw unknownProfile(unknown, config, '--confirm-profile');
}

/** Whether the profile is protected, and still has to be confirmed. @throws usage if another profile was named */
function isClosed({ settings, options: { confirmProfile: confirmed }, world: { env } }: Context): boolean {
  const { stored, broken } = settings;
  const name = settings.profile.value;
  // Protection is unknown if the configuration file cannot be read: go on only with credentials from the environment.
  if (broken && !env.IIOT_TOKEN && !env.IIOT_CLIENT_ID) throw broken;
  if (stored.protected !== true || confirmed?.includes(name)) return false;
  if (confirmed === undefined) return true;
  throw usage(
    `--confirm-profile names ${confirmed.join(', ')}, but the profile in use is ${name}.`,
    `Confirm with ${optionForShell('confirm-profile', name)}`,
    [{ option: '--confirm-profile', message: 'does not name the profile in use' }],
  );
}

function nobodyThere(
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
