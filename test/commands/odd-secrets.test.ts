/** Secrets of any characters. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fetch } from '../../src/network/fetch.ts';
import { ids } from '../../src/sandbox/world/ids.ts';
import { character } from '../support/any-text.ts';
import { personForEach } from '../support/fixtures.ts';
import { person } from '../support/world.ts';

const piece = fc.constantFrom(
  '-',
  '--',
  '\n',
  '\r',
  '\r\n',
  '"',
  "'",
  '%',
  '%41',
  '+',
  '&',
  '=',
  ' ',
  '\t',
  '\\',
  '$(x)',
  '`',
  '#',
  'ü',
  '密',
  '\u{1f512}',
  '\u0301',
  '\u202e',
);
const secret = fc
  .array(fc.oneof(piece, fc.string({ unit: character })), { minLength: 1, maxLength: 12 })
  .map((pieces) => pieces.join(''))
  // Nobody types a line end before or after it, or a NUL: that is refused.
  .filter((text) => text !== '\ufeff' && !/^\ufeff?[\r\n]|[\r\n]$|^$|\0/.test(text));
const mark = fc.constantFrom('', '\ufeff');
const lineEnd = fc.constantFrom('', '\n', '\r\n', '\r');
/** What is left of standard input. */
const stripped = (text: string) => text.replace(/^\ufeff/, '').replace(/\r\n$|\n$|\r$/, '');

/** Logs in with a secret on standard input, and gives what the platform was sent. */
async function sentFor(
  words: readonly string[],
  stdin: string,
  isSecret: (url: string) => boolean,
): Promise<string | undefined> {
  let body: string | undefined;
  const fetch: Fetch = async (url, init) => {
    if (isSecret(url)) body = init.body;
    if (url.includes('/external-login')) {
      return new Response(null, { status: 302, headers: { location: '/login?tenantId=tenant-1' } });
    }
    return new Response(null, { status: 401 });
  };
  const someone = person({ fetch, env: { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined } });
  const { stderr } = await someone.iiot(words, { stdin });
  someone.leave();
  if (body === undefined) throw new Error(stderr);
  return body;
}

it('a client secret of any characters is sent unchanged', async () => {
  const words = ['login', 'm2m', '--client-id', 'robot', '--client-secret-stdin'];
  await fc.assert(
    fc.asyncProperty(mark, secret, lineEnd, async (begin, text, end) => {
      const body = await sentFor(words, begin + text + end, (url) => url.endsWith('/connect/token'));
      expect(body).toMatch(/^[\x21-\x7e]+$/);
      expect(new URLSearchParams(body).get('client_secret')).toBe(stripped(begin + text + end));
    }),
    { numRuns: 60 },
  );
});

it('a password of any characters is sent unchanged', async () => {
  const words = ['login', '--account', 'ada', '--password-stdin'];
  await fc.assert(
    fc.asyncProperty(mark, secret, lineEnd, async (begin, text, end) => {
      const body = await sentFor(words, begin + text + end, (url) => url.endsWith('/account/login'));
      expect(JSON.parse(body ?? '').password).toBe(stripped(begin + text + end));
    }),
    { numRuns: 60 },
  );
});

describe.each([
  ['begins with a byte order mark, as of Windows PowerShell', '\ufeff', '\r\n'],
  ['ends with a carriage return, as of $(cat FILE)', '', '\r'],
])('a secret that %s is accepted', (_, begin, end) => {
  const without = { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined };
  const someone = personForEach({ env: { ...without, PATH: process.env.PATH } });
  const given = (text: string) => `${begin}${text}${end}`;
  const machine = ['login', 'm2m', '--client-id', ids.clientId];
  const adminLogin = ['login', '--account', ids.admin];
  const printed = (text: string) => [process.execPath, '-e', `process.stdout.write(${JSON.stringify(given(text))})`];

  it.each([
    ['from standard input', [...machine, '--client-secret-stdin'], { stdin: given(ids.clientSecret) }],
    ['from a variable', machine, { env: { IIOT_CLIENT_SECRET: given(ids.clientSecret) } }],
    ['as a password from standard input', [...adminLogin, '--password-stdin'], { stdin: given(ids.adminPassword) }],
    ['as a password from a variable', adminLogin, { env: { IIOT_PASSWORD: given(ids.adminPassword) } }],
    [
      'from a variable, for every command',
      ['credentials', 'list'],
      { env: { IIOT_CLIENT_ID: ids.clientId, IIOT_CLIENT_SECRET: given(ids.clientSecret) } },
    ],
  ])('%s', async (_way, words, how) => {
    expect(await someone.iiot(words, how)).toMatchObject({ exit: 0 });
  });

  it('from a file', async () => {
    const path = join(someone.folder, 'secret.txt');
    writeFileSync(path, given(ids.clientSecret));
    const env = { IIOT_CLIENT_ID: ids.clientId, IIOT_CLIENT_SECRET_FILE: path };
    expect(await someone.iiot(['credentials', 'list'], { env })).toMatchObject({ exit: 0 });
    expect(await someone.iiot(machine, { env: { IIOT_CLIENT_SECRET_FILE: path } })).toMatchObject({ exit: 0 });
  });

  it('from the secretCommand', async () => {
    const values = ['baseUrl=http://127.0.0.1:1', `secretCommand=${JSON.stringify(printed(ids.clientSecret))}`];
    await someone.iiot(['profiles', 'set', 'default', ...values]);
    expect(await someone.iiot(machine)).toMatchObject({ exit: 0 });
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
    [
      '--client-secret-stdin: the client secret on standard input',
      [...machine, '--client-secret-stdin'],
      { stdin: given },
    ],
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
      const someone = person({ fetch, ...asPerson });
      const seen = await someone.iiot(logIn, { stdin: password });
      expect(seen).toMatchObject({ exit: 3, stderr: expect.stringMatching(refused) });
      const { stderr } = await someone.iiot([...logIn, '-o', 'json'], { stdin: password });
      expect(JSON.parse(stderr).error.message).toMatch(refused);
      expect(seen.stderr + stderr).not.toContain('***');
      someone.leave();
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
      const someone = person({ fetch, ...asPerson });
      const { stderr } = await someone.iiot(logIn, { stdin: password });
      expect(stderr.split('\n')[0]).toMatch(/^error: Step 3 of the login failed: [^*]*$/);
      expect(stderr.split('\n')[0]?.endsWith(reason), stderr).toBe(true);
      someone.leave();
    });

    it('in the refusal of a client secret', async () => {
      const fetch: Fetch = async () =>
        Response.json({ error: 'invalid_client', error_description: `The ${password} is bad` }, { status: 401 });
      const someone = person({ fetch, ...asPerson });
      const { exit, stderr } = await someone.iiot(['login', 'm2m', '--client-id', 'robot', '--client-secret-stdin'], {
        stdin: password,
      });
      expect([exit, stderr.includes('***'), stderr.includes('is bad')]).toEqual([3, false, false]);
      someone.leave();
    });
  },
);

function page(html: string): Response {
  return new Response(html, { headers: { 'content-type': 'text/html' } });
}
