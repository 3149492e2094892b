import { operation } from './operation.ts';
import { orgGuid, orgRoleNames } from './shared.ts';

export const user = {
  title: 'User',
  type: 'object',
  description: 'A user of the organization; further fields pass through',
  properties: {
    userId: { type: 'string', description: 'Identifier' },
    name: { type: 'string', description: 'Name' },
    orgRole: { type: 'string', description: 'Role: admin, operator or viewer' },
  },
} as const;

export const listUsers = operation({
  id: 'orgs.users.list',
  summary: 'List the users of an organization',
  description: 'Lists the users that belong to the organization, with the role of each. Reads only.',
  method: 'GET',
  path: '/api/v1/orgs/{orgId}/users',
  security: 'bearer',
  params: {
    orgId: orgGuid,
    skipCount: { in: 'query', type: 'integer', minimum: 0, flag: 'skip', description: 'Users to skip' },
    maxResultCount: {
      in: 'query',
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      flag: 'page-size',
      description: 'Users to ask for at a time',
    },
    sorting: {
      in: 'query',
      type: 'string',
      flag: 'sort',
      description: 'Field to sort by (name, orgRole, userId), asc by default',
    },
    orgRole: {
      in: 'query',
      type: 'string',
      enum: orgRoleNames,
      flag: 'role',
      description: 'Only users with this role',
    },
    name: { in: 'query', type: 'string', description: 'Only users whose name contains this' },
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
    'Deletes the organization for good; this cannot be undone. Only an admin of it may do so, a root organization cannot be deleted, ' +
    'and sub-organizations, devices and other users must be gone first. Its name is asked for as a confirmation, and the platform compares it too.',
  method: 'DELETE',
  path: '/api/v1/orgs/{orgId}',
  security: 'bearer',
  params: {
    orgId: orgGuid,
    orgName: {
      in: 'query',
      type: 'string',
      required: true,
      description: "Confirmation: the organization's actual name",
    },
  },
  responses: {
    204: 'Deleted',
    400: 'orgName does not match',
    403: 'You are not an admin of it, it is a root organization, or it still has sub-organizations, devices or other users',
    404: 'Organization not found',
  },
});

export const operations = [listUsers, deleteOrganization] as const;
