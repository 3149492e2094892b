/** Tests a new client credential by logging in with it. */
import type { Context } from '../../command/context.ts';
import { asFailure, Failure } from '../../failure.ts';
import type { Login } from '../../store/credentials.ts';
import { abandonUnproven } from './abandon.ts';
import type { IssuedCredential } from './issue.ts';

export type Token = Pick<Login, 'accessToken' | 'expiresAt' | 'issuedAt'>;

/** In milliseconds. Not all servers of a platform know a new credential at once. */
const retryDelays = [500, 1500];

/** Gets an access token with a successor; if that fails, deletes the successor. @param old the ID of its predecessor @throws Failure that says what exists now */
export function proveCredential(issued: IssuedCredential, old: string, context: Context): Promise<Token> {
  return requestToken(issued, context, retryDelays).catch(async (error: unknown) => {
    throw await abandonUnproven(issued, old, asFailure(error), context);
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
