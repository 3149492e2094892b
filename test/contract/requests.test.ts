/** Every request that the tool makes is valid by the OpenAPI document that it writes. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeEach, describe, expect, it } from 'vitest';
import { personForEach } from '../support/fixtures.ts';
import { type Described, type JsonSchema, resolvedPaths } from '../support/resolved.ts';
import { wordsOf } from '../support/words.ts';

const root = '11111111-1111-4111-8111-111111111111';
const empty = '77777777-7777-4777-8777-777777777777';
const policy = 'aaaaaaaa-0000-4000-8000-000000000001';
const account = {
  IIOT_CLIENT_ID: undefined,
  IIOT_CLIENT_SECRET: undefined,
  IIOT_ACCOUNT: 'ada@factory.example',
  IIOT_PASSWORD: 'correct horse',
};

type Given = { env?: Record<string, string | undefined>; stdin?: string; after?: string };

/** What people type: every command that speaks to a platform, with every option that has a part in a request. */
const lines: readonly (readonly [string, Given?])[] = [
  ['login', { env: account }],
  ['login refresh', { env: account, after: 'login' }],
  ['login m2m'],
  ['login status --check'],
  ['orgs users list --role viewer --name a --sort orgRole:desc --skip 1 --page-size 7 --limit 20'],
  ['orgs users list --all'],
  ['orgs users list --org {11111111-1111-4111-8111-111111111111}'],
  ["devices custom-info set 'Hall 3/Press 7' a=1 --null b __proto__=x ="],
  ['devices custom-info set press-0001 --body-file -', { stdin: '{"10":"","2":null}' }],
  [`policies update ${policy} --name n --description d --alert-level '>= 1,5' --alert-reset-level <1 --delay 5m`],
  [`policies update ${policy} --channel-id channel_email --recipient a@b.example --template-id template_001 --var a=b`],
  [`policies update ${policy} --subject s --content c --yes`],
  [`policies update ${policy} --body-file -`, { stdin: '{"notification":{}}' }],
  ['templates list --name a --channel-type email --tag x --tag y --skip 2 --page-size 3'],
  ['templates list --all'],
  ['templates update template_001 --name n --subject s --content c --channel-type email --tag t'],
  ['templates update template_001 --clear-tags --clear-channel-types'],
  ['channels update channel_email --name n --channel-type email --description d --enabled --template-id template_001'],
  [
    'channels update channel_email --settings-timeout 1 --settings-retry-attempts 2 --settings-retry-delay 3 --recipient a --tag t',
  ],
  ['channels update channel_email --config-file - --clear-recipients --clear-tags', { stdin: '{"any":[1]}' }],
  [
    "batches create --name n --cron '0 0 2 ? * MON-FRI 2026-2030' --enabled --no-run-on-startup --actions-file -",
    { stdin: '[{}]' },
  ],
  [`orgs delete ${empty} --org-name Storage`],
  [`orgs delete ${root} --org-name Factory`],
  ['credentials list'],
  ['credentials create --name n --expires 90d --scope s --device-id press-0001 -o json'],
  ['credentials create --name n -o json'],
  ['credentials delete credential_001 --yes'],
  ['api GET /api/v1/oauth2/client-credentials'],
];

let paths: Record<string, Record<string, Described>>;
const observed: Request[] = [];
const someone = personForEach({ observe: ({ request }) => observed.push(request) });
const ajv = new Ajv2020({ strict: false, coerceTypes: false });
// ajv-formats is CommonJS: its default export is one property deeper.
(addFormats as unknown as { default: typeof addFormats.default }).default(ajv, ['date-time', 'uri']);
ajv.addFormat('guid', /^[{(]?[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}[)}]?$/i);
ajv.addFormat('threshold', /^\s*[<>=!≤≥≠]+\s*[-+]?[.,]?\d/);
ajv.addFormat('quartz', /^\S+(\s+\S+){5,6}$/);

beforeEach(async () => {
  paths = resolvedPaths(JSON.parse((await someone.iiot(['api', '--openapi'])).stdout));
});

/** The operation of a request, and its path's parameters. The path with the fewest parameters wins. */
function operationOf(method: string, pathname: string): { described: Described; values: Record<string, string> } {
  const found = Object.entries(paths)
    .sort(([one], [other]) => one.split('{').length - other.split('{').length)
    .flatMap(([path, methods]) => {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      const match = new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '([^/]+)')}$`).exec(pathname);
      const described = methods[method.toLowerCase()];
      if (!match || !described) return [];
      return [
        {
          described,
          values: Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? '')])),
        },
      ];
    });
  const [first] = found;
  if (!first) throw new Error(`${method} ${pathname} is not in the document`);
  return first;
}

async function complaints(request: Request): Promise<{ operation: string; wrong: string[] }> {
  const url = new URL(request.url);
  const { described, values } = operationOf(request.method, url.pathname);
  const wrong: string[] = [];
  const judge = (schema: JsonSchema, value: unknown, name: string) => {
    if (!ajv.validate(schema, value)) wrong.push(`${name} ${ajv.errorsText()}`);
  };
  for (const { name, in: place, required, schema } of described.parameters) {
    const all = place === 'path' ? [values[name] ?? ''] : url.searchParams.getAll(name);
    if (required && all.length === 0) wrong.push(`${name} is missing`);
    if (schema.type === 'array') judge(schema, all, name);
    else for (const one of all) judge(schema, schema.type === 'integer' ? Number(one) : one, name);
    if (schema.type !== 'array' && all.length > 1) wrong.push(`${name} comes twice`);
  }
  const names = described.parameters.map(({ name }) => name);
  wrong.push(
    ...[...url.searchParams.keys()].filter((name) => !names.includes(name)).map((name) => `${name} is unknown`),
  );
  wrong.push(...security(request, described), ...(await bodyComplaints(request, described, judge)));
  return { operation: described.operationId, wrong };
}

function security(request: Request, described: Described): string[] {
  const kinds = described.security.flatMap((each) => (Object.keys(each).length === 0 ? ['none'] : Object.keys(each)));
  const shown = request.headers.has('authorization') ? 'bearer' : request.headers.has('cookie') ? 'cookies' : 'none';
  // Step 1 begins without any cookie.
  const allowed = described.operationId === 'authentication.externalLogin' ? [...kinds, 'none'] : kinds;
  return allowed.includes(shown) ? [] : [`${shown} is shown where ${allowed} is asked for`];
}

async function bodyComplaints(
  request: Request,
  { requestBody }: Described,
  judge: (schema: JsonSchema, value: unknown, name: string) => void,
): Promise<string[]> {
  const text = await request.text();
  if (text === '') return requestBody?.required ? ['the body is missing'] : [];
  const type = request.headers.get('content-type') ?? '';
  const schema = requestBody?.content[type]?.schema;
  if (!schema) return [`a body of type ${type} is not in the document`];
  const body = type === 'application/json' ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
  judge(schema, body, 'the body');
  if (schema.additionalProperties !== undefined) return [];
  return Object.keys(body)
    .filter((name) => !Object.hasOwn(schema.properties ?? {}, name))
    .map((name) => `the body's ${name} is not in the document`);
}

async function judgedOf(line: string, { after, ...given }: Given = {}) {
  if (after !== undefined) await someone.iiot(wordsOf(after), given);
  observed.length = 0;
  await someone.iiot(wordsOf(line), given);
  return await Promise.all(observed.map(complaints));
}

describe('the OpenAPI document', () => {
  it.each(lines.map(([line, given = {}]) => [line, given] as const))(
    'describes each request of iiot %s',
    async (line, given: Given) => {
      const judged = await judgedOf(line, given);
      expect(judged.length).toBeGreaterThan(0);
      expect(judged.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
    },
  );

  it('has only operations that these commands request', async () => {
    const made = new Set<string>();
    for (const [line, given] of lines) for (const { operation } of await judgedOf(line, given)) made.add(operation);
    const all = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    expect(all.filter((id) => !made.has(id))).toEqual([]);
  });
});
