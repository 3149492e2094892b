/** Credentials from environment variables (docs/contract.md, "Variables"). */
import { usage } from '../failure.ts';
import type { Environment } from '../text/environment.ts';
import { secretIn } from '../text/secret.ts';
import { isSendable } from './tokens.ts';

type EnvironmentCredentials =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'client'; readonly clientId: string; readonly clientSecret: string }
  | undefined;

/** "IIOT_TOKEN, then client ID and secret, then the profile." Empty variables count as not set. @throws usage for half a credential, or one that cannot be sent */
export async function environmentCredentials(env: Environment): Promise<EnvironmentCredentials> {
  if (env.IIOT_TOKEN) return { kind: 'token', token: readBareToken(env.IIOT_TOKEN) };
  const { IIOT_CLIENT_ID: clientId } = env;
  if (!clientId && !env.IIOT_CLIENT_SECRET && !env.IIOT_CLIENT_SECRET_FILE) return undefined;
  const clientSecret = await readSecret(env);
  if (!clientId) {
    const hint = 'Set IIOT_CLIENT_ID, or unset the secret';
    throw usage('A client secret is in the environment, but IIOT_CLIENT_ID is not set.', hint);
  }
  if (!clientSecret) {
    const hint = 'Set IIOT_CLIENT_SECRET, or IIOT_CLIENT_SECRET_FILE to the path of a file that holds it';
    throw usage('IIOT_CLIENT_ID is set, but its secret is not.', hint);
  }
  return { kind: 'client', clientId, clientSecret };
}

function readBareToken(value: string): string {
  const token = value.trim().replace(/^bearer(\s+|$)/i, '');
  if (isSendable(token)) return token;
  throw usage('IIOT_TOKEN holds no token.', 'Give only the access token, on one line');
}

/** Reads the secret of a variable, or of the file that NAME_FILE names. @throws usage if both are set, or if the file cannot be read */
export async function readSecret(env: Environment, name = 'IIOT_CLIENT_SECRET'): Promise<string | undefined> {
  const [secret, file] = [env[name], env[`${name}_FILE`]];
  if (secret && file) throw usage(`${name} and ${name}_FILE are both set.`, 'Unset one of them');
  if (file) return (await import('./secret-file.ts')).readSecretFile(file, `${name}_FILE`);
  return secret && secretIn(secret, name);
}
