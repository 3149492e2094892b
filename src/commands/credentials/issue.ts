import { dirname } from 'node:path';
import type { Context } from '../../command/context.ts';
import { lasting } from '../../command/lasting-line.ts';
import { placeOf } from '../../command/place.ts';
import { type ChangeResponse, sendRecorded } from '../../command/record.ts';
import { baseUrl } from '../../command/target.ts';
import { createCredential } from '../../contract/credentials.ts';
import { toRequest } from '../../contract/wire.ts';
import { asFailure, Failure, outcomeUnknown } from '../../failure.ts';
import type { Place } from '../../place.ts';
import type { Login } from '../../store/credentials.ts';
import { openRecovery, type Recovery } from '../../store/recovery.ts';
import { recordOf } from '../update.ts';
import { type CredentialFacts, credentialFacts, expiresAt, secretIn } from './credential.ts';
import { deletionOf, removeCredential } from './list.ts';
import { type LostCreations, notOurs, openLostCreations } from './lost.ts';

/** A credential that the platform has just created. Its secret exists only here, and in the recovery file if that `isRecoverable`. */
export type IssuedCredential = Awaited<ReturnType<typeof issueCredential>>;

/**
 * Creates a client credential. The recovery file is created before the request and has the secret when this returns, if it `isRecoverable`. The request is repeated only
 * after a look at the list: a lost response leaves a credential whose secret nobody has.
 * @param knownIds the IDs of credentials that cannot be the new one
 * @throws Failure if no credential was created, or if its secret is lost; the message says which
 */
export async function issueCredential(
  body: object,
  name: string,
  file: string | undefined,
  context: Context,
  knownIds: readonly string[] = [],
) {
  const base = baseUrl(context);
  const place = await placeOf(context);
  // Loads what sends the request first: if iiot is being replaced on disk, that fails before there is a recovery file.
  await context.platform();
  const recovery = recoveryFor(name, place, file, context);
  try {
    const lost = openLostCreations(body, knownIds, context);
    const response = await sendCreation(body, name, lost, context);
    const record = recordOf(response.value, 'clientCredentialId') ?? {};
    const credential = credentialFacts(record);
    const secret = secretIn(record);
    const { createdAt = '', expiredAt = '' } = credential;
    if ((expiresAt(expiredAt) ?? Number.NaN) <= (expiresAt(createdAt) ?? Number.NaN))
      context.warn(`Client credential ${credential.id} expires at ${expiredAt}, before it was created (${createdAt}).`);
    if (secret === undefined) throw missingSecret(credential, name, response.status, context);
    context.mask.remember(secret);
    const content = { ...credential, name, baseUrl: base, place, clientSecret: secret };
    // If this fails, the secret can still go where the user wants it.
    const isRecoverable = warnOnFailure(() => recovery.fill(content), context);
    await lost.nameTwins(credential.id);
    return { base, record, credential, secret, recovery, isRecoverable, hasLooked: lost.hasLooked() };
  } catch (error) {
    if (error instanceof Failure) recovery.remove();
    throw error;
  }
}

async function sendCreation(body: object, name: string, { beforeRepeat, look }: LostCreations, context: Context) {
  const subject = { type: 'client_credential', id: name };
  const nameIt = ({ value }: ChangeResponse) => {
    const { id = name } = credentialFacts(recordOf(value, 'clientCredentialId') ?? {});
    return { ...subject, id };
  };
  const verify = async ({ value, status }: ChangeResponse) => {
    const record = recordOf(value, 'clientCredentialId');
    if (record && (credentialFacts(record).id !== undefined || secretIn(record) !== undefined)) return;
    throw outcomeUnknown(
      new Failure('unavailable', `The platform returned no client credential (${status}).`, { status }),
    );
  };
  try {
    const request = toRequest(createCredential, { body });
    return await sendRecorded(createCredential, request, { subject }, context, { nameIt, beforeRepeat, look, verify });
  } catch (error) {
    throw explainLost(asFailure(error), name, context);
  }
}

const listCommand = 'iiot credentials list';

function explainLost(failure: Failure, name: string, context: Context): Failure {
  if (failure.facts.fate !== 'unknown' || failure.message.includes(notOurs)) return failure;
  const when = new Date(context.world.now()).toISOString();
  const warning = `A credential "${name}" may exist, created at about ${when}, and its secret is lost.`;
  return failure.with({
    hint: `${warning} Find it: ${lasting(listCommand, context)}; then delete it: ${deletionOf('ID', context)}`,
  });
}

function missingSecret({ id }: CredentialFacts, name: string, status: number, context: Context): Failure {
  const which = id === undefined ? `"${name}"` : id;
  const sentence = `Client credential ${which} was created, but the platform did not return a usable secret.`;
  const firstStep = id === undefined ? `Find its ID: ${lasting(listCommand, context)}; then` : 'Its secret is lost;';
  const hint = `${firstStep} delete it: ${deletionOf(id, context)}`;
  return new Failure('unavailable', sentence, { status, hint, fate: 'made' });
}

/** Removes the recovery file, after the secret is saved. */
export function removeRecovery({ recovery }: IssuedCredential, context: Context): void {
  warnOnFailure(() => recovery.remove(), context, ' It holds the secret of the new client credential.');
}

/** Takes a step, and warns if it fails. @returns whether it worked */
function warnOnFailure(step: () => void, { warn }: Context, more = ''): boolean {
  try {
    step();
    return true;
  } catch (error) {
    warn(`${asFailure(error).message}${more}`);
    return false;
  }
}

/** The failure for a secret that could not be saved, because of `reason`: it is in the recovery file, or the credential is deleted again. */
export async function unsavedFailure(issued: IssuedCredential, reason: Failure, context: Context): Promise<Failure> {
  const { credential, recovery, isRecoverable } = issued;
  const which = credential.id ?? `"${credential.name ?? ''}"`;
  const created = `Client credential ${which} was created, but its secret was not saved. ${reason.message}`;
  if (isRecoverable) {
    const hint = `The secret is in ${recovery.path}, readable only by you. Move it to a safe place, then remove the file`;
    return failureFrom(reason, created, hint).with({ fate: 'made' });
  }
  const obstacle = await revoke(issued, context);
  if (!obstacle)
    return failureFrom(reason, `${created} So the credential was deleted.`, 'Nothing was left behind; try again');
  const sentence = `${created} It could not be deleted: ${obstacle.message}`;
  const hint = `Its secret is lost; delete it: ${deletionOf(credential.id, context)}`;
  return failureFrom(reason, sentence, hint).with({ fate: 'made' });
}

/** Wraps a reason. A usage error becomes io, because usage would mean that nothing was sent. */
function failureFrom(reason: Failure, sentence: string, hint: string): Failure {
  return new Failure(reason.kind === 'usage' ? 'io' : reason.kind, sentence, { ...reason.facts, hint, cause: reason });
}

/** Deletes an unusable credential and its recovery file. If that fails, returns the reason. */
async function revoke(issued: IssuedCredential, context: Context): Promise<Failure | undefined> {
  const { id } = issued.credential;
  if (id === undefined) return new Failure('unavailable', 'its ID is not known.');
  const obstacle = await removeCredential(id, context).then(() => undefined, asFailure);
  if (obstacle) return obstacle;
  removeRecovery(issued, context);
  return undefined;
}

export type Token = Pick<Login, 'accessToken' | 'expiresAt' | 'issuedAt'>;

/** Milliseconds before retries: a platform may need a moment until all its servers know a new credential. */
const retryDelays = [500, 1500];

/** Tests a successor by getting an access token with it, and deletes it again if that fails. @throws Failure that says what exists afterwards */
export function proveCredential(issued: IssuedCredential, old: string, context: Context): Promise<Token> {
  return requestToken(issued, context, retryDelays).catch(async (error: unknown) => {
    throw await unprovenFailure(issued, old, asFailure(error), context);
  });
}

async function requestToken(
  issued: IssuedCredential,
  context: Context,
  [pause, ...others]: readonly number[],
): Promise<Token> {
  const { base, secret, credential } = issued;
  if (credential.clientId === undefined) throw new Failure('unavailable', 'The platform gave no client ID with it.');
  const { requestMachineToken } = await import('../../auth/token-request.ts');
  try {
    const client = { base, clientId: credential.clientId, clientSecret: secret };
    const exchange = await context.exchange();
    const { accessToken, expiresAt, issuedAt } = await requestMachineToken(exchange, client, context.world.now);
    context.mask.remember(accessToken);
    return { accessToken, issuedAt, expiresAt };
  } catch (error) {
    if (asFailure(error).kind !== 'unauthenticated' || pause === undefined) throw error;
    await context.sleep(pause);
    return requestToken(issued, context, others);
  }
}

async function unprovenFailure(issued: IssuedCredential, old: string, reason: Failure, context: Context) {
  const { credential, recovery, isRecoverable } = issued;
  const sentence = `The successor of client credential ${old} got no access token: ${reason.message}`;
  const unchanged = 'The old one is unchanged.';
  const obstacle = await revoke(issued, context);
  if (!obstacle)
    return failureFrom(reason, `${sentence} So it was deleted. ${unchanged}`, 'Nothing has changed; try again');
  const place = isRecoverable ? ` Its secret is in ${recovery.path}.` : '';
  const exists = `It exists as ${credential.id ?? 'ID'}, because deleting it failed as well: ${obstacle.message}${place}`;
  return failureFrom(reason, `${sentence} ${exists} ${unchanged}`, `Delete it: ${deletionOf(credential.id, context)}`);
}

/** The recovery file for a new credential: in the configuration folder, else next to the secret's own file. @throws Failure 'io', before anything is sent */
function recoveryFor(name: string, place: Place, file: string | undefined, context: Context): Recovery {
  const { store, world } = context;
  const pending = { name, baseUrl: place.base, place, begun: new Date(world.now()).toISOString() };
  const { env, platform, homedir, uid, now } = world;
  const storeWorld = { env, platform, homedir, uid, now, warn: context.notice };
  try {
    return openRecovery(store.folder, pending, storeWorld);
  } catch (error) {
    if (!(error instanceof Failure) || file === undefined) throw error;
    return openRecovery(dirname(file), pending, { ...storeWorld, warn: () => undefined });
  }
}
