import type { Failure } from '../failure.ts';
import type { Place } from '../place.ts';
import type { Login } from '../store/credentials.ts';
import { loggedInElsewhere, loggedInOtherwise } from './login-failures.ts';
import type { SessionParts } from './session.ts';
import { claimedTenant } from './tokens.ts';

/** The place where a stored login acts. */
export function placeOfLogin({ base, tenant, tenantId, account, clientId, firstClientId, accessToken }: Login): Place {
  return { base, tenant, tenantId: claimedTenant(accessToken) ?? tenantId, account, clientId, firstClientId };
}

/** The failure for a login that is not for the place of the settings, which may have changed since. Undefined if it is. */
export function wrongPlaceFailure(
  login: Login,
  { profile, base, tenant, account }: SessionParts['settings'],
): Failure | undefined {
  if (base !== undefined && base !== login.base) return loggedInElsewhere(profile, base, login);
  if (login.flow === 'm2m') return undefined;
  if (tenant && login.tenant !== undefined && tenant.value !== login.tenant)
    return loggedInOtherwise(profile, placeOfLogin(login), `tenant ${tenant.value} (${tenant.from})`);
  if (account && login.account !== undefined && account.toLowerCase() !== login.account.toLowerCase())
    return loggedInOtherwise(profile, placeOfLogin(login), `${account} (account of the profile)`);
  return undefined;
}
