import { lstatSync, statSync } from 'node:fs';
import type { Context } from '../../command/context.ts';
import { usage } from '../../failure.ts';
import { probeFile } from '../../files/private-file.ts';
import { checkProfileName } from '../../store/profile-name.ts';
import { refuseUnshown } from './secret-output.ts';

/** Where to save a secret. With neither a file nor a profile it is part of the result. */
export type SecretTarget = {
  readonly file?: string | undefined;
  /** An existing file, and an existing login of a profile, may be replaced. */
  readonly force: boolean;
  readonly profiles: readonly string[];
  /** Profiles whose login may be replaced without --force, because it is the one being rotated. */
  readonly replaces?: readonly string[];
};

/** The options for it. */
export const targetFlags = {
  secretFile: {
    type: 'string',
    value: 'FILE',
    description:
      'Write the secret to this new file, readable only by you (on Windows: by everyone who can read its folder), and do not show it',
  },
  saveProfile: {
    type: 'string',
    value: 'NAME',
    description: 'Log this profile in with it, and do not show the secret',
  },
  force: { type: 'boolean', description: 'Replace an existing file or login' },
} as const;

type TargetInput = {
  readonly secretFile?: string | undefined;
  readonly saveProfile?: string | undefined;
  readonly force?: boolean | undefined;
};

export function secretTargetOf({ secretFile, saveProfile, force = false }: TargetInput): SecretTarget {
  if (secretFile === '' || secretFile === '-') {
    throw usage('--secret-file takes the path of a file.', 'To have it in the result: -o json', [
      { option: '--secret-file', message: 'takes the path of a file' },
    ]);
  }
  if (saveProfile !== undefined) checkProfileName(saveProfile);
  return { file: secretFile, force, profiles: saveProfile === undefined ? [] : [saveProfile] };
}

/** The input without those options: they say where the answer goes, and are no part of the body. */
export function withoutTarget<I extends TargetInput>({ secretFile, saveProfile, force, ...rest }: I) {
  return rest;
}

export function isPrinted({ file, profiles }: SecretTarget): boolean {
  return file === undefined && profiles.length === 0;
}

/** Tests that a target can be written, before anything is sent. @throws usage if something exists there, io if it cannot be written */
export async function tryTarget(target: SecretTarget, context: Context): Promise<void> {
  if (isPrinted(target)) await refuseUnshown(context);
  if (target.file !== undefined) tryFile(target.file, target.force);
  for (const name of target.profiles)
    await tryProfile(name, target.force || target.replaces?.includes(name) === true, context);
}

function tryFile(path: string, force: boolean): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found && !force) {
    throw usage(`--secret-file ${path} already exists and is not overwritten.`, 'Choose another name, or --force', [
      { option: '--secret-file', message: 'already exists' },
    ]);
  }
  if (found && !statSync(path, { throwIfNoEntry: false })?.isFile()) {
    throw usage(`--secret-file ${path} is not a regular file.`, 'Choose another path', [
      { option: '--secret-file', message: 'is not a regular file' },
    ]);
  }
  probeFile(path);
}

async function tryProfile(name: string, force: boolean, { store }: Context): Promise<void> {
  const login = store.readLogin(name);
  if (login && !force) {
    const hint = 'Choose another profile, or --force to replace its login';
    throw usage(`Profile ${name} already has a login.`, hint, [
      { option: '--save-profile', message: 'names a profile that already has a login' },
    ]);
  }
  // Write without changes: what would prevent a real change also prevents this.
  await store.changeLogin(name, (current) => current);
  await store.changeConfig((config) => config);
}
