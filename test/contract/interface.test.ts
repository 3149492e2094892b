/** Typed by hand from the interface's tables; nothing here is derived from the definitions. */
import { describe, expect, it } from 'vitest';
import { ssoBaseUrl, userTokenLifetime } from '../../src/contract/authentication.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { interfaceVersion, operations } from '../../src/contract/operations.ts';

const uuid = { in: 'path', type: 'string', format: 'guid', required: true };
const segment = { in: 'path', type: 'string', required: true };
const text = { type: 'string' };
const texts = { type: 'array', items: { type: 'string' } };
/** "array", and no element shown. */
const list = { type: 'array', items: {} };
const channelType = { type: 'string', enum: ['email', 'teams', 'linemessage', 'webhook'] };
const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

const written = {
  'orgs.users.list': {
    request: 'GET /api/v1/orgs/{orgId}/users',
    security: 'bearer',
    params: {
      orgId: uuid,
      skipCount: { in: 'query', type: 'integer', minimum: 0 },
      maxResultCount: { in: 'query', type: 'integer', minimum: 1, maximum: 1000 },
      sorting: { in: 'query', type: 'string' },
      orgRole: { in: 'query', type: 'string', enum: ['admin', 'operator', 'viewer'] },
      name: { in: 'query', type: 'string' },
    },
    statuses: [200, 400, 404],
  },
  'orgs.delete': {
    request: 'DELETE /api/v1/orgs/{orgId}',
    security: 'bearer',
    params: { orgId: uuid, orgName: { in: 'query', type: 'string', required: true } },
    statuses: [204, 400, 403, 404],
  },
  'batches.create': {
    request: 'POST /api/v1/orgs/{orgId}/batches',
    security: 'bearer',
    params: { orgId: segment },
    body: {
      type: json,
      required: ['orgId', 'Name', 'CronExpression', 'IsEnabled', 'RunOnStartup'],
      fields: {
        orgId: text,
        Name: { type: 'string', maxLength: 100 },
        CronExpression: { type: 'string', format: 'quartz' },
        IsEnabled: { type: 'boolean' },
        RunOnStartup: { type: 'boolean' },
        Actions: { type: 'array', items: {} },
      },
    },
    statuses: [201, 400, 404, 409],
  },
  'devices.customInfo.set': {
    request: 'PUT /platform/solutions/api/v1/devices/{deviceId}/custom-info',
    security: 'bearer',
    params: { deviceId: segment },
    body: { type: json, required: [], rest: { type: ['string', 'null'] } },
    statuses: [204, 404],
  },
  'policies.update': {
    request: 'PATCH /api/v1/orgs/{orgId}/alert-policies/{alertPolicyId}',
    security: 'bearer',
    params: { orgId: segment, alertPolicyId: uuid },
    body: {
      type: json,
      required: [],
      atLeast: 1,
      fields: {
        policyName: text,
        description: text,
        alertLevel: { type: 'string', format: 'threshold' },
        alertResetLevel: { type: 'string', format: 'threshold' },
        delay: { type: 'integer', minimum: 0, unit: 'seconds' },
        notification: {
          type: 'object',
          properties: {
            channelIds: list,
            recipients: list,
            templateId: text,
            variables: { type: 'object', additionalProperties: {} },
            subject: text,
            content: text,
          },
          dependentRequired: { subject: ['content'], content: ['subject'], variables: ['templateId'] },
          not: { anyOf: [{ required: ['templateId', 'subject'] }, { required: ['templateId', 'content'] }] },
        },
      },
    },
    statuses: [200, 400, 404],
  },
  'templates.list': {
    request: 'GET /api/v1/orgs/{orgId}/notifications/templates',
    security: 'bearer',
    params: {
      orgId: segment,
      skipCount: { in: 'query', type: 'integer', minimum: 0, default: 0 },
      maxResultCount: { in: 'query', type: 'integer', minimum: 1, maximum: 100, default: 20 },
      name: { in: 'query', type: 'string' },
      channelType: { in: 'query', ...channelType },
      tags: { in: 'query', ...texts },
    },
    statuses: [200, 400],
  },
  'templates.update': {
    request: 'PATCH /api/v1/orgs/{orgId}/notifications/templates/{templateId}',
    security: 'bearer',
    params: { orgId: segment, templateId: segment },
    body: {
      type: json,
      required: [],
      fields: {
        name: { type: 'string', maxLength: 200 },
        subject: { type: 'string', maxLength: 500 },
        content: { type: 'string', maxLength: 50_000 },
        channelTypes: { type: 'array', items: channelType },
        tags: list,
      },
    },
    statuses: [200, 400, 404],
  },
  'channels.update': {
    request: 'PATCH /api/v1/orgs/{orgId}/notifications/channels/{channelId}',
    security: 'bearer',
    params: { orgId: segment, channelId: segment },
    body: {
      type: json,
      required: [],
      fields: {
        name: text,
        channelType,
        description: text,
        isEnabled: { type: 'boolean' },
        commonSettings: { type: 'object', properties: { timeout: {}, retryAttempts: {}, retryDelay: {} } },
        config: { type: 'object' },
        templateId: text,
        recipients: list,
        tags: list,
      },
    },
    statuses: [200, 400, 404, 503],
  },
  'authentication.externalLogin': {
    request: 'GET /{tenantPath}/portal/external-login',
    security: 'cookies',
    params: { tenantPath: segment, returnUrl: { in: 'query', type: 'string', required: true } },
    statuses: [200, 302],
  },
  'authentication.accountLogin': {
    request: 'POST /identity/api/v1.0/account/login',
    security: 'cookies',
    params: {},
    body: {
      type: json,
      required: ['account', 'password', 'tenantId'],
      fields: { account: text, password: text, tenantId: text },
    },
    statuses: [200, 400],
  },
  'authentication.formPost': {
    request: 'POST /{form_action}',
    security: 'cookies',
    params: { form_action: segment },
    body: { type: form, required: ['code', 'state', 'iss'], fields: { code: text, state: text, iss: text } },
    statuses: [302],
  },
  'authentication.createToken': {
    request: 'POST /{tenantPath}/{appPath}/api/v1/auth/tokens',
    security: 'cookies',
    params: { tenantPath: segment, appPath: segment },
    statuses: [200],
  },
  'authentication.refreshToken': {
    request: 'POST /{tenantPath}/{appPath}/api/v1/auth/tokens',
    security: 'none',
    params: {
      tenantPath: segment,
      appPath: segment,
      grant_type: { in: 'query', type: 'string', enum: ['refresh_token'], required: true },
    },
    body: { type: json, required: ['refreshToken'], fields: { refreshToken: text } },
    statuses: [200, 400],
  },
  'authentication.machineToken': {
    request: 'POST /identity/connect/token',
    security: 'none',
    params: {},
    body: {
      type: form,
      required: ['grant_type', 'client_id', 'client_secret'],
      fields: { grant_type: { type: 'string', enum: ['client_credentials'] }, client_id: text, client_secret: text },
    },
    statuses: [200, 400, 401],
  },
  'credentials.create': {
    request: 'POST /api/v1/oauth2/client-credentials',
    security: 'bearer',
    params: {},
    body: {
      type: json,
      required: ['name'],
      fields: {
        name: text,
        expiredAt: { type: ['string', 'null'], format: 'date-time' },
        scopes: texts,
        deviceIds: texts,
      },
    },
    statuses: [201, 400],
  },
  'credentials.list': {
    request: 'GET /api/v1/oauth2/client-credentials',
    security: 'bearer',
    params: {},
    statuses: [200],
  },
  'credentials.delete': {
    request: 'DELETE /api/v1/oauth2/client-credentials/{clientCredentialId}',
    security: 'bearer',
    params: { clientCredentialId: segment },
    statuses: [204, 404],
  },
};

/** A definition without the words that are for people and shells alone. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const words = Object.entries(value).filter(
    ([name, inner]) =>
      !(['title', 'description', 'flag', 'negative', 'examples', 'whole'].includes(name) && typeof inner !== 'object'),
  );
  return Object.fromEntries(words.map(([name, inner]) => [name, plain(inner)]));
}

function asWritten({ method, path, security, params, body, bodyType = json, responses }: Operation): unknown {
  return {
    request: `${method} ${path}`,
    security,
    params: plain(params),
    ...(body && {
      body: {
        type: bodyType,
        required: body.required ?? [],
        ...(body.minProperties !== undefined && { atLeast: body.minProperties }),
        ...(body.properties && { fields: plain(body.properties) }),
        ...(body.additionalProperties && { rest: plain(body.additionalProperties) }),
      },
    }),
    statuses: Object.keys(responses).map(Number),
  };
}

const defined: readonly Operation[] = operations;

describe('the interface as data', () => {
  it('has exactly the operations of the interface', () => {
    expect(defined.map(({ id }) => id)).toEqual(Object.keys(written));
  });

  it.each(Object.entries(written))('has %s as the interface describes it', (id, said) => {
    const operation = defined.find((each) => each.id === id);
    expect(operation && asWritten(operation)).toEqual(said);
  });

  it('has version 1.1.1, the login path identity and tokens of two hours', () => {
    expect([interfaceVersion, ssoBaseUrl, userTokenLifetime]).toEqual(['1.1.1', 'identity', 7200]);
  });

  it('can be printed as JSON without a loss', () => {
    expect(JSON.parse(JSON.stringify(operations))).toEqual(operations);
  });
});
