import { dirname } from 'node:path';
import type { Context } from '../../command/context.ts';
import { Failure } from '../../failure.ts';
import { leftoverRecoveries, openRecovery, type Recovery } from '../../store/recovery.ts';

/**
 * The recovery file for a credential to be created: in the configuration folder, or next to the secret's own file if that folder cannot be
 * used.
 * @throws Failure 'io', before anything is sent, if there is no place for a secret
 */
export function recoveryFor(name: string, base: string, file: string | undefined, context: Context): Recovery {
  const { store, world } = context;
  const pending = { name, baseUrl: base, begun: new Date(world.now()).toISOString() };
  const { env, platform, homedir, uid, now } = world;
  const storeWorld = { env, platform, homedir, uid, now, warn: context.notice };
  try {
    return openRecovery(store.folder, pending, storeWorld);
  } catch (error) {
    if (!(error instanceof Failure) || file === undefined) throw error;
    return openRecovery(dirname(file), pending, { ...storeWorld, warn: () => undefined });
  }
}

/** Reports the recovery files of runs that were killed between requesting a secret and saving it. */
export function warnOfLeftovers(context: Context): void {
  const { store, world, warn } = context;
  for (const { path, content } of leftoverRecoveries(folderOf(store), world.now())) {
    const name = typeof content.name === 'string' ? `"${content.name}"` : '(name unknown)';
    if (content.clientSecret !== undefined) {
      warn(
        `A command was interrupted: the secret of client credential ${name} is in ${path}. Move it to a safe place, then remove the file.`,
      );
      continue;
    }
    const begun = typeof content.begun === 'string' ? ` at ${content.begun}` : '';
    warn(
      `A command was interrupted${begun}: client credential ${name} may exist, but its secret is lost. ` +
        `Delete it if it is there (iiot credentials list), and remove ${path}.`,
    );
  }
}

/** Without a home directory there are no recovery files either. */
function folderOf(store: Context['store']): string {
  try {
    return store.folder;
  } catch {
    return '';
  }
}
