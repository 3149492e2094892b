import { busy, command } from '../command/command.ts';
import { usage } from '../failure.ts';

const logout = command({
  name: 'logout',
  without: { agents: 'a person logs out', each: 'it forgets a login, and with --all every one' },
  shell: { ends: busy },
  summary: "Remove the profile's tokens and secrets",
  description:
    'Removes the tokens and secrets of the profile from this machine, and the cached tokens of machines. The other settings of the profile ' +
    'stay, and so do credentials in the environment. The platform is not notified: a copied access token works until it expires.',
  flags: { all: { type: 'boolean', description: 'Log out of every profile' } },
  examples: [
    { line: 'iiot logout', says: 'Of the profile in use' },
    { line: 'iiot logout --all', says: 'Before you give the machine away' },
  ],
  result: {
    type: 'object',
    description: 'What was removed',
    required: ['profile', 'loggedOut'],
    properties: {
      profile: { type: ['string', 'null'], description: 'Profile; null for all of them' },
      loggedOut: { type: 'boolean', description: 'Whether there was a login to remove' },
    },
  },
  async run({ all }, { store, settings, options, world }) {
    if (all && options.profile !== undefined)
      throw usage('--all and --profile cannot be combined.', 'Give one of them');
    const variable = ['IIOT_TOKEN', 'IIOT_CLIENT_ID'].find((each) => world.env[each]);
    const stays = variable ? `; commands keep using ${variable}, which is set` : '';
    const name = all ? null : settings.profile.value;
    const removed = await (name === null ? store.forgetAllLogins() : store.forgetLogin(name));
    const [done, where] = name === null ? ['Logged out of every profile', ''] : ['Logged out', ` (profile ${name})`];
    return {
      kind: 'done',
      value: { profile: name, loggedOut: removed },
      sentence: `${removed ? done : 'Nobody was logged in'}${where}${stays}`,
      id: name === null ? undefined : 'profile',
    };
  },
});

export const commands = [logout];
