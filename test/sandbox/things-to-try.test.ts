import { describe, expect, it } from 'vitest';
import { firstOdd, oddNames } from '../../src/sandbox/world/seed.ts';
import { thingsToTry } from '../../src/sandbox/world/things-to-try.ts';
import { logIn, machineToken, startPlatform } from './browser.ts';

const idsOf = (things: readonly { readonly id: string }[]) => things.map(({ id }) => id);

describe('the things to try', () => {
  it('are all in the world', () => {
    const { world } = startPlatform().platform;
    const missing = [
      ...idsOf(thingsToTry.organizations).filter((id) => !world.organizations.has(id)),
      ...idsOf(thingsToTry.users).filter((id) => !world.users.has(id)),
      ...idsOf(thingsToTry.devices).filter((id) => !world.devices.has(id)),
      ...idsOf(thingsToTry.policies).filter((id) => !world.policies.has(id)),
      ...idsOf(thingsToTry.templates).filter((id) => !world.templates.has(id)),
      ...idsOf(thingsToTry.channels).filter((id) => !world.channels.has(id)),
    ];
    expect(missing).toEqual([]);
  });

  it('have the names of the world', () => {
    const { world } = startPlatform().platform;
    const { organizations, users, policies, templates, channels } = thingsToTry;
    const told = [...organizations, ...users, ...policies, ...templates, ...channels].map(({ id, name }) => [id, name]);
    const real = [
      ...organizations.map(({ id }) => [id, world.organizations.get(id)?.name]),
      ...users.map(({ id }) => [id, world.users.get(id)?.name]),
      ...policies.map(({ id }) => [id, world.policies.get(id)?.policyName]),
      ...templates.map(({ id }) => [id, world.templates.get(id)?.name]),
      ...channels.map(({ id }) => [id, world.channels.get(id)?.name]),
    ];
    expect(told).toEqual(real);
  });

  it('say which users have a name that is hard to show', () => {
    const { world } = startPlatform().platform;
    const last = `user-00${firstOdd + oddNames.length - 1}`;
    expect([thingsToTry.users[1].id, thingsToTry.users[1].about]).toEqual([
      `user-00${firstOdd}`,
      `names that are hard to show, up to ${last}`,
    ]);
    expect([world.users.get('user-0060')?.name, world.users.get(last)?.name]).toEqual([oddNames[0], oddNames.at(-1)]);
  });

  it('let every account and the machine in', async () => {
    const { browse } = startPlatform();
    for (const { account, password } of thingsToTry.accounts) {
      expect(await logIn(browse(), account, password)).toMatchObject({ tokenType: 'Bearer' });
    }
    const { clientId, clientSecret } = thingsToTry.client;
    expect(await machineToken(browse(), clientId, clientSecret)).toMatchObject({ token_type: 'Bearer' });
  });
});
