import type { Context } from '../../command/context.ts';
import { lasting } from '../../command/lasting-line.ts';
import type { Look } from '../../command/look.ts';
import { sendRecorded } from '../../command/record.ts';
import { deleteCredential } from '../../contract/credentials.ts';
import { toRequest } from '../../contract/wire.ts';
import { asFailure } from '../../failure.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import { credentialFacts } from './credential.ts';
import { isNamed, listedNow, refuseIfListed } from './list.ts';

/** The command that deletes a credential, to be copied. */
export function deletionOf(id = 'ID', context: Context): string {
  return lasting(`iiot credentials delete ${quoteForShell(id)}`, context);
}

/** Deletes a credential, which may be gone already. @throws Failure, also if the platform does not find it and still lists it */
export async function removeCredential(id: string, context: Context): Promise<void> {
  const request = toRequest(deleteCredential, { clientCredentialId: id });
  const subject = { type: 'client_credential', id };
  const verify = async ({ status }: { readonly status?: number }) => {
    if (status === 404) await refuseIfListed(id, context);
  };
  try {
    await sendRecorded(deleteCredential, request, { subject }, context, { look: lookForDeletion(id), verify });
  } catch (error) {
    const { kind, facts } = asFailure(error);
    if (kind !== 'not_found' || facts.notPlatform) throw error;
    await verify(facts);
  }
}

/** Whether it is gone. @param wasListed whether it may have been there before */
export function lookForDeletion(id: string, wasListed = () => true): Look {
  return {
    where: 'the list of client credentials',
    isDeletion: true,
    async see(context) {
      const facts = (await listedNow(context)).records.map(credentialFacts);
      const isListed = facts.some((each) => isNamed(each, id));
      const isClear = isListed || (wasListed() && facts.every((each) => each.id !== undefined));
      return { isApplied: isClear ? !isListed : undefined };
    },
  };
}
