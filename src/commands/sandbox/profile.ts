/** The profile "sandbox", with which other terminals use a running sandbox. */
import { ask, confirmProfile } from '../../command/confirm.ts';
import type { Context } from '../../command/context.ts';
import { usage } from '../../failure.ts';
import { isLoopback } from '../../network/base-url.ts';
import { thingsToTry } from '../../sandbox/world/things-to-try.ts';
import type { Profile } from '../../store/config.ts';
import type { RunningSandbox } from './open.ts';
import { printsText } from './welcome.ts';

const name = 'sandbox';

/**
 * Asks for confirmation if a profile of that name is protected or belongs to another platform, because it would lose its values.
 * @throws usage if it cannot prompt, interrupted if the answer is no
 */
export async function agreeToSetProfile(context: Context): Promise<void> {
  const profile = context.store.readConfig().profiles[name];
  const place = profile?.baseUrl ?? 'another platform';
  await confirmProfile(name, `Replace it, which is for ${place}`, context);
  if (!profile || profile.protected || isFree(profile) || context.options.yes) return;
  const person = await context.person();
  if (!person.canAnswer) {
    throw usage(
      `There is already a profile ${name} for ${place}; it is not replaced without your confirmation.`,
      'Confirm with --yes, or set IIOT_CONFIG_DIR to another folder',
      [{ option: '--yes', message: 'is required' }],
    );
  }
  await ask(`Replace profile ${name}, which is for ${place}?`, context);
}

/** Sets up the profile for a sandbox, and logs it in. */
export async function setProfile({ url, logIn }: RunningSandbox, context: Context): Promise<void> {
  const { store, notice } = context;
  const { tenant, app, org, accounts } = thingsToTry;
  const { account } = accounts[0];
  const values = { baseUrl: url, tenant, app, org, account };
  await store.writeLogin(name, {
    flow: 'user',
    origin: url,
    base: url,
    tenant,
    app,
    account,
    refreshToken: logIn(account),
  });
  await store.changeConfig((config) => ({
    ...config,
    profiles: { ...config.profiles, [name]: { ...config.profiles[name], ...values } },
  }));
  if (printsText(context)) return; // they say so
  const pairs = Object.entries(values).map(([key, value]) => `${key}=${value}`);
  notice(`Set in profile ${name}: ${pairs.join(' ')}`);
}

/** Whether it was made for a sandbox, or has no platform yet. */
function isFree({ baseUrl, tenant, app, org, account }: Profile): boolean {
  if ([baseUrl, tenant, app, org, account].every((value) => value === undefined)) return true;
  const isHere = baseUrl !== undefined && URL.canParse(baseUrl) && isLoopback(new URL(baseUrl));
  return isHere && tenant === thingsToTry.tenant && app === thingsToTry.app;
}
