import type { Operation } from '../contract/operation.ts';
import { Failure, usage } from '../failure.ts';
import type { Context } from './context.ts';
import { baseUrl, requireLogin } from './target.ts';

/** What the user has to confirm. */
export type Confirmation = {
  /** "organization 0b0f…" */
  readonly about: string;
  /** The operation to name if only a protected profile asks. */
  readonly operation: Pick<Operation, 'summary'>;
  /** Asked unless --yes is given; if absent, only a protected profile asks. */
  readonly question?: string | undefined;
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
  const asksItself = confirmation.question !== undefined && context.options.yes !== true;
  if (!asksProtected && !asksItself) return undefined;
  const person = await context.person();
  if (!person.canAnswer) throw nobodyThere(confirmation, asksProtected, asksItself, context, person.obstacle);
  requireLogin(context);
  const question = asksProtected ? protectedQuestion(confirmation, context) : confirmation.question;
  return (first) => ask([first, question].filter((part) => part !== undefined).join(' '), context);
}

/** The same, and asks at once. @throws usage if it cannot prompt, interrupted if the answer is no */
export async function confirm(confirmation: Confirmation, context: Context): Promise<void> {
  await (await openConfirmation(confirmation, context))?.();
}

/**
 * Asks before a protected profile itself is changed or deleted: it must not be unprotected by accident.
 * @param what the change: "Set baseUrl of profile plant"
 */
export async function confirmProfile(name: string, what: string, context: Context): Promise<void> {
  const needsOpening = context.store.readConfig().profiles[name]?.protected === true;
  if (!needsOpening || context.options.protectedProfile === name) return;
  const { canAnswer, obstacle } = await context.person();
  if (!canAnswer) {
    throw usage(
      `Profile ${name} is protected; cannot prompt: ${obstacle}.`,
      `Confirm with --protected-profile ${name}`,
      [{ option: '--protected-profile', message: 'is required' }],
    );
  }
  await ask(`Profile ${name} is protected. ${what}?`, context);
}

async function ask(question: string, context: Context): Promise<void> {
  const person = await context.person();
  if (await person.confirm(question)) return;
  throw new Failure('interrupted', 'Nothing was changed.', { hint: 'You answered no' });
}

/** If the configuration file cannot be read, protection is unknown: go on only with credentials from the environment. */
function isProtected({ settings: { stored, broken }, world: { env } }: Context): boolean {
  if (broken && !env.IIOT_TOKEN && !env.IIOT_CLIENT_ID) throw broken;
  return stored.protected === true;
}

/** Whether a protected profile still has to be confirmed. @throws usage if another profile was named */
function isClosed(name: string, needsOpening: boolean, { options: { protectedProfile } }: Context): boolean {
  if (!needsOpening || protectedProfile === name) return false;
  if (protectedProfile === undefined) return true;
  throw usage(
    `--protected-profile names ${protectedProfile}, and the profile in use is ${name}.`,
    `Confirm with --protected-profile ${name}`,
    [{ option: '--protected-profile', message: 'names another profile than the one in use' }],
  );
}

function nobodyThere(
  { about }: Confirmation,
  asksProtected: boolean,
  asksItself: boolean,
  { settings: { profile } }: Context,
  obstacle: string,
): Failure {
  const options = [
    ...(asksProtected ? [`--protected-profile ${profile.value}`] : []),
    ...(asksItself ? ['--yes'] : []),
  ];
  const reason = asksProtected ? `Profile ${profile.value} is protected` : `To change ${about} you must confirm`;
  const details = options.map((option) => ({ option: option.split(' ')[0] ?? option, message: 'is required' }));
  return usage(`${reason}; cannot prompt: ${obstacle}.`, `Confirm with ${options.join(' and ')}`, details);
}

function protectedQuestion({ question, operation, about }: Confirmation, context: Context): string {
  const { profile, resolved } = context.settings;
  const place = `${baseUrl(context)}${resolved.org ? `, organization ${resolved.org.value}` : ''}`;
  return `Profile ${profile.value} is protected (${place}). ${question ?? `${operation.summary} (${about})?`}`;
}
