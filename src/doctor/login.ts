import type { Context } from '../command/context.ts';
import { listCredentials } from '../contract/credentials.ts';
import type { Operation } from '../contract/operation.ts';
import { listUsers } from '../contract/orgs.ts';
import { type AnyInput, toRequest } from '../contract/wire.ts';
import { asFailure, type Failure } from '../failure.ts';
import { describeDuration } from '../http/exchange.ts';
import type { ExchangeResponse } from '../network/fetch.ts';
import { foreignResponseIn } from '../network/foreign-response.ts';
import { failureLine } from '../text/failure-sentence.ts';
import { titleOf } from '../text/html.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

/** Checks without a login that the platform answers, and how far its clock differs from ours. */
export async function* checkResponse(context: Context, base: string): AsyncGenerator<Finding> {
  const exchange = await context.exchange();
  const ask = (path: string) => exchange({ method: 'GET', url: base + path, repeat: 'never', about: 'doctor' });
  const response = await ask('/');
  const { headers } = response;
  yield await judgeResponse(response, base, () => ask(listCredentials.path));
  const theirs = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(theirs)) return;
  const difference = Math.abs(theirs - context.world.now());
  // The header has whole seconds, and the request takes time.
  yield difference < 5000
    ? ok('clock', "This machine's clock agrees with the platform's")
    : warning(
        'clock',
        `This machine's clock differs from the platform's by ${describeDuration(difference)}.`,
        'Set the clock of this machine; it decides when tokens expire',
      );
}

/** Decides whether the platform has answered. An error page or a redirect is probably not its own; a web page may be, unless an operation gets one too. */
async function judgeResponse(response: ExchangeResponse, base: string, askOperation: () => Promise<ExchangeResponse>) {
  const { status } = response;
  const foreign = foreignResponseIn(response);
  if (foreign && status >= 300)
    return warning('platform', `${foreign.sentence} (${status} at ${base}/).`, foreign.hint);
  if (status >= 500)
    return warning('platform', `It answers with ${status}.`, 'It may be down, or a gateway considers it down');
  const title = foreign && titleOf(response.masked.text);
  if (foreign && foreignResponseIn(await askOperation())) {
    const named = title === undefined ? '' : `: "${title}"`;
    return warning('platform', `A web page answered${named} (${status} at ${base}/).`, foreign.hint);
  }
  return ok('platform', `It answers${title === undefined ? '' : ` with the page "${title}"`} (${status} at ${base}/)`);
}

export async function* checkLogin(context: Context): AsyncGenerator<Finding> {
  const session = await context.session();
  const { loggedIn, why, hint = 'Log in: iiot login', account, clientId, source } = await session.status();
  if (!loggedIn) {
    yield failed('login', 'unauthenticated', why ?? 'You are not logged in.', hint);
    return;
  }
  await session.bearer();
  yield ok('login', `${account ?? clientId ?? 'a token'} (${source})`);
  yield await checkTestCall(context);
}

async function checkTestCall(context: Context): Promise<Finding> {
  const { what, failure, isKnown } = await makeTestCall(context);
  if (!failure) return ok('call', `${what} works`);
  const { kind, facts } = failure;
  const message = `${what}: ${failureLine(failure)}`;
  if (isKnown) return warning('call', message, facts.hint ?? 'The platform knows who you are; check the organization');
  const hint = facts.status === 404 ? 'Check --base-url and --org' : 'Try again';
  return failed('call', kind, message, facts.hint ?? hint);
}

/** Makes one request that only reads. `isKnown`: the platform knows the caller, since it returned a list or refused this caller. */
export async function makeTestCall(context: Context) {
  const orgId = context.settings.resolved.org?.value;
  const what = `Test call (list ${orgId === undefined ? 'credentials' : 'users'})`;
  const failure =
    orgId === undefined
      ? await tryRequest(listCredentials, {}, context)
      : await tryRequest(listUsers, { orgId, maxResultCount: 1 }, context);
  // An unknown organization says nothing about the caller.
  const isOpen = failure?.kind === 'not_found' && orgId !== undefined;
  const secondFailure = isOpen ? await tryRequest(listCredentials, {}, context) : failure;
  return { what, failure, isKnown: [failure, secondFailure].some((each) => !each || each.facts.refused === 'caller') };
}

async function tryRequest(operation: Operation, input: AnyInput, context: Context): Promise<Failure | undefined> {
  const platform = await context.platform();
  try {
    const { value } = await platform.send(operation, toRequest(operation, input));
    (await import('../http/list-page.ts')).readListPage(value, 0);
    return undefined;
  } catch (error) {
    return asFailure(error);
  }
}
