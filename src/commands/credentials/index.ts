import { checkRequest, readBody } from '../../command/body.ts';
import { command } from '../../command/command.ts';
import { openConfirmation } from '../../command/confirm.ts';
import { dryRunResult } from '../../command/dry-run.ts';
import { deletedSchema } from '../../command/dry-run-schema.ts';
import { baseUrl } from '../../command/target.ts';
import { milliseconds } from '../../command/time.ts';
import { createCredential, deleteCredential } from '../../contract/credentials.ts';
import { toRequest } from '../../contract/wire.ts';
import { groupDigits } from '../../text/group-digits.ts';
import { fieldsOf } from '../../text/record.ts';
import { rowsOf } from '../rows/rows-of.ts';
import { credentialFacts, describeUse, expiresFlag, findUses, noteFarExpiry, withExpiry } from './credential.ts';
import { issueCredential } from './issue.ts';
import { warnOfLeftovers } from './leftovers.ts';
import {
  explainNotFound,
  findCredential,
  listCommand,
  lookForDeletion,
  missingCredential,
  readPlatformTime,
  refuseIfListed,
} from './list.ts';
import { rotateCommand } from './rotate.ts';
import {
  checkPlaces,
  createdResult,
  createdSchema,
  isSecretIn,
  saveSecret,
  secretDirFlag,
  secretFileOf,
  secretPlacesFor,
  targetFlags,
  withoutTarget,
} from './secret-places.ts';

const createCommand = command({
  name: 'credentials create',
  without: { each: 'each secret needs a place of its own' },
  changes: { undoable: true, adds: true },
  operation: createCredential,
  result: createdSchema,
  description:
    `${createCredential.description} The secret is written to --secret-file or to the profile of --save-profile, and is then not shown. Without ` +
    'either it is part of the result, at a terminal or with -o json, and --jq is refused. Until the secret is saved or printed, it is also in a private ' +
    'recovery file; an error names that file.',
  rows: rowsOf({
    one: 'client credential',
    many: 'client credentials',
    key: 'name',
    results: ['clientCredentialId', 'clientId', 'secretFile'],
    needs: 'secretDir',
    asks: (rows, { secretDir }) =>
      rows === 1
        ? `Its secret goes to a new file in ${secretDir}.`
        : `Their secrets go to ${groupDigits(rows)} new files in ${secretDir}.`,
    without: ['secretFile', 'saveProfile', 'force'],
    isUnique: true,
    leftovers: warnOfLeftovers,
    wasDone: (input, name) => isSecretIn(secretFileOf(input, name)),
    look: 'iiot credentials list',
  }),
  flags: { expiredAt: expiresFlag, ...targetFlags, secretDir: secretDirFlag },
  examples: {
    'iiot credentials create --name ci --expires 90d --save-profile ci':
      'For this machine, as a profile that is logged in',
    'iiot credentials create --name robot --scope read --secret-file robot.secret':
      'The secret alone, in a file, for a vault',
    'iiot credentials create --rows gateways.csv --secret-dir secrets --yes':
      'One credential per row, and a file for each secret; see iiot help rows',
  },
  async run(input, context) {
    const body = withExpiry(await readBody(createCommand, withoutTarget(input), context), input, context);
    checkRequest(createCommand, createCredential, { body }, context);
    const doubt = noteFarExpiry(body, input, context);
    const name = String(fieldsOf(body).get('name'));
    const secretFile = secretFileOf(input, name);
    const places = secretPlacesFor({ ...input, secretFile }, context);
    const base = baseUrl(context);
    if (context.options.dryRun) {
      return dryRunResult([{ request: toRequest(createCredential, { body }) }], base, context.world.platform);
    }
    await checkPlaces(places, context);
    warnOfLeftovers(context);
    const action = `Create client credential "${name}"`;
    const ask = await openConfirmation({ action, asks: doubt, announce: doubt ? [doubt] : [] }, context);
    await ask?.();
    const { expiredAt } = input;
    // With rows, notices are not shown, but warnings are.
    const say = input.secretDir === undefined ? context.notice : context.warn;
    const now = expiredAt ? await readPlatformTime(context, milliseconds(expiredAt) !== undefined, say) : undefined;
    const issued = await issueCredential({ body: withExpiry(body, input, context, now), file: secretFile }, context);
    await saveSecret(issued, places, context);
    return createdResult(issued, places, context);
  },
});

const deleteCredentialCommand = command({
  name: 'credentials delete',
  changes: { undoable: false },
  operation: deleteCredential,
  description: `${deleteCredential.description} Asks first, and says whether it is the one in use, here or in another profile.`,
  rows: rowsOf({
    one: 'client credential',
    many: 'client credentials',
    key: 'clientCredentialId',
    asks: () => 'Every access token issued from them becomes invalid immediately.',
    look: 'iiot credentials list',
  }),
  result: deletedSchema('clientCredentialId', 'Client credential'),
  arguments: { clientCredentialId: { type: 'string', description: 'Client credential' } },
  examples: {
    'iiot credentials delete credential_001 --dry-run': 'See the request first',
    'iiot credentials delete credential_001 --yes': 'From a script; at a terminal it asks',
    'iiot credentials delete --rows old.csv --dry-run': 'One credential per row, all checked first; see iiot help rows',
  },
  async run({ clientCredentialId: id }, context) {
    checkRequest(deleteCredentialCommand, deleteCredential, { clientCredentialId: id }, context);
    const facts = { id, clientId: undefined, name: undefined, createdAt: undefined, expiredAt: undefined };
    const uses = await findUses(facts, context);
    let wasListed = true;
    return {
      kind: 'change',
      operation: deleteCredential,
      input: { clientCredentialId: id },
      subject: { type: 'client_credential', id },
      action: `Delete client credential ${id}`,
      asks: 'Every access token issued from it becomes invalid immediately.',
      announce: uses.profiles.length > 0 ? describeUse(uses, facts, context) : [],
      preview: async () => {
        const found = await findCredential(id, context);
        wasListed = found !== undefined;
        if (!found) return missingCredential(id, context);
        const facts = { ...credentialFacts(found), id };
        return describeUse(await findUses(facts, context), facts, context);
      },
      look: lookForDeletion(id, () => wasListed),
      explain: (failure) => (failure.kind === 'not_found' ? explainNotFound(failure, id, context) : failure),
      // A 404 means that the response to the first request was lost. Only the list tells whether there was anything to delete.
      async verify({ status }) {
        if (status === 404) await refuseIfListed(id, context);
        if (status === 404 && !wasListed) throw missingCredential(id, context);
      },
      result: () => ({
        kind: 'done',
        value: { clientCredentialId: id, deleted: true },
        sentence: `Deleted client credential ${id}`,
        id: 'clientCredentialId',
      }),
    };
  },
});

export const commands = [createCommand, listCommand, deleteCredentialCommand, rotateCommand];
