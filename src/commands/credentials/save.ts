import type { Context } from '../../command/context.ts';
import { withNote } from '../../command/perform.ts';
import { Failure } from '../../failure.ts';
import type { Result } from '../../output/result.ts';
import type { Login } from '../../store/credentials.ts';
import type { JsonRecord } from '../../text/record.ts';
import { quoted } from '../../text/shell-lines.ts';
import { withoutSecrets } from './fields.ts';
import { asFailure, type IssuedCredential, settle, unsaved } from './issue.ts';
import { isPrinted, type SecretTarget } from './secret-target.ts';

type Token = Pick<Login, 'accessToken' | 'expiresAt' | 'issuedAt'>;

/**
 * Puts the secret of a new credential into its file and its profiles, after which it is nowhere else.
 * @param token that has been got with it already
 * @throws Failure that says where the secret is instead, or that the credential is gone
 */
export async function save(
  issued: IssuedCredential,
  target: SecretTarget,
  context: Context,
  token: Token = {},
): Promise<void> {
  try {
    if (target.file !== undefined) await writeFile(target.file, `${issued.secret}\n`, target.force, context);
    for (const name of target.profiles) await logIn(name, issued, token, context);
  } catch (error) {
    throw await unsaved(issued, asFailure(error), context);
  }
  if (!isPrinted(target)) settle(issued, context);
}

async function writeFile(path: string, text: string, force: boolean, { store }: Context): Promise<void> {
  if (force) await store.writePrivately(path, text);
  else await store.createPrivate(path, text);
}

/** Secrets first, then where they belong: a profile without a login only asks to log in. */
async function logIn(
  name: string,
  { base, known, secret }: IssuedCredential,
  token: Token,
  context: Context,
): Promise<void> {
  const { store, settings } = context;
  const { id, clientId } = known;
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
  const org = settings.sourced.org?.value;
  await store.changeConfig((config) => {
    const before = config.profiles[name];
    const profile = { ...(before?.org === undefined && org !== undefined && { org }), ...before, baseUrl: base };
    return { ...config, profiles: { ...config.profiles, [name]: profile } };
  });
}

/**
 * The result of a creation. Where nothing else takes the secret it is a part of it, and until it has got out the recovery file stays.
 * @param more of the result: what was replaced
 * @param next what comes after the secret has reached its place
 */
export async function created(
  issued: IssuedCredential,
  target: SecretTarget,
  context: Context,
  { more = {}, next }: { readonly more?: JsonRecord; readonly next?: () => Promise<Failure | undefined> } = {},
): Promise<Result> {
  const { record, secret, known } = issued;
  const shown = {
    ...(withoutSecrets(record, secret) as JsonRecord), // of an object it makes an object
    ...(target.file !== undefined && { secretFile: target.file }),
    ...(target.profiles.length > 0 && { profile: target.profiles.join(', ') }),
    ...more,
  };
  const about = `client credential ${known.id ?? ''}`.trim();
  const facts = { kind: 'record', id: 'clientCredentialId', fields: [...Object.keys(shown), 'clientSecret'] } as const;
  if (!isPrinted(target)) {
    const ending = async () => {
      sayNext(target, more, context);
      return next?.();
    };
    return withNote(about, { ...facts, value: shown, ending });
  }
  return {
    ...facts,
    value: { ...shown, clientSecret: secret },
    async ending(unwritten) {
      if (unwritten !== undefined) return unsaved(issued, unwritten === 'unread' ? unread() : unwritten, context);
      settle(issued, context);
      if (context.world.stdout.isTTY) context.notice('Save the secret now, it is shown only once.');
      return next?.();
    },
  };
}

/** Where a new login is used; who rotates one knows. */
function sayNext({ profiles: [profile] }: SecretTarget, { replaces }: JsonRecord, { world, notice }: Context): void {
  if (world.stderr.isTTY !== true || profile === undefined || replaces !== undefined) return;
  notice(`Profile ${profile} is logged in. Next: iiot orgs users list --profile ${quoted(profile)}`);
}

function unread(): Failure {
  return new Failure('internal', 'the output was closed.');
}
