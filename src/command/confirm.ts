import { Failure, usage } from '../failure.ts';
import type { Context } from './context.ts';
import { baseUrl, requireLogin } from './target.ts';

/** What the user has to confirm. */
export type Confirmation = {
  /** "Delete organization 0b0f…" */
  readonly action: string;
  /** Asked about unless --yes is given, with these words after the question; if absent, only a protected profile asks. */
  readonly asks?: string | undefined;
  /** What the user should know first: what is deleted or replaced. */
  readonly announce?: readonly string[];
};

/** Asks, once; `first` is what else the user agrees to. @throws Failure 'interrupted' if the answer is no */
type AskQuestion = (first?: string) => Promise<void>;

/**
 * Prepares the confirmation of a change; undefined if none is needed. A protected profile asks before every change; `--yes` answers only the
 * question, and `--protected-profile NAME` only the profile. Does not prompt yet.
 * @throws usage if a confirmation is needed and it cannot prompt
 */
export async function openConfirmation(confirmation: Confirmation, context: Context): Promise<AskQuestion | undefined> {
  const asksProtected = isClosed(context.settings.profile.value, isProtected(context), context);
  const asksItself = confirmation.asks !== undefined && context.options.yes !== true;
  if (!asksProtected && !asksItself) return undefined;
  const person = await context.person();
  if (!person.canAnswer) throw nobodyThere(confirmation, asksProtected, asksItself, context, person.obstacle);
  requireLogin(context);
  return (first) => {
    if (asksProtected) context.warn(protectionOf(context));
    const place = asksProtected ? ` on protected profile ${context.settings.profile.value}` : '';
    const parts = [first, `${confirmation.action}${place}?`, confirmation.asks];
    return ask(parts.filter(Boolean).join(' '), context);
  };
}

/** The same, and asks at once. @throws usage if it cannot prompt, interrupted if the answer is no */
export async function confirm(confirmation: Confirmation, context: Context): Promise<void> {
  await (await openConfirmation(confirmation, context))?.();
}

/**
 * Asks before a protected profile itself is changed or deleted: it must not be unprotected by accident.
 * @param what the change: "Set baseUrl of profile plant"
 * @param opens whether a read-only profile allows changes afterwards
 */
export async function confirmProfile(name: string, what: string, context: Context, opens = false): Promise<void> {
  const profile = context.store.readConfig().profiles[name];
  const needsOpening = profile?.protected === true || (opens && profile?.readOnly === true);
  const held = profile?.protected ? 'protected' : 'read-only';
  if (!needsOpening || context.options.protectedProfile?.includes(name)) return;
  const { canAnswer, obstacle } = await context.person();
  if (!canAnswer) {
    throw usage(`Profile ${name} is ${held}; cannot prompt: ${obstacle}.`, `Confirm with --protected-profile ${name}`, [
      { option: '--protected-profile', message: 'is required' },
    ]);
  }
  await ask(`Profile ${name} is ${held}. ${what}?`, context);
}

/** Asks one question. @throws Failure 'interrupted' if the answer is no */
export async function ask(question: string, context: Context): Promise<void> {
  const person = await context.person();
  if (!(await person.confirm(question))) throw new Failure('interrupted', 'Cancelled.');
}

/** If the configuration file cannot be read, protection is unknown: go on only with credentials from the environment. */
function isProtected({ settings: { stored, broken }, world: { env } }: Context): boolean {
  if (broken && !env.IIOT_TOKEN && !env.IIOT_CLIENT_ID) throw broken;
  return stored.protected === true;
}

/** Whether a protected profile still has to be confirmed. @throws usage if another profile was named */
function isClosed(name: string, needsOpening: boolean, { options: { protectedProfile } }: Context): boolean {
  if (!needsOpening || protectedProfile?.includes(name)) return false;
  if (protectedProfile === undefined) return true;
  throw usage(
    `--protected-profile names ${protectedProfile.join(', ')}, and the profile in use is ${name}.`,
    `Confirm with --protected-profile ${name}`,
    [{ option: '--protected-profile', message: 'names another profile than the one in use' }],
  );
}

function nobodyThere(
  { action, announce = [] }: Confirmation,
  asksProtected: boolean,
  asksItself: boolean,
  { settings: { profile } }: Context,
  obstacle: string,
): Failure {
  const options = [
    ...(asksProtected ? [`--protected-profile ${profile.value}`] : []),
    ...(asksItself ? ['--yes'] : []),
  ];
  const reason = asksProtected
    ? `Profile ${profile.value} is protected`
    : `To ${action.charAt(0).toLowerCase()}${action.slice(1)} you must confirm`;
  const details = options.map((option) => ({ option: option.split(' ')[0] ?? option, message: 'is required' }));
  const hint = [...(asksItself ? announce : []), `Confirm with ${options.join(' and ')}`].join(' ');
  return usage(`${reason}; cannot prompt: ${obstacle}.`, hint, details);
}

function protectionOf(context: Context): string {
  const { profile, resolved } = context.settings;
  const place = `${baseUrl(context)}${resolved.org ? `, organization ${resolved.org.value}` : ''}`;
  return `Profile ${profile.value} is protected: ${place}`;
}
