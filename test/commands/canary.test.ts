/**
 * Every command, with failures of a platform that throws back whatever it was sent, in every manner of showing: no secret is found anywhere but where it
 * was asked for.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Fetch, FetchInit } from '../../src/network/fetch.ts';
import { filesIn, leaks } from '../support/canary.ts';
import { wordsOf } from '../support/words.ts';
import { type Person, person } from '../support/world.ts';

const policy = 'aaaaaaaa-0000-4000-8000-000000000001';
const secrets = {
  clientSecret: 'cl13nt-"CANARY"/s3cret&ü+%<end>',
  accessToken: 'acc3ss-CANARY/t0ken+"with"=every&sign',
  created: 'cre4ted-CANARY/\\s3cret "shown" once',
};
/** Our own sentences keep such a word, so it has to be gone from every part of them that is the platform's. */
const plainWords = { clientSecret: 'zqxjkvbwone', accessToken: 'zqxjkvbwtwo', created: 'zqxjkvbwthree' };
let someone: Person;

afterEach(() => someone?.leave());

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
/** Those that have sentences of their own for it; the others say alike what was refused. */
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
const isToken = (url: string) => url.endsWith('/connect/token');
const inHeader = (text: string) => encodeURIComponent(text).slice(0, 4000);
const htmlOf = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** How a platform may throw it back. */
const echoes: Readonly<Record<string, (text: string) => Response>> = {
  'an ABP error': (text) =>
    Response.json(
      { error: { code: text, message: text, details: text, validationErrors: [{ message: text, members: [text] }] } },
      { status: 400 },
    ),
  "a service's error, quoted by a gateway that is quoted": (text) =>
    Response.json(
      { error: { message: JSON.stringify({ upstream: JSON.stringify({ sent: text }) }) } },
      { status: 400 },
    ),
  'a text that is encoded twice': (text) =>
    new Response(encodeURIComponent(encodeURIComponent(text)), {
      status: 422,
      headers: { 'content-type': 'text/plain' },
    }),
  'problem details': (text) =>
    Response.json({ title: text, detail: text, errors: { [text]: [text] } }, { status: 422 }),
  "OAuth's error": (text) => Response.json({ error: text, error_description: text }, { status: 401 }),
  'a text': (text) => new Response(text, { status: 403, headers: { 'content-type': 'text/plain' } }),
  'a page': (text) =>
    new Response(`<html><title>${htmlOf(text)}</title><input name="code" value="${htmlOf(text)}">`, {
      status: 500,
      headers: page,
    }),
  'a page for an answer': (text) => new Response(`<html><title>${htmlOf(text)}</title>`, { headers: page }),
  'its headers': (text) =>
    new Response(null, {
      status: 404,
      headers: {
        'x-request-id': inHeader(text),
        'www-authenticate': `Bearer ${inHeader(text)}`,
        'set-cookie': inHeader(text),
      },
    }),
  'a challenge': (text) =>
    new Response(null, {
      status: 403,
      headers: {
        'www-authenticate': `Bearer error="insufficient_scope", error_description="${inHeader(text)}", scope="${inHeader(text)}"`,
      },
    }),
  'a redirect of its own': (text) =>
    new Response(null, { status: 302, headers: { location: `/there?token=${inHeader(text)}` } }),
  'a redirect elsewhere': (text) =>
    new Response(null, { status: 307, headers: { location: `https://evil.example/${inHeader(text)}` } }),
  'broken JSON': (text) =>
    new Response(`{"accessToken": ${JSON.stringify(text)}, "clientSecret": "${secrets.created.slice(0, 12)}`, {
      status: 200,
    }),
};

async function everything(fetch: Fetch, showing = ofFailures, sent = secrets, tried = lines): Promise<string[]> {
  const env = { IIOT_CLIENT_SECRET: sent.clientSecret };
  const found: string[] = [];
  for (const line of tried) {
    for (const manner of showing) {
      someone = person({ fetch, env });
      const { stdout, stderr } = await someone.iiot([...wordsOf(line), ...manner]);
      const places = [{ place: 'stdout', text: stdout }, { place: 'stderr', text: stderr }, ...filesIn(someone.folder)];
      found.push(...leaks(sent, places).map((leak) => `${[line, ...manner].join(' ')}: ${leak}`));
      someone.leave();
    }
  }
  return found;
}

describe('no secret comes out, where a platform throws it back as', () => {
  it.each(Object.entries(echoes))('%s', async (_, answer) => {
    const fetch: Fetch = async (url, init) =>
      isToken(url) ? Response.json({ access_token: secrets.accessToken }) : answer(echo(url, init));
    expect(await everything(fetch)).toEqual([]);
  });

  it.each(Object.entries(echoes))('%s when it is asked for a token', async (_, answer) => {
    expect(await everything(async (url, init) => answer(echo(url, init)), [['--debug']], secrets, telling)).toEqual([]);
  });

  it.each(Object.entries(echoes))('%s, be it one plain word', async (_, answer) => {
    const fetch: Fetch = async (url, init) =>
      isToken(url) ? Response.json({ access_token: plainWords.accessToken }) : answer(echo(url, init));
    expect(await everything(fetch, [['--debug']], plainWords, telling)).toEqual([]);
  });
});

it('no secret comes out of a dry run, which hears nothing of a platform but its tokens', async () => {
  const fetch: Fetch = async (url, init) =>
    isToken(url)
      ? Response.json({ access_token: secrets.accessToken })
      : Response.json({ error: { message: echo(url, init) } }, { status: 400 });
  expect(await everything(fetch, [['--dry-run']])).toEqual([]);
});

describe('no secret comes out of', () => {
  it.each([[['-o', 'json']], [['-v', '-o', 'ndjson']], [['--debug']]])(
    'an import with rows whose refusal repeats the token: %j',
    async (manner) => {
      const fetch: Fetch = async (url, init) =>
        isToken(url)
          ? Response.json({ access_token: secrets.accessToken })
          : Response.json({ error: { message: JSON.stringify({ got: echo(url, init) }) } }, { status: 400 });
      someone = person({ fetch, env: { IIOT_CLIENT_SECRET: secrets.clientSecret } });
      const file = join(someone.folder, 'fleet.csv');
      writeFileSync(file, 'deviceId,line\npress-1,3\npress-2,4\n');
      const words = [
        'devices',
        'custom-info',
        'import',
        '--yes',
        file,
        '--failed-file',
        join(someone.folder, 'failed.csv'),
      ];
      const { exit, stdout, stderr } = await someone.iiot([...words, ...manner]);
      expect(exit).toBe(9);
      const places = [{ place: 'stdout', text: stdout }, { place: 'stderr', text: stderr }, ...filesIn(someone.folder)];
      expect(leaks(secrets, places)).toEqual([]);
    },
  );

  it.each([[['-v', '-o', 'json']], [['--debug']]])(
    'a login whose refusal repeats the password as JSON inside of JSON: %j',
    async (manner) => {
      const password = 'pässw0rd "CANARY" \\ügly\u{1f512}/';
      const fetch: Fetch = async (url, { body = '' }) =>
        url.includes('/external-login')
          ? new Response(null, { status: 302, headers: { location: '/login?tenantId=tenant-1' } })
          : Response.json({ error: { message: `Invalid: ${JSON.stringify({ input: body })}` } }, { status: 400 });
      someone = person({ fetch, env: { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined } });
      const words = ['login', '--account', 'ada@factory.example', '--password-stdin', ...manner];
      const { exit, stderr } = await someone.iiot(words, { stdin: password });
      expect([exit, stderr.includes('The platform refuses the login of ada@factory.example')]).toEqual([3, true]);
      expect(leaks({ password, part: 'pässw0rd' }, [{ place: 'stderr', text: stderr }])).toEqual([]);
      // As it would stand in a text that was escaped once more than whoever looks for it expects.
      expect(stderr).not.toMatch(/CANARY|gly/);
    },
  );

  it('a header that somebody gives to api, and the platform repeats', async () => {
    const key = 'k3y-CANARY-of-a-gateway';
    const fetch: Fetch = async (url, { headers }) =>
      isToken(url)
        ? Response.json({ access_token: 'token' })
        : Response.json({ title: headers['x-tenant-pass'] }, { status: 400 });
    someone = person({ fetch });
    const words = ['api', 'GET', '/any', '--header', `X-Tenant-Pass: ApiKey ${key}`, '--debug'];
    const { stderr } = await someone.iiot(words);
    expect(leaks({ key }, [{ place: 'stderr', text: stderr }])).toEqual([]);
    expect(stderr).toContain('> x-tenant-pass: ***');
  });
});

describe('no secret comes out of success', () => {
  it('but the one that is created, where it was asked for', async () => {
    const item = { clientCredentialId: 'credential_001', clientId: 'c', name: 'a', clientSecret: secrets.created };
    const fetch: Fetch = async (url, { method }) => {
      if (isToken(url)) return Response.json({ access_token: secrets.accessToken });
      if (url.endsWith('/client-credentials') && method === 'POST') return Response.json(item, { status: 201 });
      if (method !== 'GET') return new Response(null, { status: 204 });
      return Response.json({ items: url.endsWith('/client-credentials') ? [item] : [], totalCount: 1 });
    };
    expect(await everything(fetch, ofResults)).toEqual([]);
    someone = person({ fetch, env: { IIOT_CLIENT_SECRET: secrets.clientSecret } });
    const { stdout, stderr } = await someone.iiot(['credentials', 'create', '--name', 'a', '-o', 'json', '--debug']);
    expect(JSON.parse(stdout).clientSecret).toBe(secrets.created);
    expect(leaks(secrets, [{ place: 'stderr', text: stderr }, ...filesIn(someone.folder)])).toEqual([]);
  });
});
