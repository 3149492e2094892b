/** Where work goes, and as whom. Whatever is kept says it, and is used again only there. */
export type Place = {
  /** As `readBaseUrl` gives it: scheme, host, port and path prefix. Only this is the platform; its origin is not. */
  readonly base: string;
  /** The tenant's path, if a person is logged in. */
  readonly tenant?: string | undefined;
  /** Its ID, as a claim of the token says it: nothing else tells a machine's tenant. */
  readonly tenantId?: string | undefined;
  readonly account?: string | undefined;
  readonly clientId?: string | undefined;
  /** The client that stands for a tenant that nothing else tells: it was rotated into this one, or has created it. */
  readonly firstClientId?: string | undefined;
  readonly org?: string | undefined;
};

/** `unknown`: nothing tells. It is never taken for `same` where something would be lost by that. */
type Sameness = 'same' | 'other' | 'unknown';

export function isSamePlatform(one: Pick<Place, 'base'>, other: Pick<Place, 'base'>): boolean {
  return one.base === other.base;
}

/** "A client credential belongs to the tenant", as do IDs of organizations and records; a token request names none, so a client ID is of one alone. */
export function sameTenant(one: Place, other: Place): Sameness {
  if (!isSamePlatform(one, other)) return 'other';
  for (const key of ['tenantId', 'tenant'] as const) {
    const [its, others] = [one[key], other[key]];
    if (its !== undefined && others !== undefined) return isSameUser(its, others) ? 'same' : 'other';
  }
  return hasClientOf(one, other) ? 'same' : 'unknown';
}

/** Whether both act with the same rights. An account can be of several tenants, and a token need not say whose it is. */
export function sameLogin(one: Place, other: Place): Sameness {
  const tenant = sameTenant(one, other);
  const [who, otherWho] = [whoIn(one), whoIn(other)];
  if (tenant === 'other') return 'other';
  if (who === undefined || otherWho === undefined) return 'unknown';
  const isSameOne =
    one.account !== undefined && other.account !== undefined ? isSameUser(who, otherWho) : hasClientOf(one, other);
  return isSameOne ? tenant : 'other';
}

/** Whether nothing tells who acts there, as of a token that cannot be read. */
export function isNobodys({ tenant, tenantId, account, clientId }: Place): boolean {
  return (tenant ?? tenantId ?? account ?? clientId) === undefined;
}

/** "http://platform.example/prod, tenant acme, as ada@factory.example" @param beside another place that is named, whose tenant may differ only by its ID */
export function placeWords(place: Place, beside = place): string {
  const { base, tenant, tenantId } = place;
  const isTold = tenant !== beside.tenant || tenantId === beside.tenantId;
  const [of, who] = [(isTold ? tenant : tenantId) ?? tenant ?? tenantId, whoIn(place)];
  return [base, ...(of === undefined ? [] : [`tenant ${of}`]), ...(who === undefined ? [] : [`as ${who}`])].join(', ');
}

/** A place that was kept; undefined for anything else. Fields that a newer version has added do not count. */
export function readPlace(value: unknown): Place | undefined {
  if (typeof value !== 'object' || value === null || !('base' in value) || typeof value.base !== 'string')
    return undefined;
  const texts = Object.entries(value).filter(([, each]) => typeof each === 'string');
  return { base: value.base, ...Object.fromEntries(texts) };
}

function whoIn({ account, clientId }: Place): string | undefined {
  return account ?? clientId;
}

/** Whether one client is the other, or has become it by rotation. A person's token has the client of an application, which is of every tenant. */
function hasClientOf(one: Place, other: Place): boolean {
  const [its, others] = [one, other].map(({ account, clientId, firstClientId }) =>
    account === undefined ? [clientId, firstClientId] : [],
  );
  return its?.some((id) => id !== undefined && others?.includes(id)) === true;
}

/** GUIDs and e-mail addresses are compared without their case. */
function isSameUser(one: string, other: string): boolean {
  return /^[0-9a-f-]{36}$|@/i.test(one) ? one.toLowerCase() === other.toLowerCase() : one === other;
}
