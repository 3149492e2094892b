import type { Context } from '../context.ts';
import { listCredentials } from '../contract/credentials.ts';
import { listUsers } from '../contract/orgs.ts';
import { toRequest } from '../contract/wire.ts';
import { Failure } from '../failure.ts';
import { inWords } from '../http/exchange.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

/** Whether the platform answers at all, and how far its clock is from ours: one request without a login. */
export async function* checkAnswer(context: Context, base: string): AsyncGenerator<Finding> {
  const exchange = await context.exchange();
  const { status, headers } = await exchange({ method: 'GET', url: `${base}/`, repeat: 'never', about: 'doctor' });
  yield status >= 500
    ? warning('platform', `It answers, with ${status}.`, 'It may be down, or behind a gateway that finds it so')
    : ok('platform', `It answers (${status} at ${base}/)`);
  const theirs = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(theirs)) return;
  const difference = Math.abs(theirs - context.world.now());
  // The header has whole seconds, and the way takes its time.
  yield difference < 5000
    ? ok('clock', 'This clock and that of the platform agree')
    : warning(
        'clock',
        `This clock and that of the platform differ by ${inWords(difference)}.`,
        'Set the clock of this machine; tokens expire by it',
      );
}

/** Who we are, and whether the platform accepts it. */
export async function* checkLogin(context: Context): AsyncGenerator<Finding> {
  const session = await context.session();
  const { signedIn, why, account, clientId, source } = await session.status();
  if (!signedIn) {
    yield failed('login', 'unauthenticated', why ?? 'Nobody is logged in.', 'Log in: iiot login');
    return;
  }
  await session.bearer();
  yield ok('login', `${account ?? clientId ?? 'a token'} (${source})`);
  yield await harmlessCall(context);
}

async function harmlessCall(context: Context): Promise<Finding> {
  const platform = await context.platform();
  const orgId = context.settings.sourced.org?.value;
  const [operation, request] =
    orgId === undefined
      ? [listCredentials, toRequest(listCredentials, {})]
      : [listUsers, toRequest(listUsers, { orgId, maxResultCount: 1 })];
  try {
    await platform.send(operation, request);
    return ok('call', `${operation.summary}: it works`);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { kind, message, facts } = error;
    const known = kind === 'forbidden' || kind === 'not_found' || kind === 'rejected';
    if (known)
      return warning(
        'call',
        `${operation.summary}: ${message}`,
        facts.hint ?? 'The platform knows who you are; check the organization',
      );
    return failed('call', kind, `${operation.summary}: ${message}`, facts.hint ?? 'Try again');
  }
}
