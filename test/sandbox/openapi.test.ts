import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openapi } from '../../src/contract/openapi.ts';
import { character } from '../support/any-text.ts';
import { type Described, type JsonSchema, resolvedPaths } from '../support/resolved.ts';
import { startWithCallers } from './browser.ts';

type Drawn = { path: Record<string, string>; query: [string, string][]; body: unknown; caller: Caller };
type Caller = 'admin' | 'viewer' | 'machine' | 'nobody';

const operations = Object.entries(resolvedPaths(openapi())).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({ path, method: method.toUpperCase(), described })),
);

/** What an operation may take for good, by the name of the field. */
const good: Readonly<Record<string, readonly string[]>> = {
  orgId: ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'],
  orgName: ['Line 7', 'Factory'],
  alertPolicyId: ['aaaaaaaa-0000-4000-8000-000000000001'],
  deviceId: ['press-0001', 'Hall 3/Press 7'],
  templateId: ['template_001'],
  channelId: ['channel_email', 'channel_webhook', 'channel_unreachable'],
  clientCredentialId: ['credential_001'],
  tenantPath: ['factory'],
  appPath: ['console'],
  form_action: ['signin-oidc'],
  returnUrl: ['http://factory.test/factory/console'],
  sorting: ['name desc'],
  alertLevel: ['>80'],
  alertResetLevel: ['<75'],
  CronExpression: ['0 0 2 * * ?'],
  expiredAt: ['2027-01-01T00:00:00Z'],
  client_id: ['sandbox-machine'],
  client_secret: ['sandbox-secret'],
};
const segment = fc.string({ unit: character, minLength: 1 }).filter((text) => !/^\.\.?$|\p{Surrogate}/u.test(text));
const text = fc.oneof(
  fc.string({ unit: character, maxLength: 20 }),
  fc.constantFrom('', '{{a', 'x'.repeat(300), 'refresh_token', '__proto__'),
);

function mostly(name: string, otherwise: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const known = good[name];
  if (!known) return otherwise;
  return fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: otherwise });
}

function fitting(name: string, schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...(schema.enum as unknown[]));
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'string':
      return mostly(name, text);
    case 'integer':
      return fc.integer({ min: -1, max: 1200 });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(fitting('', schema.items as JsonSchema), { maxLength: 3 });
    case 'object':
      return objectOf(schema);
    default:
      return fc.jsonValue();
  }
}

/** All fields, some fields, some with any JSON in them, or fields that nobody knows. */
function objectOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const fields = Object.fromEntries(properties.map(([name, property]) => [name, fitting(name, property)]));
  const wrong = Object.fromEntries(properties.map(([name]) => [name, fc.jsonValue()]));
  const free = fitting('', (schema.additionalProperties ?? {}) as JsonSchema);
  return fc.oneof(
    fc.record(fields),
    fc.record(fields, { requiredKeys: [] }),
    fc
      .tuple(fc.record(fields), fc.record(wrong, { requiredKeys: [] }))
      .map(([some, others]) => ({ ...some, ...others })),
    fc.dictionary(text, free, { maxKeys: 4 }),
  );
}

function drawnFor({ parameters, requestBody }: Described): fc.Arbitrary<Drawn> {
  const [content] = Object.values(requestBody?.content ?? {});
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const path = parameters.filter((parameter) => parameter.in === 'path');
  return fc.record({
    path: fc.record(Object.fromEntries(path.map(({ name }) => [name, mostly(name, segment).map(String)]))),
    query: fc
      .record(Object.fromEntries(query.map(({ name, schema }) => [name, fitting(name, schema)])), { requiredKeys: [] })
      .map((record) => Object.entries(record).map(([name, value]): [string, string] => [name, written(value)])),
    body: content ? fc.option(fitting('', content.schema), { nil: undefined, freq: 10 }) : fc.constant(undefined),
    caller: fc.constantFrom<Caller>('admin', 'admin', 'viewer', 'machine', 'machine', 'nobody'),
  });
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });

/** Those that need the cookies of a login succeed in no single request. */
const needCookies = [
  '/identity/api/v1.0/account/login',
  '/{form_action}',
  '/{tenantPath}/{appPath}/api/v1/auth/tokens',
];

it.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
  'a sandbox answers random requests for %s as its OpenAPI document says, and never with 500',
  async (_, { path, method, described }) => {
    const callers = await startWithCallers({ users: 40, devices: 5 });
    const browsers = { ...callers, nobody: callers.browse() };
    const seen = new Set<number>();
    const form = Object.keys(described.requestBody?.content ?? {})[0]?.includes('form') === true;
    const request = async ({ path: segments, query, body, caller }: Drawn) => {
      const target = path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(segments[name] ?? ''));
      const words = new URLSearchParams(query).toString();
      const full = words ? `${target}?${words}` : target;
      if (form)
        return browsers[caller].form(
          full,
          Object.fromEntries(Object.entries(Object(body ?? {})).map(([key, value]) => [key, written(value)])),
        );
      return browsers[caller].send(method, full, body === undefined ? undefined : JSON.stringify(body));
    };
    await fc.assert(
      fc.asyncProperty(drawnFor(described), async (drawn) => {
        const answer = await request(drawn);
        const allowed = described.responses[answer.status] ?? described.responses.default;
        expect([500, 501, 502, 504]).not.toContain(answer.status);
        seen.add(answer.status);
        const received = await answer.text();
        const type = answer.headers.get('content-type')?.split(';')[0];
        if (!type) {
          expect(received).toBe('');
          return;
        }
        const schema = allowed?.content?.[type]?.schema;
        expect({ type, documented: schema !== undefined }).toEqual({ type, documented: true });
        const value: unknown = type === 'application/json' ? JSON.parse(received) : received;
        expect(ajv.validate(schema ?? false, value), ajv.errorsText()).toBe(true);
      }),
      { numRuns: Math.ceil(1000 / operations.length), seed: 7 },
    );
    const succeeded = [...seen].some((status) => status < 400);
    expect(succeeded).toBe(!needCookies.includes(path));
  },
);
