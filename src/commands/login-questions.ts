/** The prompts of `iiot login` for what was not given. */

import { readSecret } from '../auth/environment.ts';
import type { Groups } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { formatOf } from '../command/settings.ts';
import { Failure, usage } from '../failure.ts';
import { readBaseUrl } from '../network/base-url.ts';
import { withProfileValues } from '../store/config.ts';
import { parseUrl } from '../text/parse-url.ts';
import { secretIn } from '../text/secret.ts';

/** Asks for the base URL if none is set. @returns the context with it; unchanged if nobody can answer */
export async function askForPlatform(context: Context): Promise<Context> {
  if (context.settings.resolved.baseUrl) return context;
  const person = await context.person();
  if (!person.canAnswer) return context;
  const check = (text: string) =>
    /^https?:\/\//i.test(text) && parseUrl(text) ? undefined : 'Enter a URL that starts with https://';
  const answer = await person.ask('Base URL of the platform (for example https://platform.example)', { check });
  return context.withBaseUrl(readBaseUrl(answer, 'The base URL'));
}

const loginQuestions = {
  tenant: ['--tenant', 'IIOT_TENANT', 'Tenant (from the URL, for example factory)'],
  app: ['--app', 'IIOT_APP', 'Application (from the URL, for example console)'],
  account: ['--account', 'IIOT_ACCOUNT', 'Account (email)'],
  clientId: ['--client-id', 'IIOT_CLIENT_ID', 'Client ID'],
} as const;

/** Returns the value, or asks for it if there is none. @throws usage if nobody can answer */
export async function askIfMissing(
  name: keyof typeof loginQuestions,
  value: string | undefined,
  context: Context,
): Promise<string> {
  if (value) return value;
  const [option, variable, question] = loginQuestions[name];
  const person = await context.person();
  if (!person.canAnswer) throw missingAnswer(option, option, `Give ${option} or set ${variable}`, person.obstacle);
  return person.ask(question, { check: (text) => (text.trim() === '' ? 'Enter a value' : undefined) });
}

/** Gets the password and calls `use` with it. A typed password that is wrong is asked for again, up to three times in total. */
export async function usePassword<T>(
  fromStdin: boolean,
  question: () => string,
  context: Context,
  use: (password: string) => Promise<T>,
): Promise<T> {
  if (fromStdin) return use(await readFromStdin('--password-stdin', 'password', context));
  const secret = secretIn(context.world.env.IIOT_PASSWORD ?? '', 'IIOT_PASSWORD');
  if (secret !== '') return use(secret);
  const command = await findSecretCommand(context);
  if (command) return use(await command());
  const person = await context.person();
  if (!person.canAnswer) {
    const hint = 'Give it with --password-stdin or IIOT_PASSWORD';
    throw missingAnswer('The password', '--password-stdin', hint, person.obstacle);
  }
  for (let tries = 1; ; tries += 1) {
    const password = await person.secret(question());
    try {
      return await use(password);
    } catch (error) {
      if (!(error instanceof Failure) || error.facts.refused !== 'password' || tries === 3) throw error;
      context.warn(error.message);
    }
  }
}

/** Gets the client secret. `isKept`: whether the profile may keep it, which it does not if its `secretCommand` gave it. */
export async function getClientSecret(fromStdin: boolean, question: () => string, context: Context) {
  const { IIOT_CLIENT_SECRET: secret, IIOT_CLIENT_SECRET_FILE: file } = context.world.env;
  const command = fromStdin || secret || file ? undefined : await findSecretCommand(context);
  if (command) return { clientSecret: await command(), isKept: false };
  return { clientSecret: await readClientSecret(fromStdin, question, context), isKept: true };
}

/** The profile's `secretCommand`. If it may not be run, a person is told why and gives the secret; without a person, running it fails. */
async function findSecretCommand(context: Context): Promise<(() => Promise<string>) | undefined> {
  if (!context.settings.stored.secretCommand) return undefined;
  const { findObstacle, openSecretCommand } = await import('./secret-command.ts');
  const obstacle = await findObstacle(context);
  if (obstacle === undefined || !(await context.person()).canAnswer) return openSecretCommand(context);
  context.notice(obstacle.message);
  return undefined;
}

async function readClientSecret(fromStdin: boolean, question: () => string, context: Context): Promise<string> {
  if (fromStdin) return readFromStdin('--client-secret-stdin', 'client secret', context);
  const secret = await readSecret(context.world.env);
  if (secret) return secret;
  const person = await context.person();
  if (person.canAnswer) return person.secret(question());
  const option = '--client-secret-stdin';
  throw missingAnswer('The client secret', option, `Give it with ${option}`, person.obstacle);
}

function missingAnswer(what: string, option: string, hint: string, obstacle: string): Failure {
  const details = [{ option, message: 'is required' }];
  return usage(`${what} is missing, and iiot cannot prompt: ${obstacle}.`, hint, details);
}

async function readFromStdin(option: string, what: string, { world }: Context): Promise<string> {
  const { readSecretLine } = await import('../terminal/input.ts');
  return readSecretLine(world.stdin, { stderr: world.stderr, option, what, signal: world.interrupt });
}

/** Runs after a login: says which variables keep commands from using it, and asks a person for the organization if none is set. */
export async function finishLogin(context: Context, groups: Groups, clientId?: string): Promise<undefined> {
  const { world, options, settings, store, notice } = context;
  const { baseUrl, tenant } = settings.resolved;
  const used = {
    ...{ IIOT_TOKEN: undefined, IIOT_CLIENT_ID: clientId, IIOT_PROFILE: settings.profile.value },
    IIOT_BASE_URL: baseUrl?.from === 'IIOT_BASE_URL' ? world.env.IIOT_BASE_URL : baseUrl?.value,
    IIOT_TENANT: tenant?.value,
  };
  const others = Object.entries(used).filter(([name, value]) => world.env[name] && world.env[name] !== value);
  const names = others.map(([name]) => name).join(', ');
  if (names) notice(`Commands do not use this login because of ${names}. See iiot login status`);
  if (!(await context.person()).canAnswer) return;
  const profile = settings.profile.value;
  if (!settings.resolved.org) {
    const org = isForPerson(context) ? await askForOrganization(profile, context, groups) : '';
    if (org === '') {
      notice(setOrgHint(profile));
      return;
    }
    await store.changeConfig((config) => withProfileValues(config, profile, { org }));
    const { successMark } = await import('../terminal/streams.ts');
    notice(`Set org of profile ${profile}`, await successMark(world, options.noColor === true));
  }
  notice(`Next: iiot orgs users list${profile === 'default' ? '' : ` --profile ${profile}`}`);
}

/** Whether a person reads the output. A script that supplies the secret, or a program that reads the result, only wants the login. */
function isForPerson({ options, settings, world: { env } }: Context): boolean {
  const secrets = [env.IIOT_PASSWORD, env.IIOT_CLIENT_SECRET, env.IIOT_CLIENT_SECRET_FILE];
  const isPlain = !options.quiet && options.jq === undefined && formatOf(options, settings) === 'table';
  return isPlain && !secrets.some(Boolean);
}

/** Asks for the organization. @returns its ID, or '' if the person skips it */
async function askForOrganization(profile: string, context: Context, groups: Groups): Promise<string> {
  const person = await context.person();
  try {
    const { chooseId, idRefusal } = await import('../shell/choose.ts');
    const { findValues } = await import('../shell/live.ts');
    // The login has created the profile, so it is not missing any more.
    const loggedIn = { ...context, settings: { ...context.settings, missing: undefined } };
    if ((await findValues('organizations', loggedIn, groups)).length > 0)
      return (await chooseId('organizations', loggedIn, groups, 'None for now')) ?? '';
    const check = (text: string) => (text.trim() === '' ? undefined : idRefusal('organizations', text));
    return (await person.ask('Organization ID (UUID; press Enter to skip)', { check })).trim();
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'interrupted') throw error;
    throw new Failure('interrupted', 'Cancelled. You are logged in.', { ...error.facts, hint: setOrgHint(profile) });
  }
}

function setOrgHint(profile: string): string {
  return `Set your organization with: iiot profiles set ${profile} org=ID`;
}
