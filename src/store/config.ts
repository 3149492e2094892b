import type { ArraySchema, BooleanSchema, Infer, StringSchema } from '../contract/schema.ts';
import { ignoreFailure, usage } from '../failure.ts';
import { originOf, readBaseUrl } from '../network/base-url.ts';
import { labelColors } from '../output/paint.ts';
import { formats } from '../output/result.ts';
import { type Place, readPlace, sameTenant } from '../place.ts';
import { isRecord, type JsonRecord } from '../text/record.ts';
import type { ShapeResult } from './json-document.ts';

/** The keys of a profile with their types and values, for `profiles set`, help, completions, and the check of config.json. None is a secret. */
export const profileFields = {
  baseUrl: { type: 'string', format: 'uri', description: 'Base URL' },
  tenant: { type: 'string', description: 'Tenant, as in the URL' },
  app: { type: 'string', description: 'Application, as in the URL' },
  org: { type: 'string', description: 'Organization ID' },
  account: { type: 'string', description: 'Email of the account, for iiot login' },
  output: { type: 'string', enum: formats, description: 'Default output format' },
  allowHttp: { type: 'boolean', description: 'Allow http:// to this platform' },
  caFile: { type: 'string', isPath: true, description: 'File with more certificate authorities' },
  clientCert: { type: 'string', isPath: true, description: 'File with the client certificate' },
  clientKey: { type: 'string', isPath: true, description: 'File with the key of the client certificate' },
  batchBody: { type: 'string', enum: ['dto', 'input'], description: 'How batches create sends its body' },
  protected: { type: 'boolean', description: 'Ask before every change' },
  readOnly: { type: 'boolean', description: 'Refuse every change' },
  label: { type: 'string', maxLength: 30, description: 'Shown with every question, such as PRODUCTION' },
  color: { type: 'string', enum: labelColors, description: 'Color of the label' },
  history: { type: 'boolean', description: 'Record changes in the history; on by default' },
  secretCommand: {
    type: 'array',
    items: { type: 'string', description: 'Word' },
    description: 'Program that prints the client secret or the password, as words or a JSON array',
  },
} as const satisfies Record<string, ProfileField>;

export type ProfileField = (StringSchema & { readonly isPath?: true }) | BooleanSchema | ArraySchema;

export type Profile = { readonly [K in keyof typeof profileFields]?: Infer<(typeof profileFields)[K]> } & {
  /** The place that `secretCommand` was set for. It is not run for another base URL or tenant. */
  readonly secretCommandPlace?: Place;
  /** The origin of `secretCommandPlace`, which earlier versions compare. */
  readonly secretCommandOrigin?: string;
  readonly loggedOut?: Place;
};

/** Fields that hold for the profile's own base URL only. */
export const boundFields = ['label', 'color', 'allowHttp', 'caFile', 'batchBody'] as const;

/** Fields that are not replaced without a question in a profile that is protected or read-only. */
export const guardedFields = [
  ...(['baseUrl', 'tenant', 'app', 'org', 'protected', 'readOnly', 'label', 'secretCommand'] as const),
  ...(['caFile', 'allowHttp'] as const),
];

/** A profile with changes; undefined removes a field. A `secretCommand` belongs to one base URL and tenant, and is removed if either changes. */
export function changedProfile(before: Profile = {}, changes: Profile): Profile {
  const { secretCommand, secretCommandOrigin: _o, secretCommandPlace: _p, ...kept } = { ...before, ...changes };
  const here = { base: kept.baseUrl ?? '', tenant: kept.tenant };
  const isNew = changes.secretCommand !== undefined;
  const isMoved = kept.baseUrl !== before.baseUrl || kept.tenant !== before.tenant;
  const bound = isNew ? here : secretCommandPlaceOf(before);
  const isKept = secretCommand && (isNew || !isMoved || (bound && sameTenant(bound, here) !== 'other'));
  const command = isKept && {
    secretCommand,
    secretCommandPlace: bound && { ...bound, tenant: bound.tenant ?? kept.tenant },
    secretCommandOrigin: originOf(bound?.base),
  };
  return Object.fromEntries(Object.entries({ ...kept, ...command }).filter(([, value]) => value !== undefined));
}

/** The configuration with a profile changed as by `changedProfile`. */
export function withProfileValues(config: Config, name: string, values: Profile): Config {
  return { ...config, profiles: { ...config.profiles, [name]: changedProfile(config.profiles[name], values) } };
}

/** The place that a `secretCommand` belongs to. The origin alone, as earlier versions wrote it, stands for the profile's base URL if that has it. */
export function secretCommandPlaceOf(profile: Profile): Place | undefined {
  const { secretCommandPlace, secretCommandOrigin: origin, baseUrl } = profile;
  const place = readPlace(secretCommandPlace);
  if (place || origin === undefined) return place;
  return { base: baseUrl !== undefined && originOf(baseUrl) === origin ? baseUrl : origin };
}

/** config.json. As read from disk, `profiles` has no prototype. Fields of a newer version are kept, though this type does not show them. */
export type Config = {
  readonly version: number;
  /** The profile chosen by `iiot profiles use`; it may not exist yet. */
  readonly current: string;
  readonly profiles: Readonly<Record<string, Profile>>;
};

export const emptyConfig: Config = { version: 1, current: 'default', profiles: Object.create(null) };

/** Turns a parsed file into a configuration, or says what is wrong with it. */
export function shapeConfig(whole: JsonRecord, version: number): ShapeResult<Config> {
  const { current = 'default', profiles = Object.create(null) } = whole;
  if (typeof current !== 'string') return { wrong: '"current" is not text' };
  if (!isRecord(profiles)) return { wrong: '"profiles" is not an object' };
  for (const [name, profile] of Object.entries(profiles)) {
    const wrong = problemInProfile(profile);
    if (wrong) return { wrong: `in profile ${JSON.stringify(name)} ${wrong}` };
  }
  // conf stores its own data in this field, which stays in the file.
  const { __internal__: _, ...fields } = whole;
  const checked = Object.entries(profiles as Config['profiles']); // checked by the loop above
  const withBaseUrls: Config['profiles'] = Object.assign(
    Object.create(null),
    Object.fromEntries(checked.map(([name, profile]) => [name, withBaseUrl(profile)])),
  );
  return { value: { ...fields, version, current, profiles: withBaseUrls } };
}

/** A profile with its base URL in the usual form, for comparisons: somebody may have written it by hand. One that cannot be read is refused where it is used. */
function withBaseUrl(profile: Profile): Profile {
  const { baseUrl } = profile;
  const canonical = baseUrl && ignoreFailure(() => readBaseUrl(baseUrl, 'baseUrl'));
  return canonical ? { ...profile, baseUrl: canonical } : profile;
}

function problemInProfile(profile: unknown): string | undefined {
  if (!isRecord(profile)) return 'there is no object';
  if (!['undefined', 'string'].includes(typeof profile.secretCommandOrigin)) return '"secretCommandOrigin" is not text';
  for (const [field, schema] of Object.entries<ProfileField>(profileFields)) {
    const value = profile[field];
    if (value === undefined) continue;
    if (schema.type === 'array') {
      if (isWords(value)) continue;
      return `"${field}" is not a list of words`;
    }
    if (typeof value !== schema.type) return `"${field}" is not ${schema.type === 'string' ? 'text' : 'true or false'}`;
    const words = schema.type === 'string' ? schema.enum : undefined;
    if (words && !words.includes(String(value)))
      return `"${field}" is not ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
  }
  return undefined;
}

export function isWords(value: unknown): value is string[] {
  return (
    Array.isArray(value) && Boolean(value[0]) && value.every((word) => typeof word === 'string' && !/\0/.test(word))
  );
}

/** Fails as `usage` unless a profile name is a letter or digit followed by up to 63 letters, digits, dots, underscores or hyphens. */
export function checkProfileName(name: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return;
  const hint = 'A name is up to 64 ASCII letters, digits, ".", "_" and "-", and begins with a letter or a digit.';
  throw usage(`${JSON.stringify(name.slice(0, 80))} cannot be the name of a profile.`, hint);
}
