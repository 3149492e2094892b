import { isRecord, type JsonRecord } from '../text/record.ts';
import { sessionCookie } from './authentication.ts';
import type { Operation } from './operation.ts';
import { interfaceVersion, operations } from './operations.ts';
import type { Schema } from './schema.ts';
import { error } from './shared.ts';

/** The whole interface as an OpenAPI 3.1 document. The schema of a value that the interface does not show is empty, and accepts anything. */
export function openapi(): JsonRecord {
  const schemas: Record<string, unknown> = {};
  return {
    openapi: '3.1.1',
    info: {
      title: 'Organization, device and notification management',
      version: interfaceVersion,
      description: 'Organizations and their users, devices, alert policies, notifications, batches and access.',
    },
    servers: [{ url: '/', description: 'The base URL of the platform' }],
    tags: Object.entries(subjects).map(([name, description]) => ({ name, description })),
    paths: withRefs(paths(), schemas),
    components: {
      schemas,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An access token of a user or of a client credential' },
        cookies: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookie,
          description: 'The cookies of the login, kept over all of its five steps; step 1 begins without any',
        },
      },
    },
  };
}

/** Moves each schema with a title into `schemas`, and returns the value with references in their place. */
function withRefs(value: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((each) => withRefs(each, schemas));
  if (!isRecord(value)) return value;
  const { title, ...rest } = value;
  const inner = Object.fromEntries(Object.entries(rest).map(([name, each]) => [name, withRefs(each, schemas)]));
  // A field may be called title, too.
  if (typeof title !== 'string') return title === undefined ? inner : { ...inner, title: withRefs(title, schemas) };
  schemas[title] = inner;
  return { $ref: `#/components/schemas/${title}` };
}

/** The groups of operations, in the order of the document. */
const subjects = {
  orgs: 'Organizations and their users',
  batches: 'Actions on a schedule',
  devices: 'Custom information of devices',
  policies: 'Alert policies',
  templates: 'Notification templates',
  channels: 'Notification channels',
  authentication: 'Logins of people and of machines',
  credentials: 'Client credentials of machines',
} as const;

function paths(): JsonRecord {
  const found: Record<string, JsonRecord> = {};
  for (const { path, method } of operations) {
    const group = operations.filter((each) => each.path === path && each.method === method);
    found[path] = { ...found[path], [method.toLowerCase()]: describe(group) };
  }
  return found;
}

/** Merges operations with the same path and method (step 5 and the renewal), which are one in OpenAPI. Inputs that not all of them have are optional. */
function describe(group: readonly Operation[]): JsonRecord {
  const [first] = group;
  const bodies = group.filter(({ body }) => body);
  return {
    operationId: first?.id,
    tags: first?.id.split('.', 1) ?? [],
    summary: group.map(({ summary }) => summary).join('; or '),
    description: group.map(({ description }) => description).join('\n\n'),
    security: [...new Set(group.map(({ security }) => security))].map((kind) =>
      kind === 'none' ? {} : { [kind]: [] },
    ),
    parameters: parameters(group),
    ...(bodies.length > 0 && { requestBody: requestBody(bodies, bodies.length === group.length) }),
    responses: responses(group),
  };
}

function parameters(group: readonly Operation[]): JsonRecord[] {
  const names = new Set(group.flatMap(({ params }) => Object.keys(params)));
  return [...names].map((name) => {
    const holders = group.map(({ params }) => params[name]);
    const parameter = holders.find((holder) => holder !== undefined);
    const { in: place, required: _, ...schema } = parameter ?? {};
    return {
      name,
      in: place,
      required: holders.every((holder) => holder?.required === true),
      description: parameter?.description,
      schema: jsonSchema(schema as Schema), // a parameter is a schema and the two keywords removed here
    };
  });
}

function requestBody(group: readonly Operation[], required: boolean): JsonRecord {
  const content = group.map(({ bodyType = 'application/json', body }) => [
    bodyType,
    { schema: body && jsonSchema(body) },
  ]);
  return { required, content: Object.fromEntries(content) };
}

function responses(group: readonly Operation[]): JsonRecord {
  const byStatus: Record<string, unknown> = {};
  for (const operation of group) {
    if (operation.security === 'bearer')
      byStatus[401] = { description: 'The access token is missing or not valid', ...refused };
    for (const [status, description] of Object.entries(operation.responses)) {
      byStatus[status] = { description, ...content(operation, Number(status)) };
    }
  }
  return { ...byStatus, default: { description: 'Refused; the interface does not show the body', ...refused } };
}

const refused = { content: { 'application/json': { schema: jsonSchema(error) } } };

function content(operation: Operation, status: number): JsonRecord {
  if (status === 204 || status === 302) return {};
  if (status >= 300) return refused;
  const { responseType, responseSchema } = operation;
  if (responseType) return { content: { [responseType]: { schema: { type: 'string' } } } };
  return { content: { 'application/json': { schema: responseSchema ? schemaOfResponse(responseSchema) : {} } } };
}

/** The schema of a response. The interface does not show how a page of a list is wrapped, so items may come alone or inside an object. */
function schemaOfResponse(responseSchema: Schema): JsonRecord {
  const schema = jsonSchema(responseSchema);
  if (responseSchema.type !== 'array') return schema;
  const wrapped = {
    title: `${responseSchema.items.title}Page`,
    type: 'object',
    description: responseSchema.description,
    required: ['items'],
    properties: { items: schema, totalCount: { type: 'integer', description: 'How many there are in all' } },
  };
  return { anyOf: [wrapped, schema] };
}

/** A schema of the contract as JSON Schema, without the keywords of the command line. The unit becomes an extension. */
function jsonSchema(schema: Schema): JsonRecord {
  const { flag: _flag, negative: _negative, whole: _whole, unit, ...words } = schema as JsonRecord; // keywords of some kinds of schema only
  const inner: Record<string, unknown> = { ...words, ...(unit !== undefined && { 'x-unit': unit }) };
  // Generators of clients would take an object without properties for an empty one.
  if (schema.type === 'object' && !schema.properties) inner.additionalProperties = true;
  if ('items' in schema) inner.items = jsonSchema(schema.items);
  if ('properties' in schema) {
    inner.properties = Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, property]) => [name, jsonSchema(property)]),
    );
  }
  if ('additionalProperties' in schema && schema.additionalProperties) {
    inner.additionalProperties = jsonSchema(schema.additionalProperties);
  }
  return inner;
}
