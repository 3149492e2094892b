import type { Context } from '../command/context.ts';
import { clientUse } from '../command/settings.ts';
import { usage } from '../failure.ts';
import { type ClientCertificate, openIdentity } from '../network/client-certificate.ts';
import { nameOf, readNamed } from '../network/pem.ts';
import { secretIn } from '../text/secret.ts';

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
  const given = givenPassphrase(context.world.env) ?? (await typedPassphrase(file, context));
  if (given !== undefined) context.mask.remember(given);
  return given;
}

function givenPassphrase(env: Context['world']['env']): string | undefined {
  const { IIOT_CLIENT_KEY_PASSPHRASE: word, IIOT_CLIENT_KEY_PASSPHRASE_FILE: path } = env;
  if (word && path)
    throw usage('IIOT_CLIENT_KEY_PASSPHRASE and IIOT_CLIENT_KEY_PASSPHRASE_FILE are both set.', 'Unset one of them');
  if (!path) return secretIn(word ?? '', 'IIOT_CLIENT_KEY_PASSPHRASE') || undefined;
  const file = { value: path, from: 'IIOT_CLIENT_KEY_PASSPHRASE_FILE' };
  const bytes = Buffer.from(readNamed(file, 'Check its path and its permissions'), 'latin1');
  return secretIn(bytes, nameOf(file));
}

async function typedPassphrase(file: string, context: Context): Promise<string | undefined> {
  const person = await context.person();
  return person.canAnswer ? person.secret(`Passphrase of ${file}:`) : undefined;
}
