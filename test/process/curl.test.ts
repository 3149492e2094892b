/** The curl line of --dry-run, run as it is printed: the same request as the tool's own. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { madeForEach } from '../support/fixtures.ts';
import { runOnNetwork } from '../support/here.ts';
import { homeForEach } from '../support/home.ts';
import { lacks } from '../support/lacking.ts';
import { type Received, scriptedPlatform } from '../support/scripted.ts';
import { wordsOf } from '../support/words.ts';

const org = '11111111-1111-4111-8111-111111111111';
const policy = 'aaaaaaaa-0000-4000-8000-000000000001';
const platform = madeForEach(scriptedPlatform);
const home = homeForEach(() => ({ IIOT_BASE_URL: platform.base, IIOT_ORG: org, IIOT_TOKEN: 'token-CANARY' }));
// Files are named as they are in the folder where somebody works.
const before = process.cwd();
afterEach(() => process.chdir(before));
beforeEach(() => {
  process.chdir(home.folder);
  home.file('text.txt', 'first line\nC:\\new\ttab \u200b zero width\r\n');
  home.file('body.json', '{\n\t"policyName": "a\\nb",\n  "more": 12345678901234567890\n}\n');
});

const lines: readonly (readonly [string, readonly string[]])[] = [
  ['a name in the query', ['orgs', 'delete', org, '--org-name', 'O\'Neil & "Söhne" 100% [a-z] {b} $HOME `id` \\']],
  ['an ID of unusual characters', ['devices', 'custom-info', 'set', "Hall 3/Press'7 ライン?#%&", 'line=3']],
  [
    'quotes, dollars and backslashes',
    ['devices', 'custom-info', 'set', 'p', `a='"$HOME\`id\`\\n!`, 'path=C:\\temp\\new\\', '--null', '__proto__'],
  ],
  ['invisible characters', ['devices', 'custom-info', 'set', 'p', 'a=\u200b\u202e\u0085\u2028\t\n😀e\u0301']],
  ['a value that begins with @', ['devices', 'custom-info', 'set', 'p', '@/etc/passwd=@']],
  ['a policy', ['policies', 'update', policy, '--alert-level', '>80', '--delay', '5m']],
  ['a body from a file', ['policies', 'update', policy, '--body-file', 'body.json']],
  [
    'a text from a file',
    ['templates', 'update', 'template_001', '--content-file', 'text.txt', '--tag', 'a', '--tag', 'b'],
  ],
  ['a channel', ['channels', 'update', 'channel_email', '--disabled', '--clear-tags']],
  ['a batch', ['batches', 'create', '--name', 'n', '--cron', '0 0 2 ? * MON-FRI', '--enabled', '--run-on-startup']],
  ['a credential', ['credentials', 'create', '--name', 'ci', '--expires', '2049-01-01T00:00:00Z', '--scope', 'a b']],
  ['the deletion of a credential', ['credentials', 'delete', 'a/b', '--yes']],
  [
    'any JSON',
    wordsOf("api POST '/any/thing?a=1&b=%20' --field n=12345678901234567890 --header 'X-Trace: a b' --header X-Empty:"),
  ],
  ['any text', ['api', 'PUT', '/any', '--header', 'Content-Type: text/plain', '--body-file', 'text.txt']],
  ['a request without a body', ['api', 'DELETE', '/any']],
];

/** What a request says, without what any two programs tell differently. */
function said({ method, path, headers, body }: Received) {
  const apart = new Set(['connection', 'user-agent', 'accept-encoding', 'content-length']);
  const told = Object.fromEntries(Object.entries(headers).filter(([name]) => !apart.has(name)));
  return { method, path, told, body, length: headers['content-length'] ?? '0' };
}

describe.skipIf(lacks('curl'))('the curl line of --dry-run', () => {
  it.each(lines)('makes the same request as iiot for %s', async (what, words) => {
    const iiot = (...more: readonly string[]) => runOnNetwork([...words, ...more, '-o', 'json'], { env: home.env });
    const { exit, stdout, stderr } = await iiot('--dry-run');
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    const { request, curl } = JSON.parse(stdout);
    expect(curl).not.toContain('CANARY');
    expect(curl).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}]*$/u);
    const path = request.url.slice(platform.base.length);
    const step = { method: request.method, path, answer: { status: 400 } };
    platform.expect(step, step);
    await iiot();
    await home.run(['sh', '-c', curl]);
    if (!lacks('fish')) {
      platform.expect(step);
      await home.run(['fish', '-c', curl]);
      expect(said(platform.received[2] as Received)).toEqual(said(platform.received[1] as Received));
    }
    const [ours, theirs] = platform.received.map(said);
    expect(platform.received.length).toBeGreaterThan(1);
    if (!/invisible|from a file/.test(what)) return void expect(theirs).toEqual(ours);
    // A JSON that is written otherwise, and is the same.
    expect({ ...theirs, body: value(theirs?.body), length: 0 }).toEqual({
      ...ours,
      body: value(ours?.body),
      length: 0,
    });
  });
});

function value(body: string | undefined): unknown {
  try {
    return JSON.parse(body ?? '');
  } catch {
    return body;
  }
}
