import { fstatSync, lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { placeOfLogin } from '../../auth/login-place.ts';
import { guardProfile } from '../../command/confirm.ts';
import type { Context } from '../../command/context.ts';
import { withNote } from '../../command/perform.ts';
import { placeOf, placeOfProfile } from '../../command/place.ts';
import { formatOf } from '../../command/settings.ts';
import { baseUrl } from '../../command/target.ts';
import { createCredential } from '../../contract/credentials.ts';
import type { Schema } from '../../contract/schema.ts';
import { boolean, text, textOrNull } from '../../contract/shared.ts';
import { asFailure, Failure, refusedInput, usage } from '../../failure.ts';
import { createFolder } from '../../files/make-folder.ts';
import { readRegular, statusAt } from '../../files/open-regular.ts';
import { createPrivate, reserveSpace, writePrivately } from '../../files/private-file.ts';
import { everyColumn } from '../../output/columns.ts';
import { allColumns, type Result } from '../../output/result.ts';
import { type Place, sameTenant } from '../../place.ts';
import { checkProfileName, type Profile, withProfileValues } from '../../store/config.ts';
import type { Login } from '../../store/credentials.ts';
import { ignoreError } from '../../text/ignore-error.ts';
import type { JsonRecord } from '../../text/record.ts';
import { optionForShell } from '../../text/shell-lines.ts';
import { fileNameOf } from '../../working-copy/file-name.ts';
import { abandonUnsaved, removeRecovery } from './abandon.ts';
import { credentialColumns, removeSecrets } from './credential.ts';
import type { IssuedCredential } from './issue.ts';
import type { Token } from './prove.ts';

/** A place to save a secret in. Without one, the secret is part of the result. */
export type SecretPlace = {
  readonly kind: 'file' | 'profile';
  /** The path of the file, or the name of the profile. */
  readonly name: string;
  /** Checks, before anything is sent, that a secret can be saved. @throws usage if something exists there, io if it cannot be written */
  readonly check: () => void | Promise<void>;
  readonly write: (issued: IssuedCredential, token: Token) => Promise<void>;
};

export const targetFlags = {
  secretFile: text('Write the secret to this new file, readable only by you (on Windows: by who can read its folder)', {
    value: 'FILE',
    forAgents: 'secret',
  }),
  saveProfile: text('Save it as the login of this profile', { value: 'NAME' }),
  force: boolean('Replace an existing file or login', { forAgents: 'never' }),
};

export const secretDirFlag = text(
  'Write the secret to the new file NAME.secret in this folder, readable only by you; do not show it',
  { value: 'DIR', topic: 'rows', instead: 'secret-file', forAgents: 'never' },
);

type TargetInput = {
  readonly secretFile?: string | undefined;
  readonly secretDir?: string | undefined;
  readonly saveProfile?: string | undefined;
  readonly force?: boolean | undefined;
};

/** The file and the profiles to save a secret in. @param own profiles with the login that is being rotated, which is replaced without --force */
export function secretPlacesFor(
  { secretFile, secretDir, saveProfile, force = false }: TargetInput,
  context: Context,
  own: readonly string[] = [],
): readonly SecretPlace[] {
  // By default, the profiles whose logins would otherwise end.
  const defaults = secretFile === undefined ? own : [];
  const profiles = saveProfile === undefined ? defaults : [saveProfile];
  if (secretFile === '' || secretFile === '-') {
    const problem = { option: '--secret-file', message: 'takes the path of a file' };
    throw refusedInput([problem], 'To get it in the result: -o json');
  }
  profiles.forEach(checkProfileName);
  return [
    ...(secretFile === undefined ? [] : [filePlace(secretFile, force, secretDir)]),
    ...profiles.map((name) => profilePlace(name, force || own.includes(name), own.includes(name), context)),
  ];
}

/** The input without the options that say where the secret goes, which do not belong to the body. */
export function withoutTarget<I extends TargetInput>({ secretFile, secretDir, saveProfile, force, ...rest }: I) {
  return rest;
}

/** The path for a credential's secret: that of --secret-file, or one in --secret-dir that is named after the credential. */
export function secretFileOf({ secretFile, secretDir }: TargetInput, name: unknown): string | undefined {
  if (secretDir === undefined) return secretFile;
  const file = fileNameOf({ templateId: String(name) }, 'secret', () => false);
  return join(secretDir, file);
}

/** Whether a file holds a secret as this tool writes it: one line without blanks. */
export function isSecretIn(path = ''): boolean {
  const read = ignoreError(() => readRegular(path, { largest: 4096 }));
  return read !== undefined && 'bytes' in read && /^\S+\n$/.test(read.bytes.toString());
}

/** @param folder is created, private, if it is missing; an empty file in it is left over from a run that was killed, and is replaced */
function filePlace(path: string, force: boolean, folder?: string): SecretPlace {
  const refusal = (why: string, hint: string) =>
    usage(`--secret-file ${path} ${why}.`, hint, [{ option: '--secret-file', message: why.replace(/ and .*/, '') }]);
  const isLeftover = () => folder !== undefined && lstatSync(path, { throwIfNoEntry: false })?.size === 0;
  return {
    kind: 'file',
    name: path,
    check() {
      if (folder !== undefined) createFolder(folder, 0o700);
      const status = lstatSync(path, { throwIfNoEntry: false });
      if (status?.isSymbolicLink() && folder !== undefined) throw refusal('is a link', 'Remove it first');
      if (status && !(force || isLeftover()))
        throw refusal('already exists and is not overwritten', 'Choose another name, or --force');
      if (status && !statSync(path, { throwIfNoEntry: false })?.isFile())
        throw refusal('is not a regular file', 'Choose another path');
      reserveSpace(path)();
    },
    write: async ({ secret }) => (force || isLeftover() ? writePrivately : createPrivate)(path, `${secret}\n`),
  };
}

function profilePlace(name: string, force: boolean, isOwn: boolean, context: Context): SecretPlace {
  const { store, settings, notice } = context;
  let announce: () => void = () => undefined;
  return {
    kind: 'profile',
    name,
    async check() {
      if (store.readLogin(name) && !force) {
        const hint = 'Choose another profile, or --force to replace its login';
        const detail = { option: '--save-profile', message: 'names a profile that already has a login' };
        throw usage(`Profile ${name} already has a login.`, hint, [detail]);
      }
      const base = baseUrl(context);
      // The user has already confirmed for the profile in use.
      const isAskedAbout = isOwn && name === settings.profile.value;
      const change = isAskedAbout ? {} : { values: await newProfileValues(name, isOwn, context), login: { base } };
      announce = await guardProfile(name, `Log it in to ${base} with the new credential`, change, context);
      if (store.readConfig().profiles[name]?.secretCommand)
        notice(`Profile ${name} has a secretCommand. The new secret is kept in credentials.json, and used from there.`);
      // Writing without changes fails for the same reasons as a real change.
      await store.changeLogin(name, (current) => current);
      await store.changeConfig((config) => config);
    },
    // The secret is saved first, then the profile: if the second step fails, the user only has to log in again.
    async write({ base, credential: { id, clientId }, secret }, token) {
      if (clientId === undefined) throw new Failure('unavailable', 'the platform gave no client ID to log in with.');
      const facts = { base, clientId, clientSecret: secret, clientCredentialId: id };
      const tenant = tenantOfNew(await placeOf(context), isOwn ? store.readLogin(name) : undefined);
      await store.writeLogin(name, { flow: 'm2m', ...facts, ...tenant, ...token });
      const values = await newProfileValues(name, isOwn, context);
      await store.changeConfig((config) => withProfileValues(config, name, values));
      announce();
    },
  };
}

/** The values for the profile of a new login. If its own credential is rotated, it keeps its place. An organization means nothing in another tenant. */
async function newProfileValues(name: string, isOwn: boolean, context: Context): Promise<Profile> {
  const { store, settings } = context;
  if (isOwn) return {};
  const { org } = settings.resolved;
  const place = placeOfProfile(settings.profile.value, context);
  const isThere = !org?.from.startsWith('profile ') || !place || sameTenant(place, await placeOf(context)) !== 'other';
  const isFirst = store.readConfig().profiles[name]?.org === undefined;
  return { baseUrl: baseUrl(context), ...(org && isThere && isFirst && { org: org.value }) };
}

/** The tenant of a new credential: that of the credential it replaces, or of the login that creates it. */
function tenantOfNew(maker: Place, replaced: Login | undefined): Pick<Place, 'tenant' | 'tenantId' | 'firstClientId'> {
  const replacedPlace = replaced && placeOfLogin(replaced);
  const ownClientId = maker.account ? undefined : (maker.firstClientId ?? maker.clientId);
  return {
    tenant: replacedPlace?.tenant ?? maker.tenant,
    tenantId: replacedPlace?.tenantId ?? maker.tenantId,
    firstClientId: replacedPlace ? (replacedPlace.firstClientId ?? replacedPlace.clientId) : ownClientId,
  };
}

/** Checks, before anything is sent, that the secret will not be lost. @throws usage, io */
export async function checkPlaces(places: readonly SecretPlace[], context: Context): Promise<void> {
  if (places.length === 0) refuseUnshown(context);
  for (const { check } of places) await check();
}

/** Saves a secret in its places. @param token an access token of the credential @throws Failure that says where the secret is instead, or that the credential was deleted */
export async function saveSecret(
  issued: IssuedCredential,
  places: readonly SecretPlace[],
  context: Context,
  token: Token = {},
): Promise<void> {
  try {
    for (const { write } of places) await write(issued, token);
  } catch (error) {
    throw await abandonUnsaved(issued, asFailure(error), context);
  }
  if (places.length > 0) removeRecovery(issued, context);
}

const { responseSchema: creationSchema } = createCredential;

/** The schema of a creation's result: the platform's record, and where the secret is. */
export const createdSchema = {
  ...creationSchema,
  properties: {
    ...creationSchema.properties,
    secretFile: textOrNull('File with its secret'),
    profile: textOrNull('Profiles with its secret'),
    previousClientCredentialId: textOrNull('Client credential that it replaces'),
  },
} as const satisfies Schema;

/**
 * The result of a creation. Without a place for the secret, it contains the secret, and the recovery file stays until the result is written.
 * @param previous the ID of a credential that this one replaces
 * @param next runs after the secret is saved or printed
 */
export async function createdResult(
  issued: IssuedCredential,
  places: readonly SecretPlace[],
  context: Context,
  { previous, next }: { readonly previous?: string; readonly next?: () => Promise<Failure | undefined> } = {},
): Promise<Result> {
  const { record, secret, credential } = issued;
  const { world, notice } = context;
  const [file] = placeNames(places, 'file');
  const profiles = placeNames(places, 'profile');
  const shown = {
    ...(removeSecrets(record, secret) as JsonRecord), // an object for an object
    secretFile: file ?? null,
    profile: profiles.length > 0 ? profiles.join(', ') : null,
    previousClientCredentialId: previous ?? null,
  };
  const whole = { ...shown, clientSecret: secret };
  const looked = issued.hasLooked && { looked: true };
  return withNote(`client credential ${credential.id ?? ''}`.trim(), {
    kind: 'record',
    id: 'clientCredentialId',
    fields: Object.keys(whole),
    sentence: `Created client credential ${credential.name ?? credential.id ?? ''}`.trim(),
    shown: everyColumn(credentialColumns, [whole]),
    value: { ...(places.length > 0 ? shown : whole), ...looked },
    async ending(unwritten) {
      if (places.length === 0) {
        const closed = new Failure('io', 'the output was closed.');
        if (unwritten) return abandonUnsaved(issued, unwritten === 'unread' ? closed : unwritten, context);
        removeRecovery(issued, context);
        if (world.stdout.isTTY) notice('Save the secret now, it is shown only once.');
      } else if (world.stderr.isTTY === true && profiles[0] !== undefined && previous === undefined) {
        const line = `iiot orgs users list ${optionForShell('profile', profiles[0])}`;
        notice(`Profile ${profiles[0]} is logged in. Next: ${line}`);
      }
      return next?.();
    },
  });
}

export function placeNames(places: readonly SecretPlace[], kind: SecretPlace['kind']): readonly string[] {
  return places.filter((place) => place.kind === kind).map(({ name }) => name);
}

/**
 * Refuses outputs that would lose the secret, or could, as with --jq. Without a file or profile, it has to be readable on stdout: "with neither
 * and a plain table into a pipe it is a usage error before anything is sent".
 * @throws usage
 */
function refuseUnshown({ options, settings, world }: Context): void {
  const format = formatOf(options, settings);
  if (isDiscarded(world.stdout)) throw unshownFailure('stdout is closed or leads nowhere');
  if (options.jq !== undefined) throw unshownFailure('--jq may leave it out', '--jq');
  if (format === 'id') throw unshownFailure('-o id prints only the ID', '--output');
  if (format === 'table' && world.stdout.isTTY !== true)
    throw unshownFailure('a table in a pipe is not a safe place for it', '--output');
  const columns = options.columns?.split(',').map((name) => name.trim());
  if (columns && !['clientSecret', allColumns].some((name) => columns.includes(name)))
    throw unshownFailure('--columns leaves it out', '--columns');
}

function unshownFailure(reason: string, option = '--secret-file') {
  const hint = 'Use --secret-file FILE or --save-profile NAME, or -o json without --jq to get it in the result';
  return usage(`The secret is shown only once, and ${reason}, so nothing was created.`, hint, [
    { option, message: 'would lose the secret' },
  ]);
}

/** Whether stdout is /dev/null, which Node also opens for a closed stdout. */
function isDiscarded(stdout: object): boolean {
  if (!('fd' in stdout) || typeof stdout.fd !== 'number') return false;
  const { fd } = stdout;
  const stdoutStatus = ignoreError(() => fstatSync(fd));
  return stdoutStatus?.isCharacterDevice() === true && stdoutStatus.rdev === statusAt('/dev/null')?.rdev;
}
