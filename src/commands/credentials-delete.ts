import { command } from '../command.ts';
import { deleteCredential } from '../contract/credentials.ts';
import { checked } from './body.ts';
import { knownOf } from './credentials-fields.ts';
import { findCredential } from './credentials-list.ts';
import { useInWords, usesOf } from './credentials-use.ts';

export const deleteCommand = command({
  name: 'credentials delete',
  operation: deleteCredential,
  description: `${deleteCredential.description} Asks first, and says whether it is the one in use, here or in another profile.`,
  changes: 'final',
  arguments: { clientCredentialId: { type: 'string', description: 'Client credential' } },
  examples: [
    { line: 'iiot credentials delete credential_001 --dry-run', says: 'See the request first' },
    { line: 'iiot credentials delete credential_001 --yes', says: 'From a script; on a terminal it asks' },
  ],
  async run({ clientCredentialId: id }, context) {
    checked(deleteCommand, deleteCredential, { clientCredentialId: id }, context);
    return {
      kind: 'change',
      operation: deleteCredential,
      input: { clientCredentialId: id },
      about: `client credential ${id}`,
      question: `Delete client credential ${id}? Every access token issued from it becomes invalid immediately.`,
      look: async () => {
        const found = await findCredential(id, context);
        const { clientId, name } = knownOf(found ?? {});
        const it = name === undefined ? [] : [`Client credential ${id} is "${name}".`];
        return [...it, ...useInWords(await usesOf({ id, clientId }, context), context)];
      },
      explain: (failure) =>
        failure.kind === 'not_found' ? failure.with({ hint: 'See: iiot credentials list' }) : failure,
      result: () => ({
        kind: 'done',
        value: { clientCredentialId: id, deleted: true },
        sentence: `Deleted client credential ${id}`,
        id: 'clientCredentialId',
      }),
    };
  },
});
