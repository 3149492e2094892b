import type { Schema } from '../contract/schema.ts';

/** The result of `profiles set`, `use` and `delete`: the name, what was done, and the values of the profile. */
export function profileSchema(description: string, done: Readonly<Record<string, Schema>>): Schema {
  const name: Schema = { type: 'string', description: 'Name' };
  return { type: 'object', description, required: ['name', ...Object.keys(done)], properties: { name, ...done } };
}

export const profileList: Schema = {
  type: 'array',
  description: 'The profiles',
  items: {
    type: 'object',
    description: 'A profile',
    required: ['name', 'current', 'baseUrl', 'org', 'protected'],
    properties: {
      name: { type: 'string', description: 'Name' },
      current: { type: 'boolean', description: 'Whether it is the one in use' },
      baseUrl: { type: ['string', 'null'], description: 'Address of its platform' },
      org: { type: ['string', 'null'], description: 'Its organization' },
      protected: { type: 'boolean', description: 'Whether it asks before every change' },
    },
  },
};
