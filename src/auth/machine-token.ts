import { machineToken as operation } from '../contract/authentication.ts';
import { requestUrl, toRequest } from '../contract/wire.ts';
import type { Exchange } from '../network/fetch.ts';
import { withoutGaps } from './oauth-error.ts';
import { requestTokens } from './token-request.ts';
import type { Tokens } from './tokens.ts';

export type Client = { readonly base: string; readonly clientId: string; readonly clientSecret: string };

/**
 * Requests an access token as a machine: "POST {base_url}/identity/connect/token, Content-Type application/x-www-form-urlencoded, fields
 * grant_type (value client_credentials), client_id, client_secret". Repeated after temporary failures (docs/contract.md,
 * "Repeated requests").
 * @param now epoch milliseconds
 * @throws Failure 'unauthenticated' if the client is refused, 'not_found' if the address does not exist, otherwise 'unavailable'
 */
export function requestMachineToken(exchange: Exchange, client: Client, now: () => number): Promise<Tokens> {
  const { base, clientId, clientSecret } = client;
  const { path, query, ...sent } = toRequest(operation, {
    body: { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret },
  });
  return requestTokens({
    exchange: async (request) => withoutGaps(await exchange(request), clientSecret),
    request: {
      ...sent,
      url: requestUrl(base, { path, query }),
      headers: { accept: 'application/json' },
      repeat: 'always',
      about: 'the request for a machine token',
    },
    from: 'The request for a machine token',
    now,
    also: 'check the client ID and its secret',
    refused: ({ words }) => ({
      sentence: `The platform refuses the client credential ${clientId}${words === undefined ? ', which may have expired or been deleted' : ''}`,
      hint: 'Check the client ID and its secret',
    }),
  });
}
