/** One port with two platforms, /prod and /staging, each with the tenants acme and globex: IDs are the same in all four, secrets and clients are not. */
import type { IncomingMessage } from 'node:http';
import type { Login } from '../../src/store/credentials.ts';
import { listening } from './listening.ts';

const prefixes = ['/prod', '/staging'] as const;
export const tenantIds = {
  acme: 'aaaaaaaa-0000-4000-8000-000000000001',
  globex: 'bbbbbbbb-0000-4000-8000-000000000002',
} as const;
export const org = '11111111-1111-4111-8111-111111111111';
const hours = 3_600_000;

/** "/prod acme" */
export type Where = `${(typeof prefixes)[number]} ${keyof typeof tenantIds}`;
export type Arrived = {
  /** "PUT /prod/platform/…" */
  readonly request: string;
  /** To whom the secrets in its headers and its body belong. */
  readonly owners: readonly Where[];
  /** "ada@x.test" */
  readonly account: string | undefined;
  readonly body: string;
};
type Credential = { readonly clientCredentialId: string; readonly clientId: string; readonly name: string };
type Answer = readonly [status: number, body?: unknown, headers?: Readonly<Record<string, string>>];

export type Tenants = Awaited<ReturnType<typeof openTenants>>;

/** @param claims whether tokens are JWTs that tell the tenant; others tell nothing */
export async function openTenants({ claims = true } = {}) {
  const arrived: Arrived[] = [];
  const secrets = new Map<string, { readonly where: Where; readonly account: string | undefined }>();
  const expired = new Set<string>();
  const known = new Map<Where, Map<string, Credential & { readonly secret: string }>>();
  const own: { before?: ((request: string) => Promise<Answer | undefined> | Answer | undefined) | undefined } = {};

  const secretOf = (where: Where, account: string | undefined, text: string) => {
    secrets.set(text, { where, account });
    return text;
  };
  function token(where: Where, account: string): string {
    const who = account.includes('@') ? { email: account } : { client_id: account };
    const told = { n: secrets.size, ...who, tenantid: tenantIds[tenantOf(where)] };
    const [payload = ''] = [told].map((each) => Buffer.from(JSON.stringify(each)).toString('base64url'));
    return secretOf(where, account, claims ? `h.${payload}.s` : `opaque-${secrets.size}x`);
  }
  function credential(where: Where, name: string, given: { clientId?: string; secret?: string } = {}) {
    const all = known.get(where) ?? new Map();
    known.set(where, all);
    const tag = `${where.slice(1).replace(' ', '-')}-${all.size + 1}`;
    const { clientId = `client-${tag}`, secret = `secret-${tag}x` } = given;
    if (!given.secret) secretOf(where, clientId, secret);
    const made = { clientCredentialId: `credential_00${all.size + 1}`, clientId, name, secret };
    all.set(made.clientCredentialId, made);
    return made;
  }
  for (const where of places()) {
    credential(where, `machine of ${where}`);
    secretOf(where, undefined, passwordOf(where));
  }

  function answer(prefix: string, path: string, { headers, method }: IncomingMessage, body: string): Answer {
    const tenant = /^\/(acme|globex)\//.exec(path)?.[1];
    const session = /Identity\.Permission=([^;]+)/.exec(headers.cookie ?? '')?.[1] ?? '';
    if (path.includes('/external-login')) {
      const id = tenantIds[tenant as keyof typeof tenantIds];
      if (!session) return [302, '', { location: `${prefix}/login?tenantId=${id}`, 'set-cookie': 'ctx=1; Path=/' }];
      const iss = `http://${headers.host}${prefix}/identity`;
      const fields = Object.entries({ code: session, state: 's', iss });
      const inputs = fields.map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`);
      return [200, `<form method="post" action="${prefix}/signin">${inputs.join('')}</form>`];
    }
    if (path === '/identity/api/v1.0/account/login') {
      const { account, password, tenantId } = JSON.parse(body);
      const where = places().find((each) => each.startsWith(`${prefix} `) && tenantIds[tenantOf(each)] === tenantId);
      if (!where || password !== passwordOf(where)) return [400, { error: { message: 'wrong password' } }];
      const cookie = secretOf(where, account, `cookie-${secrets.size}x`);
      return [200, {}, { 'set-cookie': `Identity.Permission=${cookie}; Path=/` }];
    }
    if (path === '/signin') return [302, '', { location: `${prefix}/`, 'set-cookie': 'SvcOidc.Login=1; Path=/' }];
    if (path.includes('/auth/tokens')) {
      const found = secrets.get(session || JSON.parse(body || '{}').refreshToken);
      if (found?.where !== `${prefix} ${tenant}`) return [401, {}];
      return [200, { ...tokens(found.where, found.account ?? ''), tokenType: 'Bearer', expiresIn: 7200 }];
    }
    if (path === '/identity/connect/token') {
      const [id, secret] = ['client_id', 'client_secret'].map((name) => new URLSearchParams(body).get(name));
      for (const where of places().filter((each) => each.startsWith(`${prefix} `)))
        for (const each of known.get(where)?.values() ?? [])
          if (each.clientId === id && each.secret === secret)
            return [200, { access_token: token(where, each.clientId), token_type: 'Bearer', expires_in: 3600 }];
      return [401, { error: 'invalid_client' }];
    }
    const bearer = headers.authorization?.replace('Bearer ', '') ?? '';
    const where = secrets.get(bearer)?.where;
    if (!where?.startsWith(`${prefix} `) || expired.has(bearer)) return [401, {}];
    return record(where, method ?? '', path, body);
  }

  function tokens(where: Where, account: string) {
    return { accessToken: token(where, account), refreshToken: secretOf(where, account, `refresh-${secrets.size}x`) };
  }

  function record(where: Where, method: string, path: string, body: string): Answer {
    const last = path.split('/').at(-1) ?? '';
    if (`${path}${body}`.includes('bad')) return [404, { error: { message: 'Not found' } }];
    const all = known.get(where) ?? new Map<string, Credential & { readonly secret: string }>();
    if (last === 'client-credentials') {
      if (method === 'GET') return [200, [...all.values()].map(({ secret: _, ...each }) => ({ ...each, scopes: [] }))];
      const { secret: clientSecret, ...made } = credential(where, JSON.parse(body).name);
      return [200, { ...made, clientSecret }];
    }
    if (path.includes('/client-credentials/')) return [all.delete(last) ? 204 : 404];
    if (last === 'users') return [200, { items: [{ userId: `only-${where}`, name: 'Ada', orgRole: 'admin' }] }];
    const template = { templateId: 'template_001', name: 'Pressure', subject: 'S', content: 'Hello' };
    if (last === 'templates') return [200, { items: [template] }];
    if (last === 'custom-info') return [204];
    return [method === 'POST' ? 201 : 200, { templateId: last, channelId: last, batchId: 'b1', ...JSON.parse(body) }];
  }

  const { url: origin, close } = await listening(async (message, response) => {
    const [body, sent] = [Buffer.concat(await message.toArray()).toString(), JSON.stringify(message.headers)];
    const found = [...secrets].filter(([text]) => sent.includes(text) || body.includes(text));
    const request = `${message.method} ${message.url}`;
    const owners = [...new Set(found.map(([, { where }]) => where))];
    arrived.push({ request, owners, account: found.at(-1)?.[1].account, body });
    const { pathname } = new URL(message.url ?? '', 'http://x');
    const prefix = prefixes.find((each) => pathname.startsWith(`${each}/`)) ?? '';
    const [status, value = '', headers] =
      (await own.before?.(request)) ?? answer(prefix, pathname.slice(prefix.length), message, body);
    const type = { 'content-type': typeof value === 'string' ? 'text/html' : 'application/json' };
    response.writeHead(status, { date: new Date(noon).toUTCString(), ...(value !== '' && type), ...headers });
    response.end(typeof value === 'string' ? value : JSON.stringify(value));
  });
  const baseOf = (where: Where) => origin + where.split(' ')[0];

  return {
    origin,
    arrived,
    own,
    token,
    credential,
    baseOf,
    /** Where requests went: the platform of each, and the tenant that its secrets are of, or its path names. Those of another platform are told. */
    went(): string[] {
      const told = arrived.map(({ request, owners }) => {
        const [, prefix = '', tenant = ''] = /^\w+ (\/\w+)(?:\/(acme|globex))?/.exec(request) ?? [];
        const own = owners.length > 0 ? owners.join(' and ') : `${prefix} ${tenant}`.trim();
        return own.startsWith(prefix) && owners.length < 2 ? own : `${prefix} with secrets of ${own}`;
      });
      return [...new Set(told)].toSorted();
    },
    /** From now on the platform refuses the tokens that it has given for a place so far. */
    expire(place: Where) {
      for (const [text, { where }] of secrets) if (where === place) expired.add(text);
    },
    /** A login that was made an hour ago. */
    login(where: Where, account: string): Login {
      const base = baseOf(where);
      const times = { issuedAt: noon - hours, expiresAt: noon + hours };
      const { clientId, secret } =
        [...(known.get(where)?.values() ?? [])].find((each) => each.clientId === account) ?? {};
      if (clientId)
        return { flow: 'm2m', base, clientId, clientSecret: secret, accessToken: token(where, clientId), ...times };
      const tenant = tenantOf(where);
      return { flow: 'user', base, tenant, app: 'console', account, ...tokens(where, account), ...times };
    },
    close,
  };
}

/** The clock of a person in the tests. */
const noon = Date.UTC(2026, 0, 1, 12);

export function places(): Where[] {
  return prefixes.flatMap((prefix) => (['acme', 'globex'] as const).map((tenant): Where => `${prefix} ${tenant}`));
}

export function tenantOf(where: Where): keyof typeof tenantIds {
  return where.endsWith('acme') ? 'acme' : 'globex';
}

export function passwordOf(where: Where): string {
  return `password-${where.slice(1).replace(' ', '-')}`;
}
