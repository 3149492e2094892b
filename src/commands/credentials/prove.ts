import type { Context } from '../../command/context.ts';
import { Failure } from '../../failure.ts';
import type { Login } from '../../store/credentials.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import { asFailure, type IssuedCredential, revoke } from './issue.ts';

type Token = Pick<Login, 'accessToken' | 'expiresAt' | 'issuedAt'>;

/** Milliseconds before retries: a platform may need a moment until all its servers know a new credential. */
const pauses = [500, 1500];

/**
 * Tests a successor by getting an access token with it, and deletes it again if that fails.
 * @throws Failure that says what exists afterwards
 */
export async function proveCredential(issued: IssuedCredential, old: string, context: Context): Promise<Token> {
  try {
    return await token(issued, context, pauses);
  } catch (error) {
    throw await unprovenFailure(issued, old, asFailure(error), context);
  }
}

async function token(
  issued: IssuedCredential,
  context: Context,
  [pause, ...others]: readonly number[],
): Promise<Token> {
  const { base, secret, credential } = issued;
  if (credential.clientId === undefined) throw new Failure('unavailable', 'The platform gave no client ID with it.');
  const { requestMachineToken } = await import('../../auth/token-request.ts');
  try {
    const client = { base, clientId: credential.clientId, clientSecret: secret };
    const { accessToken, expiresAt, issuedAt } = await requestMachineToken(
      await context.exchange(),
      client,
      context.world.now,
    );
    context.mask.remember(accessToken);
    return { accessToken, issuedAt, ...(expiresAt !== undefined && { expiresAt }) };
  } catch (error) {
    if (asFailure(error).kind !== 'unauthenticated' || pause === undefined) throw error;
    await context.sleep(pause);
    return token(issued, context, others);
  }
}

async function unprovenFailure(
  issued: IssuedCredential,
  old: string,
  reason: Failure,
  context: Context,
): Promise<Failure> {
  const { credential, recovery, isRecoverable } = issued;
  const id = credential.id ?? 'ID';
  const sentence = `The successor of client credential ${old} got no access token: ${reason.message}`;
  const unchanged = `The old one is unchanged.`;
  const obstacle = await revoke(issued, context);
  if (!obstacle) {
    const hint = 'Nothing has changed; try again';
    return new Failure(reason.kind, `${sentence} So it was deleted again. ${unchanged}`, {
      ...reason.facts,
      hint,
      cause: reason,
    });
  }
  const place = isRecoverable ? ` Its secret is in ${recovery.path}.` : '';
  const left = `${sentence} It exists as ${id}, because deleting it failed as well: ${obstacle.message}${place} ${unchanged}`;
  return new Failure(reason.kind, left, {
    ...reason.facts,
    hint: `Delete it: iiot credentials delete ${quoteForShell(id)}`,
    cause: reason,
  });
}
