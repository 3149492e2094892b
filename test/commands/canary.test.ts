/** A platform sends back whatever it was sent, and every command shows it in every format. */
import { describe, expect, it } from 'vitest';
import type { Fetch, FetchInit } from '../../src/network/fetch.ts';
import { filesIn, leaks } from '../support/canary.ts';
import { personsForEach } from '../support/fixtures.ts';
import { wordsOf } from '../support/words.ts';
import type { Person, Seen } from '../support/world.ts';

const policy = 'aaaaaaaa-0000-4000-8000-000000000001';
const secrets = {
  clientSecret: 'cl13nt-"CANARY"/s3cret&ü+%<end>',
  accessToken: 'acc3ss-CANARY/t0ken+"with"=every&sign',
  created: 'cre4ted-CANARY/\\s3cret "shown" once',
};
/** Words that could stand in a sentence of iiot. */
const plainWords = { clientSecret: 'zqxjkvbwone', accessToken: 'zqxjkvbwtwo', created: 'zqxjkvbwthree' };
const newPerson = personsForEach();

const lines = [
  'orgs users list',
  'orgs delete 77777777-7777-4777-8777-777777777777 --org-name Storage',
  'devices custom-info set press-0001 line=3',
  `policies update ${policy} --delay 5`,
  'templates list',
  'templates update template_001 --tag night',
  'channels update channel_email --disabled',
  'batches create --name n --cron "0 0 2 * * ?" --enabled --no-run-on-startup',
  'credentials create --name a --save-profile robot',
  'credentials list',
  'credentials delete credential_001 --yes',
  'credentials rotate credential_001 --yes --save-profile robot',
  'api GET /api/v1/any',
  'api POST /api/v1/any --raw-field a=b',
  'login status --check',
  'login m2m --profile other',
  'doctor',
];
/** The commands with error messages of their own. */
const telling = lines.filter((line) => /^(orgs users|credentials create|api POST|login|doctor)/.test(line));

/** A failure is the same in every format of a result, and --debug only adds to what is shown without it. */
const ofFailures: readonly (readonly string[])[] = [['-v', '-o', 'json'], ['--debug']];
const ofResults = [...ofFailures, ['--debug', '-o', 'yaml']];

/** All that a platform was sent, and the secrets in it once more, spelled in several ways. */
function echo(url: string, { headers, body = '' }: FetchInit): string {
  const form = new URLSearchParams(body);
  const sent = [headers.authorization?.replace('Bearer ', '') ?? '', form.get('client_secret') ?? ''];
  const text = [url, ...Object.values(headers), body, ...sent].join(' | ');
  const escaped = sent.map((one) =>
    [...one].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  );
  return [text, encodeURIComponent(text), Buffer.from(text).toString('base64'), JSON.stringify(text), ...escaped].join(
    ' ## ',
  );
}

const page = { 'content-type': 'text/html' };
const plain = { 'content-type': 'text/plain' };
const isToken = (url: string) => url.endsWith('/connect/token');
const inHeader = (text: string) => encodeURIComponent(text).slice(0, 4000);
const htmlOf = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

type Echo = (
  text: string,
) => readonly [status: number, body?: string | object, headers?: Readonly<Record<string, string>>];

/** How a platform may throw it back. */
const echoes: Readonly<Record<string, Echo>> = {
  'an ABP error': (text) => [
    400,
    { error: { code: text, message: text, details: text, validationErrors: [{ message: text, members: [text] }] } },
  ],
  "a service's error, quoted by a gateway that is quoted": (text) => [
    400,
    { error: { message: JSON.stringify({ upstream: JSON.stringify({ sent: text }) }) } },
  ],
  'a text that is encoded twice': (text) => [422, encodeURIComponent(encodeURIComponent(text)), plain],
  'problem details': (text) => [422, { title: text, detail: text, errors: { [text]: [text] } }],
  "OAuth's error": (text) => [401, { error: text, error_description: text }],
  'a text': (text) => [403, text, plain],
  'a page': (text) => [500, `<html><title>${htmlOf(text)}</title><input name="code" value="${htmlOf(text)}">`, page],
  'a page for an answer': (text) => [200, `<html><title>${htmlOf(text)}</title>`, page],
  'its headers': (text) => {
    const sent = inHeader(text);
    return [404, undefined, { 'x-request-id': sent, 'www-authenticate': `Bearer ${sent}`, 'set-cookie': sent }];
  },
  'a challenge': (text) => {
    const sent = inHeader(text);
    const challenge = `Bearer error="insufficient_scope", error_description="${sent}", scope="${sent}"`;
    return [403, undefined, { 'www-authenticate': challenge }];
  },
  'a redirect of its own': (text) => [302, undefined, { location: `/there?token=${inHeader(text)}` }],
  'a redirect elsewhere': (text) => [307, undefined, { location: `https://evil.example/${inHeader(text)}` }],
  'broken JSON': (text) => [
    200,
    `{"accessToken": ${JSON.stringify(text)}, "clientSecret": "${secrets.created.slice(0, 12)}`,
  ],
};

/** A platform that answers so, but for requests for a token if it has one. */
const echoing =
  (answer: Echo, accessToken?: string): Fetch =>
  async (url, init) => {
    if (accessToken !== undefined && isToken(url)) return Response.json({ access_token: accessToken });
    const [status, body, headers = {}] = answer(echo(url, init));
    if (typeof body === 'object') return Response.json(body, { status, headers });
    return new Response(body ?? null, { status, headers });
  };

/** What a command shows of secrets, and leaves of them in files. */
const leftBy = (someone: Person, { stdout, stderr }: Seen, sent: Readonly<Record<string, string>> = secrets) =>
  leaks(sent, [{ place: 'stdout', text: stdout }, { place: 'stderr', text: stderr }, ...filesIn(someone.folder)]);

async function everything(fetch: Fetch, showing = ofFailures, sent = secrets, tried = lines): Promise<string[]> {
  const env = { IIOT_CLIENT_SECRET: sent.clientSecret };
  const found: string[] = [];
  for (const line of tried) {
    for (const manner of showing) {
      const someone = newPerson({ fetch, env });
      const seen = await someone.iiot([...wordsOf(line), ...manner]);
      found.push(...leftBy(someone, seen, sent).map((leak) => `${[line, ...manner].join(' ')}: ${leak}`));
    }
  }
  return found;
}

describe('no secret is shown if a platform sends it back', () => {
  it.each(Object.entries(echoes))('in %s', async (_, answer) => {
    expect(await everything(echoing(answer, secrets.accessToken))).toEqual([]);
  });

  it.each(Object.entries(echoes))('in %s to the request for a token', async (_, answer) => {
    expect(await everything(echoing(answer), [['--debug']], secrets, telling)).toEqual([]);
  });

  it.each(Object.entries(echoes))('in %s, even as one plain word', async (_, answer) => {
    const fetch = echoing(answer, plainWords.accessToken);
    expect(await everything(fetch, [['--debug']], plainWords, telling)).toEqual([]);
  });
});

const refusing = echoing((text) => [400, { error: { message: JSON.stringify({ got: text }) } }], secrets.accessToken);

it('no secret is shown in a dry run', async () => {
  expect(await everything(refusing, [['--dry-run']])).toEqual([]);
});

describe('no secret is shown by', () => {
  it.each([[['-o', 'json']], [['-v', '-o', 'ndjson']], [['--debug']]])(
    'an import whose refusal repeats the token: %j',
    async (manner) => {
      const someone = newPerson({ fetch: refusing, env: { IIOT_CLIENT_SECRET: secrets.clientSecret } });
      const file = someone.file('fleet.csv', 'deviceId,line\npress-1,3\npress-2,4\n');
      const words = ['devices', 'custom-info', 'import', '--yes', file, '--failed-file', `${file}.failed`];
      const seen = await someone.iiot([...words, ...manner]);
      expect([seen.exit, leftBy(someone, seen)]).toEqual([9, []]);
    },
  );

  it.each([[['-v', '-o', 'json']], [['--debug']]])(
    'a login whose refusal repeats the password as JSON in JSON: %j',
    async (manner) => {
      const password = 'pässw0rd "CANARY" \\ügly\u{1f512}/';
      const fetch: Fetch = async (url, { body = '' }) =>
        url.includes('/external-login')
          ? new Response(null, { status: 302, headers: { location: '/login?tenantId=tenant-1' } })
          : Response.json({ error: { message: `Invalid: ${JSON.stringify({ input: body })}` } }, { status: 400 });
      const someone = newPerson({ fetch, env: { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined } });
      const words = ['login', '--account', 'ada@factory.example', '--password-stdin', ...manner];
      const { exit, stderr } = await someone.iiot(words, { stdin: password });
      expect([exit, stderr]).toEqual([3, expect.stringContaining('ada@factory.example')]);
      expect(leaks({ password, part: 'pässw0rd' }, [{ place: 'stderr', text: stderr }])).toEqual([]);
      // The password may be escaped once more than expected.
      expect(stderr).not.toMatch(/CANARY|gly/);
    },
  );

  it('iiot api --header if the platform repeats the header', async () => {
    const key = 'k3y-CANARY-of-a-gateway';
    const fetch: Fetch = async (url, { headers }) =>
      isToken(url)
        ? Response.json({ access_token: 'token' })
        : Response.json({ title: headers['x-tenant-pass'] }, { status: 400 });
    const someone = newPerson({ fetch });
    const words = ['api', 'GET', '/any', '--header', `X-Tenant-Pass: ApiKey ${key}`, '--debug'];
    const { stderr } = await someone.iiot(words);
    expect(leaks({ key }, [{ place: 'stderr', text: stderr }])).toEqual([]);
    expect(stderr).toContain('> x-tenant-pass: ***');
  });

  it('a command that succeeds, except a created secret in its result', async () => {
    const item = { clientCredentialId: 'credential_001', clientId: 'c', name: 'a', clientSecret: secrets.created };
    const fetch: Fetch = async (url, { method }) => {
      if (isToken(url)) return Response.json({ access_token: secrets.accessToken });
      if (url.endsWith('/client-credentials') && method === 'POST') return Response.json(item, { status: 201 });
      if (method !== 'GET') return new Response(null, { status: 204 });
      return Response.json({ items: url.endsWith('/client-credentials') ? [item] : [], totalCount: 1 });
    };
    expect(await everything(fetch, ofResults)).toEqual([]);
    const someone = newPerson({ fetch, env: { IIOT_CLIENT_SECRET: secrets.clientSecret } });
    const { stdout, stderr } = await someone.iiot(['credentials', 'create', '--name', 'a', '-o', 'json', '--debug']);
    expect(JSON.parse(stdout).clientSecret).toBe(secrets.created);
    expect(leaks(secrets, [{ place: 'stderr', text: stderr }, ...filesIn(someone.folder)])).toEqual([]);
  });
});
