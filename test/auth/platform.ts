import { logInUser, type UserLogin } from '../../src/auth/user-login.ts';
import { createMask } from '../../src/text/mask.ts';
import { realExchange } from '../support/exchange.ts';
import { type Expected, html, json, type Reply, type Scripted } from '../support/scripted.ts';

/** A platform's answers to the five steps, typed from the interface; a test replaces some of them. */
type Answers = {
  readonly one: Expected['answer'];
  readonly two: Expected['answer'];
  readonly three: Expected['answer'];
  readonly four: Expected['answer'];
  readonly five: Expected['answer'];
};

export const tenantId = '0b0f3a52-7c1e-4d0a-9f6b-3f2504e04f89';
export const password = 'pass&word=ü+%20"\\';
export const now = Date.parse('2026-05-01T12:00:00Z');

export function formPage(base: string, fields = `<input type="hidden" name="iss" value="${base}/identity"/>`): string {
  return `<!doctype html><title>Working…</title><form method="post" action="/acme/console/signin-oidc">
<input type="hidden" name="code" value="c-0123456789"/><input type="hidden" name="state" value="s-0123456789"/>${fields}</form>`;
}

export function goodAnswers(base: string): Answers {
  return {
    one: {
      status: 302,
      headers: { location: `${base}/identity/login?tenantId=${tenantId}`, 'set-cookie': 'ctx=context-1; Path=/' },
    },
    two: json(200, {}, { 'set-cookie': 'Identity.Permission=permission-1; Path=/; HttpOnly' }),
    three: html(200, formPage(base)),
    four: { status: 302, headers: { location: '/acme/console', 'set-cookie': 'SvcOidc.Login=login-1; Path=/' } },
    five: json(200, { accessToken: 'access-1', refreshToken: 'refresh-1', expiresIn: 7200, tokenType: 'Bearer' }),
  };
}

const start = (base: string) => `/acme/portal/external-login?returnUrl=${encodeURIComponent(`${base}/acme/console`)}`;

/** The first `count` steps as the interface has them, below the path of a base URL. */
export function steps(base: string, answers: Partial<Answers> = {}, count = 5): Expected[] {
  const { one, two, three, four, five } = { ...goodAnswers(base), ...answers };
  const prefix = new URL(base).pathname.replace(/\/$/, '');
  const all = [
    { method: 'GET', path: prefix + start(base), answer: one },
    { method: 'POST', path: `${prefix}/identity/api/v1.0/account/login`, answer: two },
    { method: 'GET', path: prefix + start(base), answer: three },
    { method: 'POST', path: '/acme/console/signin-oidc', answer: four },
    { method: 'POST', path: `${prefix}/acme/console/api/v1/auth/tokens`, answer: five },
  ];
  return all.slice(0, count);
}

/** Logs in over real sockets; gives the result, or throws what the login throws. */
export async function logInAt(platform: Pick<Scripted, 'base'>, changed: Partial<UserLogin> = {}, retries = 0) {
  const mask = createMask(new Set());
  return logInUser(await realExchange(retries, mask.text), {
    base: platform.base,
    tenant: 'acme',
    app: 'console',
    account: 'ada@example.com',
    password,
    note() {},
    remember: mask.remember,
    now: () => now,
    ...changed,
  });
}

export function redirect(location: string, status = 302, headers: Reply['headers'] = {}): Reply {
  return { status, headers: { ...headers, location } };
}
