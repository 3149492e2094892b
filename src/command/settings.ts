import { asFailure, type Failure, usage } from '../failure.ts';
import { originOf, readBaseUrl } from '../network/base-url.ts';
import type { ClientFiles } from '../network/client-certificate.ts';
import { type Format, formats } from '../output/result.ts';
import { boundFields, type Config, checkProfileName, type Profile, profileFields } from '../store/config.ts';
import { type Environment, isOn } from '../text/environment.ts';
import { nearestOrPart } from '../text/nearest.ts';
import type { GlobalInput } from './global-options.ts';
import { milliseconds } from './time.ts';

/** A value and its source: "--org", "IIOT_ORG", "profile default". */
type SettingWithOrigin = { readonly value: string; readonly from: string };

const sources = {
  baseUrl: { option: '--base-url', variable: 'IIOT_BASE_URL' },
  tenant: { option: '--tenant', variable: 'IIOT_TENANT' },
  app: { option: '--app', variable: 'IIOT_APP' },
  org: { option: '--org', variable: 'IIOT_ORG' },
  output: { option: '--output', variable: 'IIOT_OUTPUT' },
  caFile: { option: '--ca-file', variable: 'IIOT_CA_FILE' },
  clientCert: { option: '--client-cert', variable: 'IIOT_CLIENT_CERT' },
  clientKey: { option: '--client-key', variable: 'IIOT_CLIENT_KEY' },
  account: { option: '--account', variable: 'IIOT_ACCOUNT' },
} as const;

type SettingName = keyof typeof sources;

/** The names of the settings that an option, a variable or a profile can give. */
export const settingNames = Object.keys(sources) as SettingName[]; // its own keys

/** The settings of a command: options take precedence over variables, and variables over the profile. */
export type Settings = {
  /** @throws the error of the configuration file, if the name can only come from that file */
  readonly profile: SettingWithOrigin;
  /** The stored profile, empty if there is none yet. If another base URL is in use, without the fields that are only for its own. */
  readonly stored: Profile;
  readonly resolved: { readonly [K in SettingName]?: SettingWithOrigin };
  readonly timeout: number;
  readonly retries: number;
  /** All sources that refuse changes: "--read-only, IIOT_READ_ONLY, profile plant". Undefined if changes are allowed. */
  readonly readOnly: string | undefined;
  /** The failure for a named profile that does not exist. Only `login` creates one. */
  readonly missing?: Failure;
  readonly isStored: boolean;
  /** Whether --profile or IIOT_PROFILE names the profile. */
  readonly isProfileNamed: boolean;
  /** The failure if the configuration file cannot be read. Only commands that need it throw this. */
  readonly broken?: Failure;
};

type SettingsInput = GlobalInput & { readonly [K in SettingName]?: unknown };

/** Reads the settings of one command from options, variables and the profile. @throws usage for an unusable value */
export function readSettings(input: SettingsInput, env: Environment, readConfig: () => Config): Settings {
  const { config, broken } = tryConfig(readConfig);
  const profile = profileOf(input, env, config);
  const ofProfile = config?.profiles[profile.value] ?? {};
  const settingOf = (name: SettingName, stored: Profile): SettingWithOrigin | undefined => {
    const { option, variable } = sources[name];
    const typed = input[name];
    if (typeof typed === 'string') return { value: typed, from: option };
    if (env[variable]) return { value: env[variable], from: variable };
    return stored[name] === undefined ? undefined : { value: stored[name], from: `profile ${profile.value}` };
  };
  const given = settingOf('baseUrl', ofProfile);
  const baseUrl = given && { ...given, value: readBaseUrl(given.value, given.from) };
  const isElsewhere = ofProfile.baseUrl !== undefined && baseUrl !== undefined && ofProfile.baseUrl !== baseUrl.value;
  const stored = isElsewhere ? without(ofProfile, boundFields) : ofProfile;
  const found = settingNames.map((name) => [name, settingOf(name, stored)] as const).filter(([, value]) => value);
  const resolved: { [K in SettingName]?: SettingWithOrigin } = {
    ...Object.fromEntries(found),
    ...(baseUrl && { baseUrl }),
  };
  // Variables of CI often end with a line end or a blank.
  if (resolved.org?.value.trim()) resolved.org = { ...resolved.org, value: resolved.org.value.trim() };
  const unknown = isNamed(profile, input, env) ? undefined : broken;
  return {
    get profile() {
      if (unknown) throw unknown;
      return profile;
    },
    stored,
    resolved,
    timeout: timeoutOf(input, env),
    retries: input.retries ?? 3,
    readOnly: readOnlyBy(input, env, [stored.readOnly && `profile ${profile.value}`, misspelt(stored, profile.value)]),
    missing: missingProfile(profile, config),
    isStored: config !== undefined && Object.hasOwn(config.profiles, profile.value),
    isProfileNamed: profile.from !== chosen,
    broken,
  };
}

function without(profile: Profile, fields: readonly string[]): Profile {
  return Object.fromEntries(Object.entries(profile).filter(([name]) => !fields.includes(name)));
}

function readOnlyBy(input: SettingsInput, env: Environment, profile: readonly (string | false | undefined)[]) {
  const refusing = [input.readOnly && '--read-only', isOn(env.IIOT_READ_ONLY) && 'IIOT_READ_ONLY', ...profile];
  return refusing.filter(Boolean).join(', ') || undefined;
}

/** The keys of a profile that differ from a known one only by case, such as "readonly": a guard that was meant, but is not there. */
export function misspelt(stored: Profile, name: string): string | undefined {
  const known = Object.keys(profileFields);
  const found = Object.keys(stored).flatMap((key) => {
    const meant = known.find((each) => each.toLowerCase() === key.toLowerCase());
    return meant === undefined || meant === key
      ? []
      : [`"${key}" of profile ${name} in config.json, which is written ${meant}`];
  });
  return found.join(', ') || undefined;
}

function missingProfile({ value, from }: SettingWithOrigin, config: Config | undefined): Failure | undefined {
  // The profile `default` always exists, even if nothing is set in it.
  if (!config || from === chosen || value === 'default') return undefined;
  if (Object.hasOwn(config.profiles, value)) return undefined;
  return unknownProfile(value, config, from);
}

/** The failure for a name that no profile has, with the profile that is probably meant. @param from the option or variable with the name */
export function unknownProfile(name: string, { profiles }: Pick<Config, 'profiles'>, from?: string): Failure {
  const known = Object.keys(profiles);
  const meant = nearestOrPart(name, known);
  const hint = meant === undefined ? `Profiles: ${known.join(', ') || 'none yet'}` : `Did you mean ${meant}?`;
  return usage(`There is no profile "${name}"${from === undefined ? '' : ` (${from})`}.`, hint);
}

/** The source of a profile's name that neither an option nor a variable gives. */
const chosen = 'profiles use';

function tryConfig(readConfig: () => Config): { config?: Config; broken?: Failure } {
  try {
    return { config: readConfig() };
  } catch (error) {
    return { broken: asFailure(error) };
  }
}

/** Whether the profile can be used without the configuration file: a job with its own credentials or base URL must not fail because that is broken. */
function isNamed({ from }: SettingWithOrigin, { baseUrl }: SettingsInput, env: Environment): boolean {
  return from !== chosen || Boolean(baseUrl || env.IIOT_BASE_URL || env.IIOT_TOKEN || env.IIOT_CLIENT_ID);
}

function profileOf(input: SettingsInput, env: Environment, config: Config | undefined): SettingWithOrigin {
  const [value, from] = input.profile ? [input.profile, '--profile'] : [env.IIOT_PROFILE, 'IIOT_PROFILE'];
  if (!value) return { value: config?.current ?? 'default', from: chosen };
  checkProfileName(value);
  return { value, from };
}

function timeoutOf(input: SettingsInput, env: Environment): number {
  const [word, from] = input.requestTimeout
    ? [input.requestTimeout, '--request-timeout']
    : [env.IIOT_REQUEST_TIMEOUT, 'IIOT_REQUEST_TIMEOUT'];
  if (!word) return 30_000;
  const duration = milliseconds(word);
  // setTimeout has 32 bits; a longer timeout would fire immediately.
  if (!duration || duration > 2 ** 31 - 1) throw usage(`${from} takes a duration such as 500ms, 30s or 2m.`);
  return duration;
}

/** The format of the result, from -o or --json, else from IIOT_OUTPUT, the profile, or `table`. */
export function formatOf(input: GlobalInput, settings: Pick<Settings, 'resolved'>): Format {
  if (input.json && input.output && input.output !== 'json') {
    throw usage('--json and --output cannot be combined.', 'Give one of them');
  }
  const { value, from } = input.json
    ? { value: 'json', from: '--json' }
    : (settings.resolved.output ?? { value: 'table', from: '' });
  const format = formats.find((name) => name === value);
  if (!format) throw usage(`${from} takes one of ${formats.join(', ')}.`);
  return format;
}

/** The files of the client certificate and the only origin that gets it, or why the certificate is not used. */
type ClientUse = { readonly files: ClientFiles; readonly origin: string } | { readonly unused: string };

/** Chooses the client certificate: that of a profile only for its own origin, and never with a key of lower precedence. @throws usage for a key without one */
export function clientUse({ resolved, stored }: Pick<Settings, 'resolved' | 'stored'>): ClientUse | undefined {
  const { clientCert: cert, clientKey, baseUrl } = resolved;
  if (!cert && clientKey) {
    const hint = 'Give its certificate with --client-cert FILE, IIOT_CLIENT_CERT or the key clientCert of the profile';
    throw usage(`There is a client key (${clientKey.value}, ${clientKey.from}) without its certificate.`, hint);
  }
  if (!cert || !baseUrl) return undefined;
  const { origin, protocol } = new URL(baseUrl.value);
  if (protocol === 'http:') return { unused: `${cert.value} (${cert.from}) is not used over plain http` };
  if (rank(cert) === 0 && stored.baseUrl !== undefined && originOf(stored.baseUrl) !== origin) {
    return { unused: `${cert.value} (${cert.from}) belongs to ${stored.baseUrl} and is not sent to ${origin}` };
  }
  const key = clientKey && rank(clientKey) >= rank(cert) ? clientKey : undefined;
  return { files: { cert, key }, origin };
}

function rank({ from }: SettingWithOrigin): number {
  if (from.startsWith('--')) return 2;
  return from.startsWith('IIOT_') ? 1 : 0;
}
