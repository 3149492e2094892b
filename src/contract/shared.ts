/** Parameters and values that several resources have in common. */
import type { Schema } from './schema.ts';

export const channelTypeNames = ['email', 'teams', 'linemessage', 'webhook'] as const;

export const orgRoleNames = ['admin', 'operator', 'viewer'] as const;

// Schemas as plain data. `more` has further keywords.
export const text = <const M extends object>(description: string, more?: M) =>
  ({ type: 'string', ...(more as M), description }) as const;

export const integer = <const M extends object>(description: string, more?: M) =>
  ({ type: 'integer', ...(more as M), description }) as const;

export const boolean = <const M extends object>(description: string, more?: M) =>
  ({ type: 'boolean', ...(more as M), description }) as const;

export const object = <const P extends object, const M extends object>(description: string, properties: P, more?: M) =>
  ({ type: 'object', description, ...(more as M), properties }) as const;

/** An object that always has all of these fields. */
export const record = <const P extends object>(description: string, properties: P) =>
  object(description, properties, { required: Object.keys(properties) });

export const list = <const I extends Schema>(description: string, items: I) =>
  ({ type: 'array', description, items }) as const;

export const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const;

export const inPath = <const M extends object>(description: string, more?: M) =>
  ({ in: 'path', type: 'string', ...(more as M), required: true, description }) as const;

export const inQuery = <const S extends object>(schema: S) => ({ in: 'query', ...schema }) as const;

/** The organization where the interface types it as a Guid: when listing users and deleting an organization. */
export const orgGuid = inPath('Organization (UUID)', { format: 'guid' });

/** The organization where the interface types it as a string or not at all, so any identifier is sent unchanged. */
export const orgId = inPath('Organization');

/** The body of an error, which the interface does not show. */
export const error = { title: 'Error', description: 'The body of a refusal' } as const;

export const channelType = text('Channel type', { enum: channelTypeNames });

/** "array of string" in the words of the interface. */
export const strings = <const F extends string>(description: string, flag: F) =>
  ({ type: 'array', items: text(description), description, flag }) as const;

/** An "array" whose element type the interface does not show. Options give strings, the usual type; a file may contain anything. */
export const anything = <const F extends string>(description: string, flag: F, whole?: string) =>
  ({ type: 'array', items: { description }, description, flag, whole }) as const;

/** The query parameters of the interface whose values are never secret. */
export const harmlessParameters: ReadonlySet<string> = new Set(
  'skipCount maxResultCount sorting orgRole name orgName channelType tags grant_type returnUrl tenantId'.split(' '),
);
