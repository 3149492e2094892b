import { busyFailure, command, refusals } from '../../command/command.ts';
import { ask, guardProfile } from '../../command/confirm.ts';
import type { Context } from '../../command/context.ts';
import { isPlainTable } from '../../command/perform.ts';
import { refuseChange } from '../../command/read-only.ts';
import { baseUrl } from '../../command/target.ts';
import { integer, record, text } from '../../contract/shared.ts';
import { Failure, kindOfStatus, usage } from '../../failure.ts';
import { isLoopback } from '../../network/base-url.ts';
import type { ExchangeRequest } from '../../network/fetch.ts';
import type { Result } from '../../output/result.ts';
import { thingsToTry } from '../../sandbox/world/things-to-try.ts';
import { type Profile, withProfileValues } from '../../store/config.ts';
import { untilAborted } from '../../text/abort.ts';
import { escapeUnsafe } from '../../text/json-write.ts';
import { parseUrl } from '../../text/parse-url.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import { exec } from './exec.ts';
import { listenFlags, readListenOptions, readShift, sandboxFlags } from './flags.ts';
import type { RunningSandbox } from './open.ts';
import { tour } from './tour.ts';

/** The profile for a running sandbox, which other terminals use. If another sandbox already uses it, a number is added. */
const profileName = 'sandbox';

const start = command({
  name: 'sandbox start',
  without: { agents: 'starts other programs' },
  shell: { ends: busyFailure },
  reach: 'machine',
  summary: 'Run the embedded platform until Ctrl-C',
  description:
    'Starts an embedded platform on loopback that behaves as the interface says, prints its address, accounts and IDs to try, and sets up ' +
    'profile "sandbox" for it, logged in ("sandbox-2" if another sandbox is running). If the profile is for another platform, it asks first. ' +
    'Open its address in a browser to see its data, and requests as they arrive. Only this machine can reach ' +
    'it, unless --host names another address: then every machine that reaches that address can use it, over plain http, and no profile is set up.',
  flags: { ...sandboxFlags, ...listenFlags },
  examples: {
    'iiot sandbox start': 'Then, in another terminal: iiot --profile sandbox orgs users list',
    'iiot sandbox start --port 8080 --latency 200ms --fault "PUT /platform/**=503:5%"':
      'A slow platform that sometimes fails',
    'iiot sandbox start --state factory.json': 'Changes are still there the next time',
    'iiot sandbox start --host 0.0.0.0 --port 8080 --allow-host sandbox':
      'A service for other containers, which call it sandbox',
  },
  result: {
    ...record('Where it listens, and what is in it', { url: text('Its address', { format: 'uri' }) }),
    additionalProperties: { description: 'Something to try' },
  },
  async run({ host, allowHosts, ...input }, context) {
    const place = readListenOptions(host, allowHosts);
    const { openSandbox } = await import('./open.ts');
    const isOpen = place.host !== undefined && !/^(127\.|::1$)/.test(place.host);
    const name = isOpen ? undefined : await findFreeName(context);
    if (name !== undefined) await agreeToSetProfile(name, context);
    const sandbox = await openSandbox(input, context, { place });
    try {
      // Other machines reach only the sandbox, which has no data of this machine except the files that its options name.
      if (name === undefined)
        context.warn(
          `Warning: every machine that reaches ${place.host}, port ${new URL(sandbox.url).port}, can read and change this sandbox, with the secrets that it shows, ` +
            'over plain http. Use it for made-up data only.',
        );
      else await setProfile(name, sandbox, context);
      if (name !== undefined && name !== profileName)
        context.notice(`Profile ${profileName} belongs to a sandbox that is running; this one has profile ${name}.`);
    } catch (error) {
      await sandbox.close();
      throw error;
    }
    return {
      ...startResult(sandbox, name, context),
      goesOn: true,
      ending: async () => {
        // Ctrl-C is the normal end.
        await untilAborted(context.world.interrupt);
        await sandbox.close();
        context.notice('The sandbox has ended.');
        return undefined;
      },
    };
  },
});

function startResult({ url }: RunningSandbox, profile: string | undefined, context: Context): Result {
  if (isPlainTable(context)) return { kind: 'text', text: `${welcome(url, profile)}\n` };
  return { kind: 'record', value: { url, ...thingsToTry }, about: url };
}

/** Finds a name for the profile: the first one that no running sandbox uses. */
async function findFreeName(context: Context): Promise<string> {
  const { profiles } = context.store.readConfig();
  const exchange = await context.exchange();
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? profileName : `${profileName}-${number}`;
    const profile = profiles[name];
    if (!profile?.baseUrl || !isForSandbox(profile)) return name;
    const isRunning = await exchange({ method: 'GET', url: profile.baseUrl, repeat: 'never' }).then(
      () => true,
      () => false,
    );
    if (!isRunning) return name;
  }
}

/** Asks before a profile that is protected or of another platform loses its values. @throws usage if it cannot prompt, interrupted if the answer is no */
async function agreeToSetProfile(name: string, context: Context): Promise<void> {
  const profile = context.store.readConfig().profiles[name];
  const place = profile?.baseUrl ?? 'another platform';
  await guardProfile(name, `Replace it, which is for ${place}`, { isRemoved: true }, context);
  if (!profile || profile.protected || profile.readOnly || isForSandbox(profile) || context.options.yes) return;
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

async function setProfile(name: string, { url, tenantId, logIn }: RunningSandbox, context: Context): Promise<void> {
  const { store, notice } = context;
  const { tenant, app, org, accounts } = thingsToTry;
  const { account } = accounts[0];
  const login = { tenant, app, account };
  const values = { baseUrl: url, tenant, app, org, account };
  await store.writeLogin(name, { flow: 'user', base: url, ...login, tenantId, refreshToken: logIn(account) });
  await store.changeConfig((config) => withProfileValues(config, name, values));
  if (isPlainTable(context)) return; // the welcome text has the values
  const pairs = Object.entries(values).map(([key, value]) => `${key}=${value}`);
  notice(`Set in profile ${name}: ${pairs.join(' ')}`);
}

/** Whether a profile was created for a sandbox, or has no platform yet. */
function isForSandbox({ baseUrl, tenant, app, org, account }: Profile): boolean {
  if ([baseUrl, tenant, app, org, account].every((value) => value === undefined)) return true;
  const url = baseUrl === undefined ? undefined : parseUrl(baseUrl);
  return url !== undefined && isLoopback(url) && tenant === thingsToTry.tenant && app === thingsToTry.app;
}

/** The text shown when a sandbox has started: its URL, the accounts, what to try first, and where to find more. */
function welcome(url: string, profile: string | undefined): string {
  const { accounts, client, organizations, devices, templates, policies, channels } = thingsToTry;
  const rows = [
    ['Sandbox', `${url} (Ctrl-C stops it)`],
    ...(profile === undefined ? [] : [['Profile', `${profile}, logged in as ${accounts[0].account}`]]),
    [],
    ...accounts.map(({ account, password }, at) => [
      at === 0 ? 'Accounts' : '',
      `${account}, password ${quoteForShell(password)}`,
    ]),
    ['Machine', `${client.clientId}, client secret ${quoteForShell(client.clientSecret)}`],
    ...[organizations[0], organizations[2]].map(({ id }, at) => [at === 0 ? 'Organization' : '', id]),
    ['Device', devices[0].id],
    ['Template', templates[0].id],
    ['Policy', policies[0].id],
    ['Channel', channels[0].id],
    [],
    ...(profile === undefined ? [] : [['Try', `iiot orgs users list --profile ${profile}`]]),
    ['Browser', `${url} (data and changes)`],
  ];
  return rows.map(([label = '', text = '']) => `${label.padEnd(14)}${text}`.trimEnd()).join('\n');
}

/** A sentence in the help of the commands that control a running sandbox. */
const whichSandbox =
  'The sandbox is the one that the command runs under (IIOT_SANDBOX_URL), ' +
  'otherwise that of the profile "sandbox", which sandbox start sets up; use --base-url for another.';

const clock = command({
  name: 'sandbox clock',
  without: { agents: 'starts other programs' },
  shell: { ends: refusals },
  reach: 'platform',
  summary: 'Move the clock of a running sandbox',
  description: `Moves the clock of a sandbox while it runs. Its tokens and credentials expire by that clock. ${whichSandbox}`,
  arguments: { shift: text('A shift such as +2h or -30m', { value: 'SHIFT', maybeNegative: true }) },
  examples: {
    'iiot sandbox clock +2h': 'Every access token has expired',
    'iiot sandbox clock -90d -o json': 'Move it back',
  },
  result: record('Its time', {
    now: text('Its time now', { format: 'date-time' }),
    offsetSeconds: integer('Seconds it was moved in total'),
  }),
  async run({ shift }, context) {
    refuseChange('iiot sandbox clock', context.settings, '');
    const body = { type: 'application/json', text: JSON.stringify({ add: readShift(shift, 'SHIFT') }) };
    const value: unknown = JSON.parse(await askSandbox({ method: 'POST', body }, '/sandbox/clock', context));
    const { now } = Object(value) as { now?: unknown }; // said as it is
    return { kind: 'done', value, sentence: `The sandbox's clock is now at ${now}` };
  },
});

const exportState = command({
  name: 'sandbox export',
  without: { agents: 'starts other programs' },
  shell: { ends: refusals },
  reach: 'platform',
  summary: 'Print the state of a running sandbox',
  description:
    `Prints the whole state of a sandbox as JSON, to start another with: sandbox start --import FILE. ` +
    `It contains the passwords of its accounts and the configuration of its channels, tokens included; ` +
    `it contains access tokens and client secrets only as hashes. ${whichSandbox}`,
  examples: {
    'iiot sandbox export > monday.json': 'Keep it',
    "iiot sandbox export --jq '.devices | length'": 'Look into it',
  },
  result: { type: 'object', description: 'The state' },
  async run(_, context) {
    const text = await askSandbox({ method: 'GET' }, '/sandbox/state', context);
    const { jq, output = 'table' } = context.options;
    if (jq === undefined && output === 'table')
      return { kind: 'text', text: context.world.stdout.isTTY ? escapeUnsafe(text) : text };
    return { kind: 'record', value: JSON.parse(text) as unknown };
  },
});

/** Sends a request to a sandbox and returns the text of its response. @throws not_found if it is not a sandbox, rejected if the sandbox refuses */
async function askSandbox(request: Omit<ExchangeRequest, 'url' | 'headers'>, path: string, context: Context) {
  const url = findSandboxUrl(context);
  const exchange = await context.exchange();
  const { status, text, headers } = await exchange({ ...request, url: url + path, maximumBytes: 2 ** 29 });
  if (status === 200 && /^application\/json\b/.test(headers.get('content-type') ?? '')) return text;
  if (status === 200 || status === 404) throw new Failure('not_found', `${url} is not a sandbox.`, { hint: startHint });
  throw new Failure(kindOfStatus(status), `The sandbox refused (${status}).`, { status });
}

const startHint = 'Start one with: iiot sandbox start';

function findSandboxUrl(context: Context): string {
  const { options, world, store } = context;
  const typed = options.baseUrl !== undefined || options.profile !== undefined;
  const url = typed ? baseUrl(context) : (world.env.IIOT_SANDBOX_URL ?? store.readConfig().profiles.sandbox?.baseUrl);
  if (url === undefined) throw usage('Which sandbox? There is no profile "sandbox".', startHint);
  const parsed = parseUrl(url);
  if (!parsed || !isLoopback(parsed))
    throw usage(`${url} is not a sandbox: a sandbox is always on loopback.`, startHint);
  return url.replace(/\/+$/, '');
}

export const commands = [start, exec, tour, clock, exportState];
