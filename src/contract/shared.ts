/** Parameters and values that several resources have in common. */
export const channelTypeNames = ['email', 'teams', 'linemessage', 'webhook'] as const;

export const orgRoleNames = ['admin', 'operator', 'viewer'] as const;

/** Typed Guid by the interface: listing users and deleting an organization. */
export const orgGuid = {
  in: 'path',
  type: 'string',
  format: 'guid',
  required: true,
  description: 'Organization (UUID)',
} as const;

/** Elsewhere the interface shows orgId as a string or without a type, so any identifier is sent unchanged. */
export const orgId = { in: 'path', type: 'string', required: true, description: 'Organization' } as const;

/** The interface does not show it: anything. */
export const error = { title: 'Error', description: 'The body of a refusal' } as const;

export const channelType = {
  type: 'string',
  enum: channelTypeNames,
  description: 'Channel type',
} as const;

/** "array of string" in the words of the interface. */
export const strings = <const D extends string, const F extends string>(description: D, flag: F) =>
  ({ type: 'array', items: { type: 'string', description }, description, flag }) as const;

/** "array", whose element type the interface does not show: options give strings, the usual type; a file may contain anything. */
export const anything = <const D extends string, const F extends string>(description: D, flag: F, whole?: string) =>
  ({ type: 'array', items: { description }, description, flag, ...(whole !== undefined && { whole }) }) as const;
