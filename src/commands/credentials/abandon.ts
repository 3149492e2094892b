/** Ends what was begun with a new client credential: keeps its recovery file, or deletes the credential again. */
import type { Context } from '../../command/context.ts';
import { asFailure, Failure, warnOnFailure } from '../../failure.ts';
import type { IssuedCredential } from './issue.ts';
import { deletionOf, removeCredential } from './list.ts';

/** Removes the recovery file, after the secret is saved. */
export function removeRecovery({ recovery }: IssuedCredential, context: Context): void {
  warnOnFailure(() => recovery.remove(), context.warn, ' It holds the secret of the new client credential.');
}

/** Leaves a secret that could not be saved in the recovery file; without one, deletes the credential. @returns the failure that says what exists now */
export async function abandonUnsaved(issued: IssuedCredential, reason: Failure, context: Context): Promise<Failure> {
  const { credential, recovery, isRecoverable } = issued;
  const which = credential.id ?? `"${credential.name ?? ''}"`;
  const created = `Client credential ${which} was created, but its secret was not saved. ${reason.message}`;
  if (isRecoverable) {
    const hint = `The secret is in ${recovery.path}, readable only by you. Move it to a safe place, then remove the file`;
    return withReason(reason, created, hint).with({ fate: 'made' });
  }
  const obstacle = await deleteAgain(issued, context);
  if (!obstacle)
    return withReason(reason, `${created} So the credential was deleted.`, 'Nothing was left behind; try again');
  const sentence = `${created} It could not be deleted: ${obstacle.message}`;
  const hint = `Its secret is lost; delete it: ${deletionOf(credential.id, context)}`;
  return withReason(reason, sentence, hint).with({ fate: 'made' });
}

/** Deletes a successor that got no access token. @returns the failure that says what exists now */
export async function abandonUnproven(
  issued: IssuedCredential,
  old: string,
  reason: Failure,
  context: Context,
): Promise<Failure> {
  const { credential, recovery, isRecoverable } = issued;
  const sentence = `The successor of client credential ${old} got no access token: ${reason.message}`;
  const unchanged = 'The old one is unchanged.';
  const obstacle = await deleteAgain(issued, context);
  if (!obstacle)
    return withReason(reason, `${sentence} So it was deleted. ${unchanged}`, 'Nothing has changed; try again');
  const place = isRecoverable ? ` Its secret is in ${recovery.path}.` : '';
  const exists = `It exists as ${credential.id ?? 'ID'}, because deleting it failed as well: ${obstacle.message}${place}`;
  return withReason(reason, `${sentence} ${exists} ${unchanged}`, `Delete it: ${deletionOf(credential.id, context)}`);
}

/** A failure of the kind of its reason, but 'io' for 'usage': that would mean that nothing was sent. */
function withReason(reason: Failure, sentence: string, hint: string): Failure {
  return new Failure(reason.kind === 'usage' ? 'io' : reason.kind, sentence, { ...reason.facts, hint, cause: reason });
}

/** Deletes a credential and its recovery file. @returns why it could not, or undefined */
async function deleteAgain(issued: IssuedCredential, context: Context): Promise<Failure | undefined> {
  const { id } = issued.credential;
  if (id === undefined) return new Failure('unavailable', 'its ID is not known.');
  const obstacle = await removeCredential(id, context).then(() => undefined, asFailure);
  if (obstacle) return obstacle;
  removeRecovery(issued, context);
  return undefined;
}
