import { isGuid } from '../../contract/formats.ts';
import type { ObjectSchema } from '../../contract/schema.ts';
import { notFound } from '../handler.ts';
import type { Organization, SandboxWorld } from '../world/world.ts';

/** The organization for an identifier in any form of Guid. @throws Refusal 404 if there is none */
export function findOrganization({ organizations }: SandboxWorld, orgId: string): Organization {
  const found = organizations.get(guidKey(orgId));
  if (!found) throw notFound('Organization', orgId);
  return found;
}

/** A record of an organization. @throws Refusal 404 also for a record of another organization */
export function findRecord<R extends { readonly orgId: string }>(
  records: ReadonlyMap<string, R>,
  organization: Organization,
  thing: string,
  id: string,
): R {
  const found = records.get(id);
  if (found?.orgId !== organization.orgId) throw notFound(thing, id);
  return found;
}

/** Replaces fields of a record by those of a body that the contract names. */
export function changeFields(record: object, body: object, { properties = {} }: ObjectSchema): void {
  const changes = Object.entries(body).filter(([name]) => Object.hasOwn(properties, name));
  Object.assign(record, Object.fromEntries(changes));
}

/** A Guid in any of the five forms that .NET parses, in form D and lower case. Any other text is unchanged. */
export function guidKey(text: string): string {
  if (!isGuid(text)) return text;
  const digits = text.includes('0x')
    ? [...text.toLowerCase().matchAll(/0x([0-9a-f]+)/g)]
        .map(([, part = ''], index) => part.padStart(widths[index] ?? 2, '0'))
        .join('')
    : text.toLowerCase().replace(/[^0-9a-f]/g, '');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

// Form X splits a Guid into one number of eight digits, two of four and eight of two.
const widths = [8, 4, 4];
