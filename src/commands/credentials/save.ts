import type { Context } from '../../command/context.ts';
import { withNote } from '../../command/perform.ts';
import { Failure } from '../../failure.ts';
import { everyColumn } from '../../output/choose-columns.ts';
import type { Result } from '../../output/result.ts';
import type { Login } from '../../store/credentials.ts';
import type { JsonRecord } from '../../text/record.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import { credentialColumns, withoutSecrets } from './fields.ts';
import { asFailure, type IssuedCredential, removeRecovery, unsavedFailure } from './issue.ts';
import { isPrinted, type SecretTarget } from './secret-target.ts';

type Token = Pick<Login, 'accessToken' | 'expiresAt' | 'issuedAt'>;

/**
 * Saves the secret of a new credential in its file and its profiles, and removes it everywhere else.
 * @param token one that was already got with it
 * @throws Failure that says where the secret is instead, or that the credential was deleted
 */
export async function saveSecret(
  issued: IssuedCredential,
  target: SecretTarget,
  context: Context,
  token: Token = {},
): Promise<void> {
  try {
    if (target.file !== undefined) await writeFile(target.file, `${issued.secret}\n`, target.force, context);
    for (const name of target.profiles) await logIn(name, issued, token, context);
  } catch (error) {
    throw await unsavedFailure(issued, asFailure(error), context);
  }
  if (!isPrinted(target)) removeRecovery(issued, context);
}

async function writeFile(path: string, text: string, force: boolean, { store }: Context): Promise<void> {
  if (force) await store.writePrivately(path, text);
  else await store.createPrivate(path, text);
}

/** Secrets are saved first, then the profile: if the second step fails, the user only has to log in again. */
async function logIn(
  name: string,
  { base, credential, secret }: IssuedCredential,
  token: Token,
  context: Context,
): Promise<void> {
  const { store, settings } = context;
  const { id, clientId } = credential;
  if (clientId === undefined) throw new Failure('unavailable', 'the platform gave no client ID to log in with.');
  await store.writeLogin(name, {
    flow: 'm2m',
    origin: new URL(base).origin,
    base,
    clientId,
    clientSecret: secret,
    ...(id !== undefined && { clientCredentialId: id }),
    ...token,
  });
  const org = settings.resolved.org?.value;
  await store.changeConfig((config) => {
    const before = config.profiles[name];
    const profile = { ...(before?.org === undefined && org !== undefined && { org }), ...before, baseUrl: base };
    return { ...config, profiles: { ...config.profiles, [name]: profile } };
  });
}

/**
 * The result of a creation. Without a file or profile for the secret, the result contains it, and the recovery file stays until it is written.
 * @param more further fields of the result: what was replaced
 * @param next runs after the secret is saved or printed
 */
export async function createdResult(
  issued: IssuedCredential,
  target: SecretTarget,
  context: Context,
  { more = {}, next }: { readonly more?: JsonRecord; readonly next?: () => Promise<Failure | undefined> } = {},
): Promise<Result> {
  const { record, secret, credential } = issued;
  const shown = {
    ...(withoutSecrets(record, secret) as JsonRecord), // an object for an object
    ...(target.file !== undefined && { secretFile: target.file }),
    ...(target.profiles.length > 0 && { profile: target.profiles.join(', ') }),
    ...more,
  };
  const about = `client credential ${credential.id ?? ''}`.trim();
  const facts = {
    kind: 'record',
    id: 'clientCredentialId',
    fields: [...Object.keys(shown), 'clientSecret'],
    sentence: `Created client credential ${credential.name ?? credential.id ?? ''}`.trim(),
    shown: everyColumn(credentialColumns, [{ ...shown, clientSecret: secret }]),
  } as const;
  if (!isPrinted(target)) {
    const ending = async () => {
      noticeNextSteps(target, more, context);
      return next?.();
    };
    return withNote(about, { ...facts, value: shown, ending });
  }
  return {
    ...facts,
    value: { ...shown, clientSecret: secret },
    async ending(unwritten) {
      if (unwritten !== undefined)
        return unsavedFailure(issued, unwritten === 'unread' ? unread() : unwritten, context);
      removeRecovery(issued, context);
      if (context.world.stdout.isTTY) context.notice('Save the secret now, it is shown only once.');
      return next?.();
    },
  };
}

/** Says how to use a new login; not needed after a rotation. */
function noticeNextSteps(
  { profiles: [profile] }: SecretTarget,
  { replaces }: JsonRecord,
  { world, notice }: Context,
): void {
  if (world.stderr.isTTY !== true || profile === undefined || replaces !== undefined) return;
  notice(`Profile ${profile} is logged in. Next: iiot orgs users list --profile ${quoteForShell(profile)}`);
}

function unread(): Failure {
  return new Failure('io', 'the output was closed.');
}
