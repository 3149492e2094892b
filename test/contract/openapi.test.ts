import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { openapi } from '../../src/contract/openapi.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/operations.ts';

type Described = {
  parameters: { name: string; schema: { enum?: string[] } }[];
  requestBody?: object;
  responses: Record<string, { description: string }>;
  security: object[];
};
type Document = {
  openapi: string;
  info: { version: string };
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, { required?: string[]; properties?: Record<string, unknown> }> };
};

const document = openapi() as unknown as Document; // the members read here are what the tests are about

describe('the OpenAPI document', () => {
  it('is valid by the schema of OpenAPI 3.1', async () => {
    const copy = structuredClone(openapi());
    expect(await new Validator().validate(copy)).toEqual({ valid: true });
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info.version).toBe('1.1.1');
  });

  it('states limits, enums, required fields and statuses', () => {
    const users = document.paths['/api/v1/orgs/{orgId}/users']?.get;
    const description = 'Users to ask for at a time';
    expect(users?.parameters.find(({ name }) => name === 'maxResultCount')).toEqual({
      name: 'maxResultCount',
      in: 'query',
      required: false,
      description,
      schema: { type: 'integer', minimum: 1, maximum: 1000, description },
    });
    const roles = users?.parameters.find(({ name }) => name === 'orgRole')?.schema.enum;
    expect(roles?.join()).toBe('admin,operator,viewer');
    expect(Object.keys(users?.responses ?? {})).toEqual(['200', '400', '401', '404', 'default']);
    expect(users?.security).toEqual([{ bearer: [] }]);
    const { required } = document.components.schemas.CreateUpdateBatchByOrgIdDto ?? {};
    expect(required?.join()).toBe('orgId,Name,CronExpression,IsEnabled,RunOnStartup');
  });

  it('refers to one schema for each name', () => {
    const { schemas } = document.components;
    const batch = document.paths['/api/v1/orgs/{orgId}/batches']?.post;
    const ref = (name: string) => ({
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
    });
    expect(batch?.requestBody).toEqual({ required: true, ...ref('CreateUpdateBatchByOrgIdDto') });
    expect(batch?.responses[201]).toEqual({ description: 'Created', ...ref('BatchDto') });
    expect(batch?.responses[409]).toMatchObject(ref('Error'));
    expect(schemas.AlertPolicy?.properties?.notification).toEqual({ $ref: '#/components/schemas/Notification' });
    // A field of a schema stands in no other place: whole schemas are told once.
    const text = JSON.stringify(document);
    for (const field of ['orgRole', 'clientSecret', 'CronExpression', 'alertResetLevel', 'accessToken'])
      expect([field, text.split(`"${field}":{`).length - 1]).toEqual([field, 1]);
  });

  it('has a schema for each named type and for each page of a list', () => {
    const told = new Map<string, Set<string>>();
    const walk = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const { title } = value as { title?: unknown };
      if (typeof title === 'string') told.set(title, (told.get(title) ?? new Set()).add(JSON.stringify(value)));
      for (const inner of Object.values(value)) walk(inner);
    };
    for (const { body, responseSchema } of operations as readonly Operation[]) walk([body, responseSchema]);
    expect([...told].filter(([, schemas]) => schemas.size !== 1)).toEqual([]);
    const pages = (operations as readonly Operation[]).flatMap(({ responseSchema: schema }) =>
      schema?.type === 'array' ? [`${schema.items.title}Page`] : [],
    );
    expect(Object.keys(document.components.schemas).sort()).toEqual([...told.keys(), ...pages, 'Error'].sort());
  });

  it('contains no names of options', () => {
    expect(JSON.stringify(document)).not.toMatch(/"(flag|negative)":/);
  });
});
