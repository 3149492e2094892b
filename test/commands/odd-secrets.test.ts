/** Secrets of any characters. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fetch } from '../../src/network/fetch.ts';
import { ids } from '../../src/sandbox/world/ids.ts';
import { character } from '../support/any-text.ts';
import { personForEach, personsForEach } from '../support/fixtures.ts';

const newPerson = personsForEach();
const pieces = '-|--|\n|\r|\r\n|"|\'|%|%41|+|&|=| |\t|\\|$(x)|`|#|ü|密|\u{1f512}|\u0301|\u202e';
const piece = fc.constantFrom(...pieces.split('|'));
const secret = fc
  .array(fc.oneof(piece, fc.string({ unit: character })), { minLength: 1, maxLength: 12 })
  .map((pieces) => pieces.join(''))
  // Nobody types a line end before or after it, or a NUL: that is refused.
  .filter((text) => text !== '\ufeff' && !/^\ufeff?[\r\n]|[\r\n]$|^$|\0/.test(text));
const mark = fc.constantFrom('', '\ufeff');
const lineEnd = fc.constantFrom('', '\n', '\r\n', '\r');
/** What is left of standard input. */
const stripped = (text: string) => text.replace(/^\ufeff/, '').replace(/\r\n$|\n$|\r$/, '');

it('a client secret of any characters is sent unchanged', async () => {
  const words = ['login', 'm2m', '--client-id', 'robot', '--client-secret-stdin'];
  await fc.assert(
    fc.asyncProperty(mark, secret, lineEnd, async (begin, text, end) => {
      let body = '';
      const fetch: Fetch = async (_url, init) => {
        body = init.body ?? '';
        return new Response(null, { status: 401 });
      };
      const someone = newPerson({ fetch, env: { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined } });
      await someone.iiot(words, { stdin: begin + text + end });
      someone.leave();
      expect(body).toMatch(/^[\x21-\x7e]+$/);
      expect(new URLSearchParams(body).get('client_secret')).toBe(stripped(begin + text + end));
    }),
    { numRuns: 60 },
  );
});

describe('a secret with a byte order mark and a line end, as Windows PowerShell writes it, is accepted', () => {
  const without = { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined };
  const someone = personForEach({ env: without });
  const given = (text: string) => `\ufeff${text}\r\n`;
  const machine = ['login', 'm2m', '--client-id', ids.clientId];
  const adminLogin = ['login', '--account', ids.admin];

  it.each([
    ['from standard input', [...machine, '--client-secret-stdin'], { stdin: given(ids.clientSecret) }],
    ['from a variable', machine, { env: { IIOT_CLIENT_SECRET: given(ids.clientSecret) } }],
    ['as a password from standard input', [...adminLogin, '--password-stdin'], { stdin: given(ids.adminPassword) }],
    ['as a password from a variable', adminLogin, { env: { IIOT_PASSWORD: given(ids.adminPassword) } }],
  ])('%s', async (_way, words, how) => {
    expect(await someone.iiot(words, how)).toMatchObject({ exit: 0 });
  });

  it('from a file', async () => {
    const IIOT_CLIENT_SECRET_FILE = someone.file('secret.txt', given(ids.clientSecret));
    expect(await someone.iiot(machine, { env: { IIOT_CLIENT_SECRET_FILE } })).toMatchObject({ exit: 0 });
  });
});

describe('an unusable secret is refused before anything is sent', () => {
  const asked: string[] = [];
  const someone = personForEach({
    fetch: async (url) => Response.json(asked.push(url), { status: 500 }),
    env: { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined, PATH: process.env.PATH },
  });
  const machine = ['login', 'm2m', '--client-id', 'robot'];
  const given = 'geheim\n\n';
  const problem = 'begins with a line end, or ends with several.';
  it.each([
    ['IIOT_CLIENT_SECRET', machine, { env: { IIOT_CLIENT_SECRET: given } }],
    ['IIOT_CLIENT_SECRET', ['credentials', 'list'], { env: { IIOT_CLIENT_ID: 'robot', IIOT_CLIENT_SECRET: given } }],
    ['IIOT_PASSWORD', ['login', '--account', 'ada'], { env: { IIOT_PASSWORD: given } }],
  ])('%s', async (name, words, how) => {
    const { exit, stderr } = await someone.iiot(words, how);
    expect([exit, stderr.split('\n')[0], asked]).toEqual([2, `error: ${name} ${problem}`, []]);
  });

  it('IIOT_CLIENT_SECRET_FILE', async () => {
    const path = join(someone.folder, 'secret.txt');
    writeFileSync(path, Buffer.from('geheim', 'utf16le'));
    const { exit, stderr } = await someone.iiot(machine, { env: { IIOT_CLIENT_SECRET_FILE: path } });
    const message = `error: IIOT_CLIENT_SECRET_FILE ${path} holds NUL characters, as UTF-16 does.`;
    expect([exit, stderr.split('\n')[0], asked]).toEqual([2, message, []]);
  });
});

const loginPage = { status: 302, headers: { location: '/login?tenantId=tenant-1' } };
const asPerson = { env: { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined } };
const logIn = ['login', '--account', 'ada', '--password-stdin'];

describe.each(['password', 'wrong', 'account', 'login', 'Kennwort', 'für', 'user name', '401'])(
  'a secret that is a common word is not revealed by a mask: %s',
  (password) => {
    const refused = / of ada\.(?:\n|"|$)/;
    it('in a refusal of the platform', async () => {
      const fetch: Fetch = async (url) =>
        url.includes('/external-login')
          ? new Response(null, loginPage)
          : Response.json({ message: `This ${password} is not right` }, { status: 401 });
      const someone = newPerson({ fetch, ...asPerson });
      const seen = await someone.iiot(logIn, { stdin: password });
      expect(seen).toMatchObject({ exit: 3, stderr: expect.stringMatching(refused) });
      const { stderr } = await someone.iiot([...logIn, '-o', 'json'], { stdin: password });
      expect(JSON.parse(stderr).error.message).toMatch(refused);
      expect(seen.stderr + stderr).not.toContain('***');
    });

    const words = encodeURIComponent(`bad ${password} here`);
    const denied = { status: 302, headers: { location: `/x?error=denied&error_description=${words}` } };
    const human = `<title>The ${password}</title><p>Are you a human? ${password}`;
    it.each<[string, () => Response, string]>([
      ['a redirect', () => new Response(null, denied), ' the login, and says: denied.'],
      ['a page that asks for something', () => page(human), ': the platform asks for a captcha.'],
      ['a title', () => page(`<title>The ${password}</title>`), ' the fields code and state.'],
    ])('in %s of step 3', async (_, three, reason) => {
      let asked = 0;
      const fetch: Fetch = async (url) => {
        if (!url.includes('/external-login'))
          return Response.json({}, { headers: { 'set-cookie': 'Identity.Permission=permission-1; Path=/' } });
        asked += 1;
        return asked === 1 ? new Response(null, loginPage) : three();
      };
      const someone = newPerson({ fetch, ...asPerson });
      const { stderr } = await someone.iiot(logIn, { stdin: password });
      expect(stderr.split('\n')[0]).toMatch(/^error: Step 3 of the login failed: [^*]*$/);
      expect(stderr.split('\n')[0]?.endsWith(reason), stderr).toBe(true);
    });

    it('in the refusal of a client secret', async () => {
      const fetch: Fetch = async () =>
        Response.json({ error: 'invalid_client', error_description: `The ${password} is bad` }, { status: 401 });
      const someone = newPerson({ fetch, ...asPerson });
      const { exit, stderr } = await someone.iiot(['login', 'm2m', '--client-id', 'robot', '--client-secret-stdin'], {
        stdin: password,
      });
      expect([exit, stderr.includes('***'), stderr.includes('is bad')]).toEqual([3, false, false]);
    });
  },
);

function page(html: string): Response {
  return new Response(html, { headers: { 'content-type': 'text/html' } });
}
