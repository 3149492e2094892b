import { describe, expect, it } from 'vitest';
import { firstOdd, oddNames } from '../../src/sandbox/world/seed.ts';
import { thingsToTry } from '../../src/sandbox/world/things-to-try.ts';
import { logIn, machineToken, startPlatform } from './browser.ts';

describe('the examples on the home page of a sandbox', () => {
  it('exist under their names', () => {
    const { world } = startPlatform().platform;
    const kinds = ['organizations', 'users', 'devices', 'policies', 'templates', 'channels'] as const;
    const told = kinds.flatMap((kind) => thingsToTry[kind].map(({ id, ...rest }) => [id, 'name' in rest && rest.name]));
    const real = kinds.flatMap((kind) =>
      thingsToTry[kind].map(({ id }) => {
        const found: object = world[kind].get(id) ?? { name: 'missing' };
        return [id, 'policyName' in found ? found.policyName : 'name' in found && found.name];
      }),
    );
    expect(told).toEqual(real);
  });

  it('include the range of users with odd names', () => {
    const { world } = startPlatform().platform;
    const last = `user-00${firstOdd + oddNames.length - 1}`;
    expect([thingsToTry.users[1].id, thingsToTry.users[1].about]).toEqual([
      `user-00${firstOdd}`,
      `names that are hard to show, up to ${last}`,
    ]);
    expect([world.users.get('user-0060')?.name, world.users.get(last)?.name]).toEqual([oddNames[0], oddNames.at(-1)]);
  });

  it('have accounts and a client credential that can log in', async () => {
    const { browse } = startPlatform();
    for (const { account, password } of thingsToTry.accounts) {
      expect(await logIn(browse(), account, password)).toMatchObject({ tokenType: 'Bearer' });
    }
    const { clientId, clientSecret } = thingsToTry.client;
    expect(await machineToken(browse(), clientId, clientSecret)).toMatchObject({ token_type: 'Bearer' });
  });
});
