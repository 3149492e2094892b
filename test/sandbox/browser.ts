import { type FaultRule, readFault } from '../../src/sandbox/faults.ts';
import { createPlatform, type PlatformOptions } from '../../src/sandbox/platform.ts';
import { madeForEach } from '../support/fixtures.ts';
import { platformFetch } from '../support/platform-fetch.ts';

export type Browser = ReturnType<typeof createBrowser>;

const origin = 'http://factory.test';
export const root = '11111111-1111-4111-8111-111111111111';
export const start = Date.UTC(2026, 0, 15, 8, 0, 0);

/** A batch as the interface takes it. */
export const night = {
  ...{ orgId: root, Name: 'Night report', CronExpression: '0 0 2 * * ?' },
  ...{ IsEnabled: true, RunOnStartup: false },
};

/** A platform whose clock the test moves by `time.now`. */
export function startPlatform(options: Partial<PlatformOptions> = {}) {
  const time = { now: start };
  const platform = createPlatform({ now: () => time.now, users: 120, devices: 20, ...options });
  return {
    time,
    platform,
    browse: (token?: string) => createBrowser((request) => platformFetch(platform, request), token),
  };
}

/** A caller of the platform that knows nothing but addresses: it keeps cookies, and shows a bearer token where it is given one. */
export function createBrowser(fetch: (request: Request) => Promise<Response>, token?: string, base = origin) {
  const cookies = new Map<string, string>();
  const exchange = async (path: string, init: RequestInit & { headers: Record<string, string> }) => {
    const headers = { ...init.headers };
    if (cookies.size > 0) headers.cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    if (token) headers.authorization = `Bearer ${token}`;
    const url = path.startsWith('http') ? path : base + path;
    const response = await fetch(new Request(url, { ...init, headers, redirect: 'manual' }));
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return response;
  };
  return {
    cookies,
    get: (path: string, headers: Record<string, string> = {}) => exchange(path, { method: 'GET', headers }),
    send: (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      body === undefined
        ? exchange(path, { method, headers })
        : exchange(path, {
            method,
            headers: { 'content-type': 'application/json', ...headers },
            body: typeof body === 'string' ? body : JSON.stringify(body),
          }),
    form: (path: string, fields: Record<string, string>) =>
      exchange(path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(fields).toString(),
      }),
  };
}

export const externalLogin =
  '/factory/portal/external-login?returnUrl=http%3A%2F%2Ffactory.test%2Ffactory%2Fconsole' as const;

/** The hidden fields and the action of step 3's page. */
export function readFormPost(html: string) {
  const form = /<form class='continue' method='post' action='([^']*)'[^>]*>([\s\S]*?)<\/form>/.exec(html);
  const decode = (text = '') => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  const fields = Object.fromEntries(
    [...(form?.[2] ?? '').matchAll(/<input value="([^"]*)" type="hidden" name="(\w+)"\/>/g)].map(([, value, name]) => [
      name ?? '',
      decode(value),
    ]),
  );
  return { action: decode(form?.[1]), fields };
}

/** Steps 1 to 4; step 5 is left to the caller. */
export async function walkToTokens(browser: Browser, account = 'ada@factory.example', password = 'correct horse') {
  const first = await browser.get(externalLogin);
  const tenantId = new URL(first.headers.get('location') ?? '').searchParams.get('tenantId');
  await browser.send('POST', '/identity/api/v1.0/account/login', { account, password, tenantId });
  const page = await browser.get(externalLogin);
  const { action, fields } = readFormPost(await page.text());
  await browser.form(action, fields);
}

export type UserTokens = { accessToken: string; refreshToken: string; expiresIn: number; tokenType: string };

/** All five steps. */
export async function logIn(browser: Browser, account?: string, password?: string): Promise<UserTokens> {
  await walkToTokens(browser, account, password);
  const response = await browser.send('POST', '/factory/console/api/v1/auth/tokens');
  return (await response.json()) as UserTokens;
}

/** The access token of a client credential, the seeded one unless told. */
export async function machineToken(browser: Browser, id = 'sandbox-machine', secret = 'sandbox-secret') {
  const fields = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
  const response = await browser.form('/identity/connect/token', fields);
  return (await response.json()) as { access_token: string; token_type: string; expires_in?: number };
}

/** A platform, and browsers logged in as its admin, its viewer and its machine. */
export async function startWithCallers(options: Partial<PlatformOptions> = {}) {
  const started = startPlatform(options);
  const admin = started.browse((await logIn(started.browse())).accessToken);
  const viewer = started.browse((await logIn(started.browse(), 'vic@factory.example', 'battery staple')).accessToken);
  const machine = started.browse((await machineToken(started.browse())).access_token);
  return { ...started, admin, viewer, machine };
}

/** The same, new for each test. */
export function callersForEach() {
  return madeForEach(async () => ({ ...(await startWithCallers()), close: () => undefined }));
}

/** The path of a device's custom information. */
export const infoOf = (deviceId: string) =>
  `/platform/solutions/api/v1/devices/${encodeURIComponent(deviceId)}/custom-info` as const;

/** What a reader has read. Throws the sentence that it gives instead. */
export function orThrow<T>(read: T | string): T {
  if (typeof read === 'string') throw new Error(read);
  return read;
}

/** The rules of faults. */
export const faultsOf = (...rules: readonly string[]): FaultRule[] => rules.map((rule) => orThrow(readFault(rule)));

/** Status, and the members that a 400 complains of, in the order of their names. */
export async function complaint(response: Response): Promise<[number, string[]]> {
  const { error } = (await response.json()) as { error: { validationErrors: { members: string[] }[] | null } };
  const members = (error.validationErrors ?? []).flatMap((each) => (each.members.length > 0 ? each.members : ['']));
  return [response.status, members.sort()];
}

/** Status and code of an error in ABP's form. */
export async function refusal(response: Response): Promise<[number, string]> {
  const { error } = (await response.json()) as { error: { code: string } };
  return [response.status, error.code];
}
