import { checkRequest } from '../../command/body.ts';
import { command } from '../../command/command.ts';
import { deleteCredential } from '../../contract/credentials.ts';
import { credentialFacts } from './fields.ts';
import { describeUse, usesOf } from './in-use.ts';
import { findCredential, missingCredential } from './list.ts';

export const deleteCredentialCommand = command({
  name: 'credentials delete',
  operation: deleteCredential,
  description: `${deleteCredential.description} Asks first, and says whether it is the one in use, here or in another profile.`,
  changes: 'final',
  arguments: { clientCredentialId: { type: 'string', description: 'Client credential' } },
  examples: [
    { line: 'iiot credentials delete credential_001 --dry-run', says: 'See the request first' },
    { line: 'iiot credentials delete credential_001 --yes', says: 'From a script; at a terminal it asks' },
  ],
  async run({ clientCredentialId: id }, context) {
    checkRequest(deleteCredentialCommand, deleteCredential, { clientCredentialId: id }, context);
    return {
      kind: 'change',
      operation: deleteCredential,
      input: { clientCredentialId: id },
      about: `client credential ${id}`,
      action: `Delete client credential ${id}`,
      asks: 'Every access token issued from it becomes invalid immediately.',
      preview: async () => {
        const found = await findCredential(id, context);
        if (!found) return missingCredential(id, context);
        const facts = { ...credentialFacts(found), id };
        return describeUse(await usesOf(facts, context), facts, context);
      },
      explain: (failure) =>
        failure.kind === 'not_found' ? failure.with({ hint: 'See iiot credentials list' }) : failure,
      result: () => ({
        kind: 'done',
        value: { clientCredentialId: id, deleted: true },
        sentence: `Deleted client credential ${id}`,
        id: 'clientCredentialId',
      }),
    };
  },
});
