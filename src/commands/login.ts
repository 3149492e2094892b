import { readBaseUrl } from '../base-url.ts';
import { command } from '../command.ts';
import { type Context, withBaseUrl } from '../context.ts';
import type { Schema } from '../contract/schema.ts';
import { usage } from '../failure.ts';
import { isOpenToAll, notEncrypted } from '../loopback.ts';
import type { Result } from '../output/result.ts';
import type { Profile } from '../store/config.ts';
import type { Login } from '../store/credentials.ts';
import { baseUrl } from '../target.ts';
import { refresh, status, token } from './login-status.ts';

const loggedIn: Schema = {
  type: 'object',
  description: 'Who is logged in now',
  required: ['profile', 'baseUrl', 'flow', 'account', 'expiresAt', 'loggedIn'],
  properties: {
    profile: { type: 'string', description: 'Profile' },
    baseUrl: { type: 'string', description: 'Address of the platform' },
    flow: { type: 'string', enum: ['user', 'm2m'], description: 'How: as a person, or as a machine' },
    account: { type: 'string', description: 'E-mail of the account, or client id' },
    expiresAt: {
      type: ['string', 'null'],
      description: 'When the access token expires; null where the platform does not say',
    },
    loggedIn: { type: 'boolean', description: 'True' },
  },
};

const login = command({
  name: 'login',
  summary: 'Log in as a person',
  description:
    'Signs in by the five steps of the single sign-on and keeps the tokens in the profile, readable by you alone. What is missing is asked for. ' +
    'Address, tenant, application, account and --org are kept there too, and need not be given again. ' +
    'The access token lasts two hours and is renewed by itself. The password is not kept.',
  flags: {
    tenant: { type: 'string', value: 'PATH', description: 'Path segment of the tenant' },
    app: { type: 'string', value: 'PATH', description: 'Path segment of the application' },
    account: { type: 'string', value: 'EMAIL', description: 'E-mail of the account' },
    passwordStdin: { type: 'boolean', description: 'Read the password from standard input' },
  },
  examples: [
    {
      line: 'iiot login --base-url https://platform.example --tenant factory --app console',
      says: 'Asks for account and password',
    },
    { line: 'iiot login --account ada@factory.example --password-stdin < password.txt', says: 'From a script' },
  ],
  result: loggedIn,
  async run(input, context) {
    const located = await placed(context);
    const { settings, world, mask } = located;
    const base = baseUrl(located, 'new');
    const tenant = await wanted(
      '--tenant',
      'IIOT_TENANT',
      'Path segment of the tenant',
      settings.sourced.tenant?.value,
      context,
    );
    const app = await wanted(
      '--app',
      'IIOT_APP',
      'Path segment of the application',
      settings.sourced.app?.value,
      context,
    );
    const account = await wanted(
      '--account',
      'IIOT_ACCOUNT',
      'Account (e-mail)',
      settings.sourced.account?.value,
      context,
    );
    const password = await passwordOf(input.passwordStdin === true, context);
    mask.remember(password);
    const { signIn } = await import('../auth/sign-in.ts');
    const before = knownLogin(context, base);
    const tokens = await signIn(await located.exchange(), {
      base,
      tenant,
      app,
      account,
      password,
      knownIssuer: before?.issuer,
      note: context.notice,
      remember: mask.remember,
      now: world.now,
    });
    const { accessToken, refreshToken, expiresAt, issuer } = tokens;
    const kept: Login = {
      flow: 'user',
      origin: new URL(base).origin,
      base,
      tenant,
      app,
      account,
      accessToken,
      issuedAt: world.now(),
      ...(refreshToken !== undefined && { refreshToken }),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(issuer !== undefined && { issuer }),
    };
    return keep(kept, { baseUrl: base, tenant, app, account }, context);
  },
});

const m2m = command({
  name: 'login m2m',
  summary: 'Log in as a machine, with a client credential',
  description:
    'Proves a client credential by asking for an access token, and keeps it in the profile, readable by you alone, with the address and --org. ' +
    'In CI it is simpler to set IIOT_BASE_URL, IIOT_CLIENT_ID and IIOT_CLIENT_SECRET and to log in nowhere.',
  flags: {
    clientId: { type: 'string', value: 'ID', description: 'Client id' },
    clientSecretStdin: { type: 'boolean', description: 'Read the client secret from standard input' },
  },
  examples: [
    {
      line: 'iiot login m2m --base-url https://platform.example --client-id sandbox-machine',
      says: 'Asks for the secret',
    },
    {
      line: 'iiot login m2m --client-id sandbox-machine --client-secret-stdin < secret.txt --profile robot',
      says: 'Into a profile of its own',
    },
  ],
  result: loggedIn,
  async run(input, context) {
    const located = await placed(context);
    const { world, mask } = located;
    const base = baseUrl(located, 'new');
    const clientId = await wanted(
      '--client-id',
      'IIOT_CLIENT_ID',
      'Client id',
      input.clientId ?? world.env.IIOT_CLIENT_ID,
      context,
    );
    const clientSecret = await clientSecretOf(input.clientSecretStdin === true, context);
    mask.remember(clientSecret);
    if (isOpenToAll(new URL(base))) context.notice(notEncrypted(new URL(base), 'client secret'));
    const { machineToken } = await import('../auth/machine.ts');
    const { accessToken, expiresAt } = await machineToken(
      await located.exchange(),
      { base, clientId, clientSecret },
      world.now,
    );
    const kept: Login = {
      flow: 'm2m',
      origin: new URL(base).origin,
      base,
      clientId,
      clientSecret,
      accessToken,
      issuedAt: world.now(),
      ...(expiresAt !== undefined && { expiresAt }),
    };
    return keep(kept, { baseUrl: base }, context);
  },
});

/** The context with a base URL, asked for where none is set. */
async function placed(context: Context): Promise<Context> {
  if (context.settings.sourced.baseUrl) return context;
  const person = await context.person();
  if (!person.canAnswer) return context;
  const check = (text: string) => (URL.canParse(text) ? undefined : 'An address begins with https://');
  const answer = await person.ask('Address of the platform (https://…)', { check });
  return withBaseUrl(context, readBaseUrl(answer, 'The address'));
}

async function wanted(
  option: string,
  variable: string,
  question: string,
  value: string | undefined,
  context: Context,
): Promise<string> {
  if (value !== undefined && value !== '') return value;
  const person = await context.person();
  if (person.canAnswer)
    return person.ask(question, { check: (text) => (text.trim() === '' ? 'It cannot be empty' : undefined) });
  throw usage(`${option} is missing, and nobody can be asked here.`, `Give ${option} or set ${variable}`, [
    { option, message: 'is required' },
  ]);
}

async function passwordOf(fromStdin: boolean, context: Context): Promise<string> {
  if (fromStdin) return fromStandardInput('--password-stdin', 'password', context);
  if (context.world.env.IIOT_PASSWORD) return context.world.env.IIOT_PASSWORD;
  const person = await context.person();
  if (person.canAnswer) return person.secret('Password');
  throw usage(
    'The password is missing, and nobody can be asked here.',
    'Give it with --password-stdin or IIOT_PASSWORD',
    [{ option: '--password-stdin', message: 'is required' }],
  );
}

async function clientSecretOf(fromStdin: boolean, context: Context): Promise<string> {
  if (fromStdin) return fromStandardInput('--client-secret-stdin', 'client secret', context);
  const { IIOT_CLIENT_SECRET, IIOT_CLIENT_SECRET_FILE } = context.world.env;
  if (IIOT_CLIENT_SECRET) return IIOT_CLIENT_SECRET;
  if (IIOT_CLIENT_SECRET_FILE) {
    const { readText } = await import('../files.ts');
    return (await readText(IIOT_CLIENT_SECRET_FILE, 'IIOT_CLIENT_SECRET_FILE', context)).replace(/\r?\n$/, '');
  }
  const person = await context.person();
  if (person.canAnswer) return person.secret('Client secret');
  throw usage('The client secret is missing, and nobody can be asked here.', 'Give it with --client-secret-stdin', [
    { option: '--client-secret-stdin', message: 'is required' },
  ]);
}

async function fromStandardInput(option: string, what: string, { world }: Context): Promise<string> {
  const { readSecretLine } = await import('../terminal/input.ts');
  return readSecretLine(world.stdin, { stderr: world.stderr, option, what, signal: world.interrupt });
}

/** An earlier login of the same platform, for its issuer; a broken file does not keep anybody from logging in anew. */
function knownLogin({ store, settings, warn }: Context, base: string): Login | undefined {
  try {
    const known = store.readLogin(settings.profile.value);
    return known?.origin === new URL(base).origin ? known : undefined;
  } catch (error) {
    warn(error instanceof Error ? error.message : 'The logins cannot be read.');
    return undefined;
  }
}

/** Secrets first, then where they belong: a profile without a login only asks to log in. */
async function keep(login: Login, profile: Profile, { store, settings }: Context): Promise<Result> {
  const name = settings.profile.value;
  await store.writeLogin(name, login);
  const { org } = settings.sourced;
  const filled = { ...profile, ...(org?.from === '--org' && { org: org.value }) };
  await store.changeConfig(
    (config) => ({ ...config, profiles: { ...config.profiles, [name]: { ...config.profiles[name], ...filled } } }),
    { setAside: true },
  );
  const who = login.flow === 'user' ? login.account : login.clientId;
  const expires = login.expiresAt === undefined ? null : new Date(login.expiresAt).toISOString();
  return {
    kind: 'done',
    value: { profile: name, baseUrl: login.base, flow: login.flow, account: who, expiresAt: expires, loggedIn: true },
    sentence: `Logged in to ${login.base} as ${who} (profile ${name})`,
    id: 'profile',
  };
}

export const commands = [login, m2m, status, token, refresh];
