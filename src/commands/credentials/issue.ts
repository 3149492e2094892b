import type { Context } from '../../command/context.ts';
import { fieldsIn, recordDone, recordFailure } from '../../command/record.ts';
import { baseUrl } from '../../command/target.ts';
import { createCredential, deleteCredential } from '../../contract/credentials.ts';
import { toRequest } from '../../contract/wire.ts';
import { Failure } from '../../failure.ts';
import type { PlatformResponse } from '../../http/platform.ts';
import type { Recovery } from '../../store/recovery.ts';
import type { JsonRecord } from '../../text/record.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import { type CredentialFacts, credentialFacts, credentialIn, secretIn } from './fields.ts';
import { recoveryFor } from './recovery.ts';

/** A credential that the platform has just created. Its secret exists only here. */
export type IssuedCredential = {
  readonly base: string;
  readonly record: JsonRecord;
  readonly credential: CredentialFacts;
  readonly secret: string;
  readonly recovery: Recovery;
  /** Whether the recovery file holds the secret. */
  readonly isRecoverable: boolean;
};

/**
 * Creates a client credential. The recovery file is created before the request and has the secret when this returns. The request is not
 * repeated if it may have arrived: "a lost answer means a credential whose secret nobody has".
 * @throws Failure if no credential was created, or if its secret is lost; the message says which
 */
export async function issueCredential(
  body: object,
  name: string,
  file: string | undefined,
  context: Context,
): Promise<IssuedCredential> {
  const base = baseUrl(context);
  const recovery = recoveryFor(name, base, file, context);
  try {
    const response = await requested(body, name, context);
    const record = credentialIn(response.value) ?? {};
    const credential = credentialFacts(record);
    const secret = secretIn(record);
    if (secret === undefined) throw withoutSecret(credential, name, response.status);
    context.mask.remember(secret);
    const isRecoverable = kept(recovery, { ...credential, name, baseUrl: base, clientSecret: secret }, context);
    return { base, record, credential, secret, recovery, isRecoverable };
  } catch (error) {
    if (error instanceof Failure) recovery.remove();
    throw error;
  }
}

async function requested(body: object, name: string, context: Context): Promise<PlatformResponse> {
  const platform = await context.platform();
  const request = toRequest(createCredential, { body });
  const changed = { operation: createCredential.id, about: `client credential "${name}"`, fields: fieldsIn(request) };
  try {
    const response = await platform.send(createCredential, request);
    const { id } = credentialFacts(credentialIn(response.value) ?? {});
    const about = id === undefined ? changed.about : `client credential ${id}`;
    await recordDone({ ...changed, about }, response, context);
    return response;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await recordFailure(changed, error, context);
    throw explainLost(error, name, context);
  }
}

function explainLost(failure: Failure, name: string, { world }: Context): Failure {
  const { outcomeUnknown: unsettled, status } = failure.facts;
  // "rejected" with a success status is a refusal inside a wrapper.
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
      : `Its secret is lost; delete it: iiot credentials delete ${quoteForShell(id)}`;
  return new Failure('unavailable', sentence, { status, hint });
}

/** Writes the recovery file. If that fails, go on with a warning: the secret can still be saved where it belongs. */
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

/** Removes the recovery file, after the secret is saved. */
export function removeRecovery({ recovery }: IssuedCredential, { warn }: Context): void {
  try {
    recovery.remove();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    warn(`${error.message} It holds the secret of the new client credential.`);
  }
}

/**
 * The failure for a secret that could not be saved: it is in the recovery file, or the credential is deleted again.
 * @param reason why it could not be saved
 */
export async function unsavedFailure(issued: IssuedCredential, reason: Failure, context: Context): Promise<Failure> {
  const { credential, recovery, isRecoverable } = issued;
  const which = credential.id ?? `"${credential.name ?? ''}"`;
  const created = `Client credential ${which} was created, but its secret was not saved. ${reason.message}`;
  const facts = { ...reason.facts, cause: reason };
  // A usage error would mean that nothing was sent.
  const kind = reason.kind === 'usage' ? 'io' : reason.kind;
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
  const hint = `Its secret is lost; delete it: iiot credentials delete ${quoteForShell(credential.id ?? 'ID')}`;
  return new Failure(kind, `${created} It could not be deleted again: ${obstacle.message}`, { ...facts, hint });
}

/** Deletes an unusable credential and its recovery file. If that fails, returns the reason. */
export async function revoke(issued: IssuedCredential, context: Context): Promise<Failure | undefined> {
  const { id } = issued.credential;
  if (id === undefined) return new Failure('unavailable', 'its ID is not known.');
  const obstacle = await removeCredential(id, context).catch(asFailure);
  if (obstacle && obstacle.kind !== 'not_found') return obstacle;
  removeRecovery(issued, context);
  return undefined;
}

/** Deletes a credential. @throws Failure */
export async function removeCredential(id: string, context: Context): Promise<undefined> {
  const changed = { operation: deleteCredential.id, about: `client credential ${id}` };
  const platform = await context.platform();
  try {
    const response = await platform.send(deleteCredential, toRequest(deleteCredential, { clientCredentialId: id }));
    await recordDone(changed, response, context);
    return undefined;
  } catch (error) {
    const failure = asFailure(error);
    await recordFailure(changed, failure, context);
    throw failure;
  }
}

/** Returns a Failure; anything else is a bug and is thrown again. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}
