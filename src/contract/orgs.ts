import { operation } from './operation.ts';
import { inQuery, integer, object, orgGuid, orgRoleNames, text } from './shared.ts';

export const user = object(
  'A user of the organization; further fields pass through',
  { userId: text('Identifier'), name: text('Name'), orgRole: text('Role: admin, operator or viewer') },
  { title: 'User' },
);

export const listUsers = operation({
  id: 'orgs.users.list',
  summary: 'List the users of an organization',
  description: 'Lists the users that belong to the organization, with the role of each. Reads only.',
  method: 'GET',
  path: '/api/v1/orgs/{orgId}/users',
  security: 'bearer',
  params: {
    orgId: orgGuid,
    skipCount: inQuery(integer('Users to skip', { minimum: 0, flag: 'skip' })),
    maxResultCount: inQuery(integer('Users to ask for at a time', { minimum: 1, maximum: 1000, flag: 'page-size' })),
    sorting: inQuery(text('Field to sort by (name, orgRole, userId), asc by default', { flag: 'sort' })),
    orgRole: inQuery(text('Only users with this role', { enum: orgRoleNames, flag: 'role' })),
    name: inQuery(text('Only users whose name contains this')),
  },
  responses: {
    200: 'A page of users',
    400: 'Invalid query parameters, an invalid role for example',
    404: 'Organization not found',
  },
  responseSchema: { type: 'array', items: user, description: 'The users' },
});

export const userSortFields = ['name', 'orgRole', 'userId'] as const;

export const deleteOrganization = operation({
  id: 'orgs.delete',
  summary: 'Delete an organization',
  description:
    'Deletes the organization; this cannot be undone. Only its admins can delete it, and a root organization cannot be deleted. ' +
    'Sub-organizations, devices and other users must be removed first. Its name confirms the deletion, and the platform compares it too.',
  method: 'DELETE',
  path: '/api/v1/orgs/{orgId}',
  security: 'bearer',
  params: {
    orgId: orgGuid,
    orgName: inQuery(text("Confirmation: the organization's actual name", { required: true })),
  },
  responses: {
    204: 'Deleted',
    400: 'orgName does not match',
    403: 'You are not an admin of it, it is a root organization, or it still has sub-organizations, devices or other users',
    404: 'Organization not found',
  },
});
