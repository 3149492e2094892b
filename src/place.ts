/** Where a command acts, and as whom. Journals, snapshots and logins record it, and are used again only in the same place. */
export type Place = {
  /** The platform, as `readBaseUrl` gives it: scheme, host, port and path prefix. One origin may have several platforms. */
  readonly base: string;
  /** The tenant's path, if a user is logged in. */
  readonly tenant?: string | undefined;
  /** The tenant's ID, from a claim of the token. Nothing else tells the tenant of a machine. */
  readonly tenantId?: string | undefined;
  readonly account?: string | undefined;
  readonly clientId?: string | undefined;
  /** The client that was rotated into this one, or has created it. Both are of one tenant, even if nothing tells which. */
  readonly firstClientId?: string | undefined;
  readonly org?: string | undefined;
};

/** `unknown` is never taken for `same` where something could be lost. */
type Sameness = 'same' | 'other' | 'unknown';

export function isSamePlatform(one: Pick<Place, 'base'>, other: Pick<Place, 'base'>): boolean {
  return one.base === other.base;
}

/** Compares tenants, to which clients and the IDs of organizations and records belong. A token request names no tenant, so a client ID is of one tenant only. */
export function sameTenant(one: Place, other: Place): Sameness {
  if (!isSamePlatform(one, other)) return 'other';
  for (const key of ['tenantId', 'tenant'] as const) {
    const [left, right] = [one[key], other[key]];
    if (left !== undefined && right !== undefined) return isSameUser(left, right) ? 'same' : 'other';
  }
  return hasClientOf(one, other) ? 'same' : 'unknown';
}

/** Compares accounts or clients together with their tenants, because an account can be of several tenants. */
export function sameLogin(one: Place, other: Place): Sameness {
  const tenant = sameTenant(one, other);
  const [who, otherWho] = [accountOrClient(one), accountOrClient(other)];
  if (tenant === 'other') return 'other';
  if (who === undefined || otherWho === undefined) return 'unknown';
  const isSameOne =
    one.account !== undefined && other.account !== undefined ? isSameUser(who, otherWho) : hasClientOf(one, other);
  return isSameOne ? tenant : 'other';
}

/** Whether nothing tells who acts in a place, as with a token that cannot be read. */
export function isAnonymous({ tenant, tenantId, account, clientId }: Place): boolean {
  return (tenant ?? tenantId ?? account ?? clientId) === undefined;
}

/** "http://platform.example/prod, tenant acme, as ada@factory.example". Shows the tenant's ID where that alone tells it from the place `beside`. */
export function placeWords(place: Place, beside = place): string {
  const { base, tenant, tenantId } = place;
  const isToldByPath = tenant !== beside.tenant || tenantId === beside.tenantId;
  const shownTenant = (isToldByPath ? tenant : tenantId) ?? tenant ?? tenantId;
  const who = accountOrClient(place);
  const ofTenant = shownTenant === undefined ? [] : [`tenant ${shownTenant}`];
  return [base, ...ofTenant, ...(who === undefined ? [] : [`as ${who}`])].join(', ');
}

/** Reads a recorded place; undefined for anything else. Keeps only texts, because a newer version may have added other fields. */
export function readPlace(value: unknown): Place | undefined {
  if (typeof value !== 'object' || value === null || !('base' in value) || typeof value.base !== 'string')
    return undefined;
  const texts = Object.entries(value).filter(([, each]) => typeof each === 'string');
  return { base: value.base, ...Object.fromEntries(texts) };
}

function accountOrClient({ account, clientId }: Place): string | undefined {
  return account ?? clientId;
}

/** Whether two places have a client in common, or one that was rotated into the other. The client of a user's token is an application's, of every tenant. */
function hasClientOf(one: Place, other: Place): boolean {
  const others = clientsOf(other);
  return clientsOf(one).some((id) => id !== undefined && others.includes(id));
}

function clientsOf({ account, clientId, firstClientId }: Place): readonly (string | undefined)[] {
  return account === undefined ? [clientId, firstClientId] : [];
}

/** Compares GUIDs and e-mail addresses in any case, and other names exactly. */
function isSameUser(one: string, other: string): boolean {
  return /^[0-9a-f-]{36}$|@/i.test(one) ? one.toLowerCase() === other.toLowerCase() : one === other;
}
