import type { Shaped } from './kept-file.ts';
import { isObject, type JsonObject } from './safe-json.ts';

/** Where commands talk to, and how: the keys of `iiot profiles set`, and the account that `iiot login` used last. No secrets. */
export type Profile = {
  readonly baseUrl?: string;
  readonly tenant?: string;
  readonly app?: string;
  readonly org?: string;
  readonly account?: string;
  readonly output?: string;
  readonly caFile?: string;
  readonly allowHttp?: boolean;
  readonly protected?: boolean;
  readonly history?: boolean;
  readonly batchBody?: 'dto' | 'input';
};

/** config.json. As read from disk, `profiles` has no prototype. Fields of a newer version are there too, unseen, and are kept. */
export type Config = {
  readonly version: number;
  /** The profile that `iiot profiles use` chose; it need not exist yet. */
  readonly current: string;
  readonly profiles: Readonly<Record<string, Profile>>;
};

export const emptyConfig: Config = { version: 1, current: 'default', profiles: Object.create(null) };

const fields = {
  baseUrl: 'string',
  tenant: 'string',
  app: 'string',
  org: 'string',
  account: 'string',
  output: 'string',
  caFile: 'string',
  allowHttp: 'boolean',
  protected: 'boolean',
  history: 'boolean',
  batchBody: 'string',
} as const satisfies Record<keyof Profile, 'string' | 'boolean'>;

/** The configuration that a parsed file holds, or what is wrong with it. */
export function shapeConfig(whole: JsonObject, version: number): Shaped<Config> {
  const { current = 'default', profiles = Object.create(null) } = whole;
  if (typeof current !== 'string') return { wrong: '"current" is not text' };
  if (!isObject(profiles)) return { wrong: '"profiles" is not an object' };
  for (const [name, profile] of Object.entries(profiles)) {
    const wrong = wrongIn(profile);
    if (wrong) return { wrong: `in profile ${JSON.stringify(name)} ${wrong}` };
  }
  // The loop above has held every profile against the type.
  return { value: { ...whole, version, current, profiles: profiles as Config['profiles'] } };
}

function wrongIn(profile: unknown): string | undefined {
  if (!isObject(profile)) return 'there is no object';
  for (const [field, type] of Object.entries(fields)) {
    const value = profile[field];
    if (value !== undefined && typeof value !== type)
      return `"${field}" is not ${type === 'string' ? 'text' : 'true or false'}`;
  }
  const { batchBody } = profile;
  return batchBody === undefined || batchBody === 'dto' || batchBody === 'input'
    ? undefined
    : '"batchBody" is not dto or input';
}
