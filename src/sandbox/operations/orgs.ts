import type * as contract from '../../contract/orgs.ts';
import { type Caller, type Handler, invalidField, Refusal } from '../handler.ts';
import type { Organization, SandboxWorld } from '../world/world.ts';
import { findOrganization } from './find.ts';

/** The interface specifies no default for maxResultCount of users: here it is ABP's, 10. */
const defaultPage = 10;

export const listUsers: Handler<typeof contract.listUsers> = (input, { world }) => {
  const sorting = readSorting(input.sorting);
  const organization = findOrganization(world, input.orgId);
  // "Filter by partial match on user name"; the interface does not mention case, which is ignored here.
  const part = input.name?.toLowerCase();
  const all = sortedUsers(world, organization, sorting);
  const matches = (row: ListedUser) =>
    (!input.orgRole || row.orgRole === input.orgRole) && (!part || row.name.toLowerCase().includes(part));
  const rows = input.orgRole || part ? all.filter(matches) : all;
  const skip = input.skipCount ?? 0;
  return {
    status: 200,
    body: { totalCount: rows.length, items: rows.slice(skip, skip + (input.maxResultCount ?? defaultPage)) },
  };
};

type ListedUser = { readonly userId: string; readonly name: string; readonly orgRole: string; readonly email: string };
type Sorting = { readonly field: 'name' | 'orgRole' | 'userId'; readonly descending: boolean };

/** "<field> <direction>; fields name, orgRole, userId; direction asc (default) or desc". Without it: by userId. */
function readSorting(text = 'userId'): Sorting {
  const [, field, direction] = /^(name|orgRole|userId)(?: +(asc|desc))?$/i.exec(text) ?? [];
  const known = (['name', 'orgRole', 'userId'] as const).find((name) => name.toLowerCase() === field?.toLowerCase());
  if (!known) throw invalidField('sorting', 'takes name, orgRole or userId, and asc or desc after it');
  return { field: known, descending: direction?.toLowerCase() === 'desc' };
}

// Members never change while an organization exists, so each order is computed once and dropped with the organization.
const orders = new WeakMap<Organization, Map<string, readonly ListedUser[]>>();

function sortedUsers(
  world: SandboxWorld,
  organization: Organization,
  { field, descending }: Sorting,
): readonly ListedUser[] {
  const known = orders.get(organization) ?? new Map<string, readonly ListedUser[]>();
  orders.set(organization, known);
  const key = `${field} ${descending}`;
  const rows = known.get(key) ?? usersOf(world, organization).sort(comparatorFor(field, descending ? -1 : 1));
  known.set(key, rows);
  return rows;
}

function usersOf({ users }: SandboxWorld, { members }: Organization): ListedUser[] {
  return [...members].map(([userId, orgRole]) => {
    const user = users.get(userId);
    return { userId, name: user?.name ?? '', orgRole, email: user?.email ?? '' };
  });
}

function comparatorFor(field: Sorting['field'], sign: number): (one: ListedUser, other: ListedUser) => number {
  return (one, other) =>
    sign * compare(one[field].toLowerCase(), other[field].toLowerCase()) || compare(one.userId, other.userId);
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** The four reasons for 403, each with its own message. */
export const deleteOrganization: Handler<typeof contract.deleteOrganization> = ({ orgId, orgName }, call) => {
  const { world, caller } = call;
  const organization = findOrganization(world, orgId);
  if (orgName !== organization.name) throw invalidField('orgName', "is not the organization's name");
  const obstacle = deletionObstacles.find(([, , stands]) => stands(organization, world, caller));
  if (obstacle) throw new Refusal(403, `Organizations:${obstacle[0]}`, obstacle[1]);
  world.organizations.delete(organization.orgId);
  for (const records of [world.policies, world.templates, world.channels, world.batches]) {
    for (const [id, record] of records) if (record.orgId === organization.orgId) records.delete(id);
  }
  return { status: 204 };
};

type Condition = (organization: Organization, world: SandboxWorld, caller: Caller) => boolean;

const deletionObstacles: readonly (readonly [code: string, message: string, stands: Condition])[] = [
  [
    'NotAdmin',
    'Only an admin of the organization may delete it.',
    ({ members }, _, caller) => caller.kind === 'user' && members.get(caller.account.userId) !== 'admin',
  ],
  ['IsRoot', 'A root organization cannot be deleted.', ({ parentId }) => parentId === null],
  [
    'HasSubOrganizations',
    'The organization still has sub-organizations.',
    ({ orgId }, { organizations }) => [...organizations.values()].some(({ parentId }) => parentId === orgId),
  ],
  [
    'HasDevices',
    'The organization still has devices.',
    ({ orgId }, { devices }) => [...devices.values()].some((device) => device.orgId === orgId),
  ],
  [
    'HasOtherUsers',
    'The organization still has other users.',
    // A client credential belongs to the tenant and is not a user, so every user counts as another one.
    ({ members }, _, caller) =>
      [...members.keys()].some((userId) => caller.kind !== 'user' || userId !== caller.account.userId),
  ],
];
