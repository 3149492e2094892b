import { secretOf } from '../auth/environment.ts';
import type { Context } from '../command/context.ts';
import { clientUse } from '../command/settings.ts';
import { type ClientCertificate, openIdentity } from '../network/client-certificate.ts';

/**
 * Reads and checks the client certificate of the settings; asks for the passphrase of a protected key if no variable has it.
 * @throws usage for unusable files, and for a missing passphrase
 */
export async function openClientCertificate(context: Context): Promise<ClientCertificate | undefined> {
  const use = clientUse(context.settings);
  if (!use || 'unused' in use) return undefined;
  return { origin: use.origin, identity: await openIdentity(use.files, (file) => passphraseOf(file, context)) };
}

async function passphraseOf(file: string, context: Context): Promise<string | undefined> {
  const stored = await secretOf(context.world.env, 'IIOT_CLIENT_KEY_PASSPHRASE');
  const person = stored ? undefined : await context.person();
  const given = stored || (person?.canAnswer ? await person.secret(`Passphrase of ${file}:`) : undefined);
  if (given !== undefined) context.mask.remember(given);
  return given;
}
