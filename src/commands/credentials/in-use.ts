import type { Context } from '../../command/context.ts';
import { baseUrl } from '../../command/target.ts';
import { Failure } from '../../failure.ts';
import type { Login } from '../../store/credentials.ts';
import type { CredentialFacts } from './fields.ts';

/** What uses a client credential on this machine. */
export type CredentialUse = {
  /** Profiles that are logged in with it. */
  readonly profiles: readonly string[];
  /** The variable with which this command itself uses it. */
  readonly variable?: 'IIOT_CLIENT_ID' | 'IIOT_TOKEN';
};

/**
 * Finds what uses it, without asking the platform. A login has the credential's id if this tool created the credential; else only its client
 * ID, which the platform's list contains.
 */
export async function usesOf(
  { id, clientId }: Pick<CredentialFacts, 'id' | 'clientId'>,
  context: Context,
): Promise<CredentialUse> {
  const using = machineLogins(context).filter(({ login }) =>
    login.clientCredentialId === undefined
      ? clientId !== undefined && login.clientId === clientId
      : login.clientCredentialId === id,
  );
  const profiles = using.map(({ name }) => name);
  const variable = await variableOf(clientId, context);
  return { profiles, ...(variable && { variable }) };
}

/** Whether any profile is logged in as a machine on the command's platform. */
export function hasMachineLogin(context: Context): boolean {
  return machineLogins(context).length > 0;
}

function machineLogins(context: Context): readonly { readonly name: string; readonly login: Login }[] {
  const { store, settings } = context;
  const { origin } = new URL(baseUrl(context));
  const names = ignoreError(() => Object.keys(store.readConfig().profiles)) ?? [];
  return [...new Set([settings.profile.value, ...names])].flatMap((name) => {
    const login = ignoreError(() => store.readLogin(name));
    return login?.flow === 'm2m' && login.origin === origin ? [{ name, login }] : [];
  });
}

/** What the user should know before it is deleted, each in a sentence. */
export function describeUse(
  { profiles, variable }: CredentialUse,
  { id = '', name: title }: Pick<CredentialFacts, 'id' | 'name'>,
  { settings }: Context,
): readonly string[] {
  const which = `client credential ${id}${title === undefined ? '' : ` ("${title}")`}`;
  const own = settings.profile.value;
  const lines = profiles.map((name) =>
    name === own && !variable
      ? `The login in use, of profile ${name}, is ${which}.`
      : `Profile ${name} is logged in with ${which}.`,
  );
  if (variable) lines.unshift(`The login in use, from ${variable}, is ${which}.`);
  return lines.length > 0 ? lines : [`No profile of this machine uses ${which}; other machines may.`];
}

async function variableOf(clientId: string | undefined, context: Context): Promise<CredentialUse['variable']> {
  if (clientId === undefined) return undefined;
  const status = await (await context.session()).status();
  return status.source !== 'profile' && status.clientId === clientId ? status.source : undefined;
}

/** Ignores an unreadable file; commands that need it report that. */
function ignoreError<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return undefined;
  }
}
