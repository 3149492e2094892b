/** Identifiers of every kind reach the platform as they are: read from the request line of a real socket. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openNetwork } from '../../src/network/network.ts';
import { character } from '../support/any-text.ts';
import { madeForAll } from '../support/fixtures.ts';
import { answerText, rawServer } from '../support/raw-server.ts';
import { person } from '../support/world.ts';

const server = madeForAll(() =>
  rawServer((socket, request) => {
    const isToken = request.startsWith('POST /prefix/identity/connect/token');
    socket.write(answerText(200, isToken ? '{"access_token":"t","expires_in":3600}' : '{}'));
  }),
);
const network = await openNetwork({ env: {} });
const someone = madeForAll(() =>
  person({ fetch: network, env: { IIOT_BASE_URL: `${server.origin}/prefix`, IIOT_ORG: 'org' } }),
);

type Kind = { readonly words: (id: string) => readonly string[]; readonly path: (segment: string) => string };

const kinds: Readonly<Record<string, Kind>> = {
  deviceId: {
    words: (id) => ['devices', 'custom-info', 'set', '--null', 'k', '--', id],
    path: (segment) => `/prefix/platform/solutions/api/v1/devices/${segment}/custom-info`,
  },
  templateId: {
    words: (id) => ['templates', 'update', '--name', 'n', '--', id],
    path: (segment) => `/prefix/api/v1/orgs/org/notifications/templates/${segment}`,
  },
  channelId: {
    words: (id) => ['channels', 'update', '--disabled', '--', id],
    path: (segment) => `/prefix/api/v1/orgs/org/notifications/channels/${segment}`,
  },
  orgId: {
    words: (id) => ['templates', 'list', '--limit', '1', `--org=${id}`],
    path: (segment) => `/prefix/api/v1/orgs/${segment}/notifications/templates?maxResultCount=1`,
  },
};

/** As it is encoded by RFC 3986: letters, digits, - . _ ~ and what JavaScript leaves beside them. */
const literal: readonly (readonly [string, string])[] = [
  ['Hall 3/Press 7', 'Hall%203%2FPress%207'],
  ['a\\b', 'a%5Cb'],
  ['a?b#c', 'a%3Fb%23c'],
  ['%2e%2e', '%252e%252e'],
  ['a&b=c+d;e', 'a%26b%3Dc%2Bd%3Be'],
  ['a@b:c|d', 'a%40b%3Ac%7Cd'],
  ['ライン-1', '%E3%83%A9%E3%82%A4%E3%83%B3-1'],
  ['...', '...'],
  ['"quoted" \'both\' `ways`', "%22quoted%22%20'both'%20%60ways%60"],
  ['--help', '--help'],
  ['e\u0301', 'e%CC%81'],
  ['{templateId}', '%7BtemplateId%7D'],
  ['$&', '%24%26'],
];

/** What a command does, and the paths that it asks for beside a token. */
async function run(words: readonly string[]) {
  const before = server.requests.length;
  const { exit, stderr } = await someone.iiot(words);
  const paths = server.requests.slice(before).map((request) => request.split(' ')[1] ?? '');
  return { exit, stderr, paths: paths.filter((path) => !path.endsWith('/connect/token')) };
}

const pathsFor = async (words: readonly string[]) => (await run(['-q', ...words])).paths;

describe.each(Object.entries(kinds))('%s', (_, { words, path }) => {
  it.each(literal)('%j is %s in the request line', async (id, segment) => {
    expect(await pathsFor(words(id))).toEqual([path(segment)]);
  });

  it.each([
    ['.', 'cannot be a dot segment'],
    ['..', 'cannot be a dot segment'],
    ['a\0b', 'cannot hold control characters'],
    ['a\nb', 'cannot hold control characters'],
    ['\u007f', 'cannot hold control characters'],
    ['\ud83d', 'cannot hold half of a surrogate pair'],
  ])('%j is refused, and nothing is sent', async (id, why) => {
    expect(await run(words(id))).toEqual({ exit: 2, stderr: expect.stringContaining(why), paths: [] });
  });

  it('any text is sent as one segment', async () => {
    const text = fc.string({ unit: character, minLength: 1, maxLength: 40 });
    const whole = text.filter((id) => !/^\.\.?$|[\0-\x1f\x7f]|\p{Surrogate}/u.test(id));
    await fc.assert(
      fc.asyncProperty(whole, async (id) => {
        const [line = ''] = await pathsFor(words(id));
        const [before = '', behind = ''] = path('\0').split('\0');
        const segment = line.slice(before.length, line.length - behind.length);
        expect(line).toBe(path(segment));
        expect(segment).toMatch(/^[A-Za-z0-9\-._~!'()*%]+$/);
        expect(decodeURIComponent(segment)).toBe(id);
      }),
      { numRuns: 40, seed: 11 },
    );
  });
});

it.each(['deviceId', 'templateId', 'channelId'])('an empty %s is refused', async (kind) => {
  const stderr = expect.stringMatching(/^error: <\w+> takes a string that is not empty\.\n/);
  expect(await run(kinds[kind]?.words('') ?? [])).toEqual({ exit: 2, stderr, paths: [] });
});

it.each([
  [['--name', 'a b&c=d', '--tag', 'x,y', '--tag', '日本'], 'name=a%20b%26c%3Dd&tags=x%2Cy&tags=%E6%97%A5%E6%9C%AC'],
  [['--name', '', '--tag', ''], 'name=&tags='],
  [['--name', '%41+#', '--tag', "o'neil"], 'name=%2541%2B%23&tags=o%27neil'],
])('the filter %j is %s in the request line', async (words, query) => {
  expect(await pathsFor(['templates', 'list', '--limit', '1', ...words])).toEqual([
    `/prefix/api/v1/orgs/org/notifications/templates?maxResultCount=1&${query}`,
  ]);
});
