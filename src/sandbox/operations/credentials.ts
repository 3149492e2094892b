import type * as contract from '../../contract/credentials.ts';
import { type Handler, notFound } from '../handler.ts';
import { hashOf } from '../identity/secrets.ts';
import type { Credential } from '../world/world.ts';

/** "The secret is returned only once": in this response. It is not stored. */
export const createCredential: Handler<typeof contract.createCredential> = ({ body }, { world, secrets, clock }) => {
  const secret = secrets.text();
  const credential: Credential = {
    clientCredentialId: `credential_${secrets.text().slice(0, 12)}`,
    clientId: `client-${secrets.text().slice(0, 12)}`,
    secretHash: hashOf(secret),
    name: body.name,
    createdAt: new Date(clock.now()).toISOString(),
    expiredAt: body.expiredAt ? new Date(body.expiredAt.toUpperCase()).toISOString() : null,
    scopes: body.scopes ?? [],
    deviceIds: body.deviceIds ?? [],
  };
  world.credentials.set(credential.clientCredentialId, credential);
  const { clientCredentialId, clientId, name, createdAt, expiredAt } = credential;
  return {
    status: 201,
    body: { clientCredentialId, clientId, clientSecret: secret, name, createdAt, expiredAt },
    headers: { 'cache-control': 'no-store' },
  };
};

/** The interface does not show the form of the list: here it is that of the other lists. */
export const listCredentials: Handler<typeof contract.listCredentials> = (_, { world }) => {
  const items = [...world.credentials.values()].map(({ secretHash: _hash, ...shown }) => shown);
  return { status: 200, body: { items, totalCount: items.length } };
};

/** The tokens of the credential become invalid with it, because each request looks up the credential of its token. */
export const deleteCredential: Handler<typeof contract.deleteCredential> = ({ clientCredentialId }, { world }) => {
  if (!world.credentials.delete(clientCredentialId)) throw notFound('Client credential', clientCredentialId);
  return { status: 204 };
};
