import type { Context } from '../../command/context.ts';
import { recordDone, recordFailure } from '../../command/record.ts';
import { baseUrl } from '../../command/target.ts';
import { createCredential, deleteCredential } from '../../contract/credentials.ts';
import { toRequest } from '../../contract/wire.ts';
import { Failure } from '../../failure.ts';
import type { Reply } from '../../http/platform.ts';
import type { Recovery } from '../../store/recovery.ts';
import type { JsonRecord } from '../../text/record.ts';
import { type CredentialFacts, credentialIn, knownOf, secretIn } from './fields.ts';
import { recoveryFor } from './recovery.ts';

/** A credential that the platform has just created. Its secret exists here and nowhere else. */
export type IssuedCredential = {
  readonly base: string;
  readonly record: JsonRecord;
  readonly known: CredentialFacts;
  readonly secret: string;
  readonly recovery: Recovery;
  /** Whether the recovery file holds the secret. */
  readonly isRecoverable: boolean;
};

/**
 * Creates a client credential. The recovery file is there before the request and holds the secret when this returns. Never repeated once it may have
 * arrived: "a lost answer means a credential whose secret nobody has".
 * @param about for the history, before there is an id
 * @throws Failure where there is no credential, or one whose secret nobody knows; both are said
 */
export async function issue(
  body: object,
  name: string,
  file: string | undefined,
  context: Context,
): Promise<IssuedCredential> {
  const base = baseUrl(context);
  const recovery = recoveryFor(name, base, file, context);
  try {
    const reply = await requested(body, name, context);
    const record = credentialIn(reply.value) ?? {};
    const known = knownOf(record);
    const secret = secretIn(record);
    if (secret === undefined) throw withoutSecret(known, name, reply.status);
    context.mask.remember(secret);
    const isRecoverable = kept(recovery, { ...known, name, baseUrl: base, clientSecret: secret }, context);
    return { base, record, known, secret, recovery, isRecoverable };
  } catch (error) {
    if (error instanceof Failure) recovery.remove();
    throw error;
  }
}

async function requested(body: object, name: string, context: Context): Promise<Reply> {
  const platform = await context.platform();
  const changed = { operation: createCredential.id, about: `client credential "${name}"` };
  try {
    const reply = await platform.send(createCredential, toRequest(createCredential, { body }));
    const { id } = knownOf(credentialIn(reply.value) ?? {});
    const about = id === undefined ? changed.about : `client credential ${id}`;
    await recordDone({ ...changed, about }, reply, context);
    return reply;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await recordFailure(changed, error, context);
    throw explainLost(error, name, context);
  }
}

function explainLost(failure: Failure, name: string, { world }: Context): Failure {
  const { outcomeUnknown: unsettled, status } = failure.facts;
  // "rejected" with a status of success is a refusal in a wrapper.
  const unclear = status !== undefined && (status >= 500 || (status < 300 && failure.kind !== 'rejected'));
  const isOpen = unsettled || failure.kind === 'interrupted' || unclear;
  if (!isOpen) return failure;
  const when = new Date(world.now()).toISOString();
  const hint =
    `A credential "${name}" may exist, created at about ${when}, and its secret is lost. ` +
    'Find it: iiot credentials list; then delete it: iiot credentials delete ID';
  return failure.with({ hint });
}

function withoutSecret({ id }: CredentialFacts, name: string, status: number): Failure {
  const which = id === undefined ? `"${name}"` : id;
  const sentence = `Client credential ${which} was created, but the platform did not return a usable secret.`;
  const hint =
    id === undefined
      ? 'Find its ID: iiot credentials list; then delete it: iiot credentials delete ID'
      : `Its secret is lost; delete it: iiot credentials delete ${id}`;
  return new Failure('unavailable', sentence, { status, hint });
}

/** A recovery file that cannot be written is no reason to give up: the secret may reach its place all the same. */
function kept(recovery: Recovery, content: object, { warn }: Context): boolean {
  try {
    recovery.fill(content);
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    warn(error.message);
    return false;
  }
}

/** The secret is where it belongs. */
export function settle({ recovery }: IssuedCredential, { warn }: Context): void {
  try {
    recovery.remove();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    warn(`${error.message} It holds the secret of the new client credential.`);
  }
}

/**
 * What to say where a secret could not reach its place: it lies in the recovery file, or the credential is gone again.
 * @param reason a sentence that says what stood in the way
 */
export async function unsaved(issued: IssuedCredential, reason: Failure, context: Context): Promise<Failure> {
  const { known, recovery, isRecoverable } = issued;
  const which = known.id ?? `"${known.name ?? ''}"`;
  const created = `Client credential ${which} was created, but its secret was not saved: ${reason.message}`;
  const facts = { ...reason.facts, cause: reason };
  // "nothing was sent" is what a usage error says.
  const kind = reason.kind === 'usage' ? 'internal' : reason.kind;
  if (isRecoverable) {
    const hint = `The secret is in ${recovery.path}, readable only by you. Move it to a safe place, then remove the file`;
    return new Failure(kind, created, { ...facts, hint });
  }
  const obstacle = await revoke(issued, context);
  if (!obstacle)
    return new Failure(kind, `${created} So the credential was deleted again.`, {
      ...facts,
      hint: 'Nothing was left behind; try again',
    });
  const hint = `Its secret is lost; delete it: iiot credentials delete ${known.id ?? 'ID'}`;
  return new Failure(kind, `${created} It could not be deleted again: ${obstacle.message}`, { ...facts, hint });
}

/** Deletes a credential that is of no use, and its recovery file. Gives why that failed, where it did. */
export async function revoke(issued: IssuedCredential, context: Context): Promise<Failure | undefined> {
  const { id } = issued.known;
  if (id === undefined) return new Failure('unavailable', 'its ID is not known.');
  const obstacle = await removeCredential(id, context).catch(asFailure);
  if (obstacle && obstacle.kind !== 'not_found') return obstacle;
  settle(issued, context);
  return undefined;
}

/** Deletes a credential. @throws Failure */
export async function removeCredential(id: string, context: Context): Promise<undefined> {
  const changed = { operation: deleteCredential.id, about: `client credential ${id}` };
  const platform = await context.platform();
  try {
    const reply = await platform.send(deleteCredential, toRequest(deleteCredential, { clientCredentialId: id }));
    await recordDone(changed, reply, context);
    return undefined;
  } catch (error) {
    const failure = asFailure(error);
    await recordFailure(changed, failure, context);
    throw failure;
  }
}

/** What is expected to fail; anything else is a bug. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}
