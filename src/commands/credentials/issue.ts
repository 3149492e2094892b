import { dirname } from 'node:path';
import type { Context } from '../../command/context.ts';
import { lastingLine } from '../../command/lasting-line.ts';
import { placeOf } from '../../command/place.ts';
import { type ChangeResponse, sendRecorded } from '../../command/record.ts';
import { baseUrl } from '../../command/target.ts';
import { createCredential } from '../../contract/credentials.ts';
import { toRequest } from '../../contract/wire.ts';
import { asFailure, Failure, outcomeUnknown, warnOnFailure } from '../../failure.ts';
import type { Place } from '../../place.ts';
import { openRecovery, type Recovery } from '../../store/recovery.ts';
import { fieldsOf, type JsonRecord } from '../../text/record.ts';
import { recordOf } from '../update.ts';
import { type CredentialFacts, clientSecretIn, credentialFacts, timeIn } from './credential.ts';
import { deletionOf } from './list.ts';
import { type LostCreations, notOurs, openLostCreations } from './lost.ts';

/** What to create. `file` is where the secret is to go; `knownIds` are those of credentials that cannot be the new one. */
type Issue = { readonly body: object; readonly file: string | undefined; readonly knownIds?: readonly string[] };

/** A credential that the platform has just created. */
export type IssuedCredential = {
  readonly base: string;
  /** The platform's response. */
  readonly record: JsonRecord;
  readonly credential: CredentialFacts;
  readonly secret: string;
  readonly recovery: Recovery;
  /** The recovery file has the secret too; otherwise it exists only here. */
  readonly isRecoverable: boolean;
  /** The list was read, to see what attempts without a response had created. */
  readonly hasLooked: boolean;
};

/**
 * Creates a client credential. The recovery file is created before the request, and then gets the secret; if that fails, `isRecoverable` is false.
 * The request is repeated only after the list was read: an attempt without a response may have created a credential whose secret nobody has.
 * @throws Failure if no credential was created, or if its secret is lost; the message says which
 */
export async function issueCredential({ body, file, knownIds }: Issue, context: Context): Promise<IssuedCredential> {
  const name = String(fieldsOf(body).get('name'));
  const base = baseUrl(context);
  const place = await placeOf(context);
  // Loads the code that sends: if iiot is being replaced on disk, this fails before the recovery file exists.
  await context.platform();
  const recovery = openRecoveryFor(name, place, file, context);
  try {
    const lostCreations = openLostCreations(body, knownIds ?? [], context);
    const response = await sendCreation(body, name, lostCreations, context);
    const record = recordOf(response.value, 'clientCredentialId') ?? {};
    const credential = credentialFacts(record);
    const secret = clientSecretIn(record);
    const { id, createdAt, expiredAt } = credential;
    if (endsBeforeItBegins(credential))
      context.warn(`Client credential ${id} expires at ${expiredAt}, before it was created (${createdAt}).`);
    if (secret === undefined) throw missingSecret(credential, name, response.status, context);
    context.mask.remember(secret);
    const content = { ...credential, name, baseUrl: base, place, clientSecret: secret };
    // Without it, the secret can still go where the user wants it.
    const isRecoverable = warnOnFailure(() => recovery.fill(content), context.warn);
    await lostCreations.nameTwins(id);
    return { base, record, credential, secret, recovery, isRecoverable, hasLooked: lostCreations.hasLooked() };
  } catch (error) {
    // A defect may strike after the secret has arrived: then the file stays.
    if (error instanceof Failure) recovery.remove();
    throw error;
  }
}

/** Opens a recovery file in the configuration folder, or else next to the secret's own file. @throws Failure 'io' if neither can be written */
function openRecoveryFor(name: string, place: Place, file: string | undefined, context: Context): Recovery {
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

function endsBeforeItBegins({ createdAt, expiredAt }: CredentialFacts): boolean {
  return (timeIn(expiredAt) ?? Number.NaN) <= (timeIn(createdAt) ?? Number.NaN);
}

async function sendCreation(
  body: object,
  name: string,
  lost: LostCreations,
  context: Context,
): Promise<ChangeResponse> {
  const subject = { type: 'client_credential', id: name };
  const subjectOf = ({ value }: ChangeResponse) => {
    const { id = name } = credentialFacts(recordOf(value, 'clientCredentialId') ?? {});
    return { ...subject, id };
  };
  const verify = async ({ value, status }: ChangeResponse) => {
    const record = recordOf(value, 'clientCredentialId');
    if (record && (credentialFacts(record).id !== undefined || clientSecretIn(record) !== undefined)) return;
    const sentence = `The platform returned no client credential (${status}).`;
    throw outcomeUnknown(new Failure('unavailable', sentence, { status }));
  };
  try {
    const request = toRequest(createCredential, { body });
    const options = { subjectOf, verify, beforeRepeat: lost.beforeRepeat, look: lost.look };
    return await sendRecorded(createCredential, request, { subject }, context, options);
  } catch (error) {
    throw explainLostSecret(asFailure(error), name, context);
  }
}

const listCommand = 'iiot credentials list';

function explainLostSecret(failure: Failure, name: string, context: Context): Failure {
  if (failure.facts.fate !== 'unknown' || failure.message.includes(notOurs)) return failure;
  const when = new Date(context.world.now()).toISOString();
  const warning = `A credential "${name}" may exist, created at about ${when}, and its secret is lost.`;
  return failure.with({
    hint: `${warning} Find it: ${lastingLine(listCommand, context)}; then delete it: ${deletionOf('ID', context)}`,
  });
}

function missingSecret({ id }: CredentialFacts, name: string, status: number, context: Context): Failure {
  const sentence = `Client credential ${id ?? `"${name}"`} was created, but the platform did not return a usable secret.`;
  const firstStep =
    id === undefined ? `Find its ID: ${lastingLine(listCommand, context)}; then` : 'Its secret is lost;';
  const hint = `${firstStep} delete it: ${deletionOf(id, context)}`;
  return new Failure('unavailable', sentence, { status, hint, fate: 'made' });
}
