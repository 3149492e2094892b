import { operation } from './operation.ts';
import { inPath, object, strings, text } from './shared.ts';

export const credential = object(
  'A client credential; further fields pass through',
  {
    clientCredentialId: text('Identifier'),
    clientId: text('Used when requesting a token'),
    name: text('Name'),
    // The interface shows no types for these.
    createdAt: { description: 'When it was created' },
    expiredAt: { description: 'When it expires; never if null or absent' },
    scopes: { description: 'Scopes' },
    deviceIds: { description: 'Devices it is limited to' },
  },
  { title: 'ClientCredential' },
);

export const createCredential = operation({
  id: 'credentials.create',
  summary: 'Create a client credential',
  description:
    'Creates a client credential of the tenant for an automated service. The platform shows its secret once, in this response, and never again.',
  method: 'POST',
  path: '/api/v1/oauth2/client-credentials',
  security: 'bearer',
  params: {},
  body: object(
    'The credential',
    {
      name: text('Name'),
      expiredAt: {
        type: ['string', 'null'],
        format: 'date-time',
        flag: 'expires',
        description: 'When it expires (UTC); never if omitted or null',
      },
      scopes: strings('Scope', 'scope'),
      deviceIds: strings('Device it is limited to', 'device-id'),
    },
    { required: ['name'] },
  ),
  // If the response is lost, so is the secret of the credential that may have been created: it is repeated only after a look at the list.
  repeat: 'looked',
  // The interface gives no status; 201 is the usual one for creating.
  responses: { 201: 'Created', 400: 'Missing or invalid fields' },
  responseSchema: {
    ...credential,
    title: 'CreatedClientCredential',
    properties: { ...credential.properties, clientSecret: text('Secret, shown only once') },
  },
});

export const listCredentials = operation({
  id: 'credentials.list',
  summary: 'List the client credentials of the tenant',
  description: "Lists the tenant's client credentials. Secrets are not shown. Reads only.",
  method: 'GET',
  path: '/api/v1/oauth2/client-credentials',
  security: 'bearer',
  params: {},
  responses: { 200: 'The client credentials' },
  responseSchema: { type: 'array', items: credential, description: 'The client credentials' },
});

export const deleteCredential = operation({
  id: 'credentials.delete',
  summary: 'Delete a client credential',
  description:
    'Deletes the client credential. Every access token issued from it becomes invalid immediately; this cannot be undone.',
  method: 'DELETE',
  path: '/api/v1/oauth2/client-credentials/{clientCredentialId}',
  security: 'bearer',
  params: { clientCredentialId: inPath('Client credential') },
  // The interface gives no status; 204 is that of its other deletions.
  responses: { 204: 'Deleted and revoked', 404: 'Client credential not found' },
});
