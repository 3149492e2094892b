/** Asks for an organization after a login at a terminal: most commands need one, and the interface has no list to choose from. */
import type { Context } from '../command/context.ts';
import { formatOf } from '../command/settings.ts';
import { isGuid } from '../contract/formats.ts';
import { Failure } from '../failure.ts';

/** Asks for the organization if none is known, saves it in the profile, and suggests the next command. The login is already saved. */
export async function offerOrganization(context: Context): Promise<undefined> {
  const { world, options, settings, store, notice } = context;
  if (!(await context.person()).canAnswer) return;
  const profile = settings.profile.value;
  if (!settings.resolved.org) {
    const org = isForPerson(context) ? await askedFor(profile, context) : '';
    if (org === '') {
      notice(later(profile));
      return;
    }
    await store.changeConfig((config) => ({
      ...config,
      profiles: { ...config.profiles, [profile]: { ...config.profiles[profile], org } },
    }));
    const { successMark } = await import('../terminal/success-mark.ts');
    notice(`Set org of profile ${profile}`, await successMark(world, options.noColor === true));
  }
  notice(`Next: iiot orgs users list${profile === 'default' ? '' : ` --profile ${profile}`}`);
}

/** Not for a script that supplies the secret, nor for a program that reads the result: they only want the login. */
function isForPerson({ options, settings, world: { env } }: Context): boolean {
  const secrets = [env.IIOT_PASSWORD, env.IIOT_CLIENT_SECRET, env.IIOT_CLIENT_SECRET_FILE];
  const isPlain = !options.quiet && options.jq === undefined && formatOf(options, settings) === 'table';
  return isPlain && !secrets.some(Boolean);
}

/** Empty if skipped. */
async function askedFor(profile: string, context: Context): Promise<string> {
  const person = await context.person();
  try {
    return (await person.ask('Organization ID (UUID; press Enter to skip)', { check: refusalOf })).trim();
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'interrupted') throw error;
    throw new Failure('interrupted', 'Cancelled. You are logged in.', { ...error.facts, hint: later(profile) });
  }
}

function later(profile: string): string {
  return `Set your organization with: iiot profiles set ${profile} org=ID`;
}

function refusalOf(answer: string): string | undefined {
  const text = answer.trim();
  return text === '' || isGuid(text) ? undefined : 'Enter a UUID such as 3f2504e0-4f89-41d3-9a0c-0305e82c3301';
}
