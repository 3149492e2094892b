import { resolve } from 'node:path';
import { placeOfLogin } from '../auth/login-place.ts';
import type { UserLogin } from '../auth/user-login.ts';
import { command, refusals } from '../command/command.ts';
import { guardProfile } from '../command/confirm.ts';
import type { Context } from '../command/context.ts';
import { isOnlyPlace, whereText } from '../command/place.ts';
import { baseUrl } from '../command/target.ts';
import { boolean, record, text, textOrNull } from '../contract/shared.ts';
import { isOpenToAll, notEncrypted } from '../network/base-url.ts';
import type { Exchange } from '../network/fetch.ts';
import type { Result } from '../output/result.ts';
import { type Place, sameTenant } from '../place.ts';
import { type Profile, withProfileValues } from '../store/config.ts';
import type { Login } from '../store/credentials.ts';
import { argumentForShell } from '../text/shell-lines.ts';
import { askForPlatform, askIfMissing, finishLogin, getClientSecret, usePassword } from './login-questions.ts';
import { refresh, status, timeText, token } from './login-status.ts';

const loggedIn = record('Who is logged in now', {
  profile: text('Profile'),
  baseUrl: text('Base URL'),
  flow: text('How: as a person, or as a machine', { enum: ['user', 'm2m'] }),
  account: text('Email of the account, or client ID'),
  expiresAt: textOrNull('When the access token expires; null if the platform does not say'),
  loggedIn: boolean('True'),
});

const login = command({
  name: 'login',
  without: { agents: 'a person logs in', each: 'it is for one person' },
  shell: { ends: refusals },
  reach: 'organization',
  summary: 'Log in as a person',
  description:
    "Logs in through the platform's single sign-on and saves the tokens in the profile, readable only by you. Prompts for what is missing. " +
    'Base URL, tenant, application, account and --org are saved too, so you give them once. ' +
    'The access token lasts two hours and is renewed automatically. At a terminal it offers to set the organization if none is known. The password is not saved.',
  flags: {
    tenant: text('Tenant, as in the URL', { value: 'PATH' }),
    app: text('Application, as in the URL', { value: 'PATH' }),
    account: text('Email of the account', { value: 'EMAIL' }),
    passwordStdin: boolean('Read the password from standard input'),
  },
  examples: {
    'iiot login --base-url https://platform.example --tenant factory --app console': 'Prompts for account and password',
    'iiot login --account ada@factory.example --password-stdin < password.txt': 'From a script',
  },
  result: loggedIn,
  async run(input, context, groups) {
    const located = await askForPlatform(context);
    const { resolved } = located.settings;
    const base = baseUrl(located, 'new');
    const tenant = await askIfMissing('tenant', resolved.tenant?.value, context);
    const app = await askIfMissing('app', resolved.app?.value, context);
    const account = await askIfMissing('account', resolved.account?.value, context);
    const values = profileValuesFor({ baseUrl: base, tenant, app, account }, located);
    const exchange = await located.exchange();
    const place = { base, tenant, app, account };
    const say = await guardLogin(values, place, located);
    const question = () => `Password for ${account} ${whereText(place, located)}`;
    const tokens = await usePassword(input.passwordStdin === true, question, located, (password) =>
      logInWith({ ...place, password }, exchange, context),
    );
    const fresh: Login = { flow: 'user', ...place, ...tokens };
    return { ...(await saveLogin(fresh, values, say, context)), ending: () => finishLogin(located, groups) };
  },
});

const m2m = command({
  name: 'login m2m',
  without: { agents: 'takes a secret', each: 'it takes a secret' },
  shell: { ends: refusals },
  reach: 'organization',
  summary: 'Log in as a machine, with a client credential',
  description:
    'Checks a client credential by getting an access token with it, and saves it in the profile, readable only by you, with the ' +
    'base URL and --org. ' +
    'In CI you need no login: set IIOT_BASE_URL, IIOT_CLIENT_ID and IIOT_CLIENT_SECRET.',
  flags: {
    clientId: text('Client ID', { value: 'ID' }),
    clientSecretStdin: boolean('Read the client secret from standard input'),
  },
  examples: {
    'iiot login m2m --base-url https://platform.example --client-id sandbox-machine': 'Prompts for the secret',
    'iiot login m2m --client-id sandbox-machine --client-secret-stdin < secret.txt --profile robot':
      'Save it in another profile',
  },
  result: loggedIn,
  async run(input, context, groups) {
    const located = await askForPlatform(context);
    const { world, mask } = located;
    const base = baseUrl(located, 'new');
    const clientId = await askIfMissing('clientId', input.clientId ?? world.env.IIOT_CLIENT_ID, context);
    const values = profileValuesFor({ baseUrl: base }, located);
    const place = { base, clientId };
    const say = await guardLogin(values, place, located);
    const question = () => `Client secret of ${clientId} ${whereText({ base }, located)}`;
    const { clientSecret, isKept } = await getClientSecret(input.clientSecretStdin === true, question, located);
    mask.remember(clientSecret);
    if (isOpenToAll(new URL(base))) context.notice(notEncrypted(new URL(base), 'client secret'));
    const { requestMachineToken } = await import('../auth/token-request.ts');
    const tokens = await requestMachineToken(await located.exchange(), { base, clientId, clientSecret }, world.now);
    const secret = isKept ? { clientSecret } : {};
    const fresh: Login = { flow: 'm2m', base, clientId, ...secret, ...tokens };
    return { ...(await saveLogin(fresh, values, say, context)), ending: () => finishLogin(located, groups, clientId) };
  },
});

type Answers = Pick<UserLogin, 'base' | 'tenant' | 'app' | 'account' | 'password'>;

async function logInWith(answers: Answers, exchange: Exchange, context: Context) {
  const { mask, world, notice } = context;
  mask.remember(answers.password);
  const { logInUser } = await import('../auth/user-login.ts');
  // One spinner for all five steps: a new one is only shown after a second.
  const wait = context.waiting.begin('Logging in');
  const stepwise: Exchange = (request) => {
    wait.say(`Logging in: ${request.about?.replace('the login', '5')}`);
    return exchange(request);
  };
  return logInUser(stepwise, {
    ...answers,
    knownIssuer: readEarlierLogin(context, answers)?.issuer,
    note: notice,
    remember: mask.remember,
    now: world.now,
  }).finally(wait.end);
}

/** Reads the profile's earlier login in the same place, whose issuer is known. If the file is broken, it only warns, so that logging in still works. */
function readEarlierLogin({ store, settings, warn }: Context, { base, tenant }: Place): Login | undefined {
  try {
    const earlier = store.readLogin(settings.profile.value);
    return earlier && sameTenant(placeOfLogin(earlier), { base, tenant }) !== 'other' ? earlier : undefined;
  } catch (error) {
    warn(error instanceof Error ? error.message : 'The logins cannot be read.');
    return undefined;
  }
}

function profileValuesFor(values: Profile, { settings: { resolved } }: Context): Profile {
  const { org, caFile } = resolved;
  const trusted = caFile?.from === '--ca-file' ? { caFile: resolve(caFile.value) } : {};
  return { ...values, ...(org?.from === '--org' && { org: org.value }), ...trusted };
}

/** Asks for the confirmation that the profile needs, before anything is sent. @returns what prints the notices once the profile is changed */
function guardLogin(values: Profile, { base, tenant, account, clientId }: Place, context: Context) {
  const login = { base, tenant, account, clientId };
  const change = `Log it in to ${base}${tenant === undefined ? '' : `, tenant ${tenant},`} as ${account ?? clientId}`;
  return guardProfile(context.settings.profile.value, change, { values, login }, context);
}

/** Saves the secrets first, then the profile: if the second step fails, the user only has to log in again. */
async function saveLogin(login: Login, profile: Profile, say: () => void, context: Context): Promise<Result> {
  const { store, settings, notice } = context;
  const name = settings.profile.value;
  await store.writeLogin(name, login);
  await store.changeConfig((config) => withProfileValues(config, name, profile), { setAside: true });
  say();
  if (profile.caFile !== undefined)
    notice(`Profile ${name} trusts the certificate authorities in ${profile.caFile} from now on.`);
  const { stored } = settings;
  if (profile.tenant && stored.tenant && stored.org && stored.tenant !== profile.tenant && profile.org === undefined)
    notice(
      `Profile ${name} was for tenant ${stored.tenant}, is now for ${profile.tenant}, and keeps organization ${stored.org}. ` +
        `To set another: iiot profiles set ${argumentForShell(name)} org=ID`,
    );
  const account = login.flow === 'user' ? login.account : login.clientId;
  const { base, flow, expiresAt } = login;
  const tenant = login.tenant === undefined || isOnlyPlace(login, context) ? '' : `, tenant ${login.tenant},`;
  return {
    kind: 'done',
    value: { profile: name, baseUrl: base, flow, account, expiresAt: timeText(expiresAt), loggedIn: true },
    sentence: `Logged in to ${base}${tenant} as ${account} (profile ${name})`,
    id: 'profile',
  };
}

export const commands = [login, m2m, status, token, refresh];
