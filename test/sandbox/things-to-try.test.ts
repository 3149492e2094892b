import { describe, expect, it } from 'vitest';
import { thingsToTry } from '../../src/sandbox/world/things-to-try.ts';
import { logIn, machineToken, startPlatform } from './browser.ts';

const idsOf = (things: readonly { readonly id: string }[]) => things.map(({ id }) => id);

describe('the things to try', () => {
  it('are all in the world', () => {
    const { world } = startPlatform().platform;
    const missing = [
      ...idsOf(thingsToTry.organizations).filter((id) => !world.organizations.has(id)),
      ...idsOf(thingsToTry.devices).filter((id) => !world.devices.has(id)),
      ...idsOf(thingsToTry.policies).filter((id) => !world.policies.has(id)),
      ...idsOf(thingsToTry.templates).filter((id) => !world.templates.has(id)),
      ...idsOf(thingsToTry.channels).filter((id) => !world.channels.has(id)),
    ];
    expect(missing).toEqual([]);
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
