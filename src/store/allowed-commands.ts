/** Remembers each `secretCommand` that this user has set on this machine, as digests in a file that copied settings cannot contain. */
import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { asFailure, type Failure } from '../failure.ts';
import { prepareFolder, refuseShared } from '../files/trust.ts';
import { changeDocument } from './change-document.ts';
import { type Profile, secretCommandPlaceOf } from './config.ts';
import { accountFolder, type StoreWorld } from './folder.ts';
import { type JsonDocument, readDocument } from './json-document.ts';

/** Allows the `secretCommand` of a profile. @throws Failure 'io' if that cannot be stored where this account alone can write */
export async function allowCommand(folder: string, profile: Profile, world: StoreWorld): Promise<void> {
  prepareFolder(folder, false, world);
  try {
    const digest = digestOf(folder, profile, secretCommandPlaceOf(profile)?.tenant);
    const add = ({ allowed }: AllowedDigests) => [...allowed.filter((each) => each !== digest), digest];
    await changeDocument(digestDocument(world), world, (before) => ({ allowed: add(before) }), 'discard');
  } catch (error) {
    throw failureWithOtherWays(error);
  }
}

/** Whether the `secretCommand` was set here, for the profile's tenant or for any. @throws Failure 'io' if that cannot be read */
export function isAllowed(folder: string, profile: Profile, world: StoreWorld): boolean {
  try {
    const document = digestDocument(world);
    if (!existsSync(document.path)) return false;
    refuseShared(document.path, world);
    const { allowed } = readDocument(document, world);
    const tenants = [secretCommandPlaceOf(profile)?.tenant, undefined];
    return tenants.some((tenant) => allowed.includes(digestOf(folder, profile, tenant)));
  } catch (error) {
    throw failureWithOtherWays(error);
  }
}

type AllowedDigests = { readonly allowed: readonly string[] };

function digestDocument(world: StoreWorld): JsonDocument<AllowedDigests> {
  const { join } = world.platform === 'win32' ? win32 : posix;
  return {
    path: join(accountFolder(world), 'allowed-commands.json'),
    secret: true,
    empty: { allowed: [] },
    shape: ({ allowed }) =>
      Array.isArray(allowed) ? { value: { allowed: allowed.map(String) } } : { wrong: '"allowed" is not a list' },
    fix: '',
  };
}

/** The digest of a command and where it is for. It includes the settings folder, because a command such as `sh get.sh` names a file in it. */
function digestOf(folder: string, profile: Profile, tenant: string | undefined): string {
  const bound = [
    realpathSync.native(folder),
    secretCommandPlaceOf(profile)?.base,
    tenant ?? null,
    profile.secretCommand,
  ];
  return createHash('sha256').update(JSON.stringify(bound)).digest('hex');
}

function failureWithOtherWays(error: unknown): Failure {
  const hint =
    'Without it no secretCommand is run. Give the secret with IIOT_CLIENT_SECRET, IIOT_CLIENT_SECRET_FILE or IIOT_PASSWORD';
  return asFailure(error).with({ hint });
}
