import { placeOfLogin } from '../auth/login-place.ts';
import { busyFailure, command } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { boolean, record, textOrNull } from '../contract/shared.ts';
import { Failure, usage } from '../failure.ts';

const logout = command({
  name: 'logout',
  without: { agents: 'a person logs out', each: 'it forgets a login, and with --all every one' },
  shell: { ends: busyFailure },
  summary: "Remove the profile's tokens and secrets",
  description:
    'Removes the tokens and secrets of the profile from this machine, and the cached tokens of machines. The other settings of the profile ' +
    'stay, and so do credentials in the environment. The platform is not notified: a copied access token works until it expires.',
  flags: { all: boolean('Log out of every profile') },
  examples: {
    'iiot logout': 'Of the profile in use',
    'iiot logout --all': 'Before you give the machine away',
  },
  result: record('What was removed', {
    profile: textOrNull('Profile; null for all of them'),
    loggedOut: boolean('Whether there was a login to remove'),
  }),
  async run({ all }, context) {
    const { store, settings, options, world } = context;
    if (all && options.profile !== undefined)
      throw usage('--all and --profile cannot be combined.', 'Give one of them');
    const variable = ['IIOT_TOKEN', 'IIOT_CLIENT_ID'].find((each) => world.env[each]);
    const stays = variable ? `; commands keep using ${variable}, which is set` : '';
    const name = all ? null : settings.profile.value;
    await rememberLogins(name, context);
    const removed = await (name === null ? store.forgetAllLogins() : store.forgetLogin(name));
    if (!all && !removed && settings.missing) throw settings.missing;
    const [done, where] = name === null ? ['Logged out of every profile', ''] : ['Logged out', ` (profile ${name})`];
    return {
      kind: 'done',
      value: { profile: name, loggedOut: removed },
      sentence: `${removed ? done : 'Nobody was logged in'}${where}${stays}`,
      id: name === null ? undefined : 'profile',
    };
  },
});

/** Notes in each guarded profile where it was logged in, to compare with its next login. A failure is only a warning: the secrets are removed anyway. */
async function rememberLogins(name: string | null, { store, warn }: Context): Promise<void> {
  try {
    const logins = Object.entries(store.readLogins()).filter(([each]) => name === null || name === each);
    if (logins.length === 0) return;
    const { profiles } = store.readConfig();
    const guarded = logins.filter(([each]) => profiles[each]?.protected || profiles[each]?.readOnly);
    if (guarded.length === 0) return;
    await store.changeConfig((config) => {
      const kept = guarded.map(([each, login]) => [each, { ...config.profiles[each], loggedOut: placeOfLogin(login) }]);
      return { ...config, profiles: { ...config.profiles, ...Object.fromEntries(kept) } };
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    warn(error.message);
  }
}

export const commands = [logout];
