import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { personForEach } from '../support/fixtures.ts';
import type { Given } from '../support/world.ts';

const root = '11111111-1111-4111-8111-111111111111';
const path = `/api/v1/orgs/${root}/notifications/channels/channel_email`;
const request = `PATCH ${path}`;
const someone = personForEach();

const update = (words: readonly string[], given?: Given) =>
  someone.iiot(['channels', 'update', 'channel_email', ...words], given);

function file(name: string, content: string): string {
  const place = join(someone.folder, name);
  writeFileSync(place, content);
  return place;
}

describe('iiot channels update', () => {
  it.each([
    [['--name', 'N', '--description', ''], '{"name":"N","description":""}'],
    [['--channel-type', 'webhook'], '{"channelType":"webhook"}'],
    [['--enable'], '{"isEnabled":true}'],
    [['--disable'], '{"isEnabled":false}'],
    [
      ['--settings-timeout', '30', '--settings-retry-attempts', '0', '--settings-retry-delay', '5'],
      '{"commonSettings":{"timeout":30,"retryAttempts":0,"retryDelay":5}}',
    ],
    [['--settings-timeout', '00:00:30'], '{"commonSettings":{"timeout":"00:00:30"}}'],
    [['--template-id', 'template_001'], '{"templateId":"template_001"}'],
    [['--recipient', 'a@b.example', '--recipient', 'c@d.example'], '{"recipients":["a@b.example","c@d.example"]}'],
    [['--clear-recipients', '--clear-tags'], '{"recipients":[],"tags":[]}'],
    [['--tag', 'x'], '{"tags":["x"]}'],
  ])('sends %j as %s, and no other field', async (words, body) => {
    expect((await update([...words, '--yes'])).exit).toBe(0);
    expect(someone.sent).toEqual([{ request, body }]);
  });

  it("keeps the channel's timeout and the request's apart", async () => {
    const { exit } = await update(['--settings-timeout', '30', '--timeout', '5s', '--yes']);
    expect([exit, someone.sent]).toEqual([0, [{ request, body: '{"commonSettings":{"timeout":30}}' }]]);
  });

  it.each(['30s', '00:00:30', '1.5', ''])('notes that the setting %j is sent as a text', async (timeout) => {
    const whole = [`--settings-timeout=${timeout}`, '--settings-retry-attempts=2', '--settings-retry-delay=3'];
    expect((await update(whole)).stderr).toBe(
      `Note: --settings-timeout is sent as the text "${timeout}", not as a number.\n`,
    );
  });

  it('reads the configuration of its type from a file, whatever it holds', async () => {
    const config = '{"url":"https://tickets.factory.example/hook","10":[1.50,null],"2":12345678901234567890}';
    const { exit, stderr } = await update(['--config-file', file('config.json', config)]);
    expect([exit, stderr]).toEqual([0, 'This replaces the whole configuration.\n']);
    expect(someone.sent).toEqual([{ request, body: `{"config":${config.replace('1.50', '1.5')}}` }]);
  });

  it('sends fields of --body-file that it does not know as they are', async () => {
    const body = '{"isEnabled":true,"later":{"x":1},"commonSettings":{"timeout":"30s","jitter":true}}';
    await update(['--body-file', '-'], { stdin: body });
    expect(someone.sent).toEqual([{ request, body }]);
  });

  it.each([
    [[], 'error: There is nothing to change.'],
    [['--enable', '--disable'], 'error: --enable and --disable contradict each other.'],
    [['--channel-type', 'sms'], 'error: --channel-type takes one of email, teams, linemessage, webhook.'],
    [['--recipient', 'a', '--clear-recipients'], 'error: --recipient and --clear-recipients contradict each other.'],
    [['--tag', 'a', '--clear-tags'], 'error: --tag and --clear-tags contradict each other.'],
    [['--config-file', 'BODY []'], 'error: --config-file takes an object.'],
    [['--config-file', 'BODY {'], 'error: --config-file FILE is not JSON: see line 1.'],
    [
      ['--body-file', 'BODY {"isEnabled":"true","tags":{},"name":null}'],
      'error: --enable takes true or false; --tag takes a list; --name takes a string.',
    ],
    [
      ['--body-file', '-', '--config-file', '-'],
      'error: --body-file is the whole body and cannot be combined with --config-file.',
    ],
  ])('refuses %j, and sends nothing', async (words, sentence) => {
    const typed = words.map((word) => (word.startsWith('BODY ') ? file('body.json', word.slice(5)) : word));
    const { exit, stdout, stderr } = await update(typed, { stdin: '{}' });
    const first = stderr.split('\n')[0]?.replace(join(someone.folder, 'body.json'), 'FILE');
    expect({ exit, stdout, first }).toEqual({ exit: 2, stdout: '', first: sentence });
    expect(someone.requests).toEqual([]);
  });

  it('says that a channel could not be validated, in a kind of its own, and asks once only', async () => {
    const words = ['channels', 'update', 'channel_unreachable', '--disable'];
    const said = 'The channel could not be validated: https://gateway.factory.invalid/hook does not answer.';
    const hint =
      'The platform tested the channel and the test failed; the request was not retried. Check its configuration and its target';
    expect(await someone.iiot(words)).toEqual({
      exit: 8,
      stdout: '',
      stderr: `error: ${said}\nhint: ${hint}\nHTTP 503 · request request-000002\n`,
    });
    const { exit, stderr } = await someone.iiot([...words, '-o', 'json']);
    expect([exit, JSON.parse(stderr).error]).toEqual([
      8,
      {
        code: 'channel_validation_failed',
        message: said,
        status: 503,
        details: [],
        hint,
        request: { method: 'PATCH', path: path.replace('channel_email', 'channel_unreachable') },
        requestId: 'request-000003',
      },
    ]);
    expect(someone.sent).toHaveLength(2);
  });

  it('shows with --debug nothing of what a channel logs in with, by the names that an agent sees nothing of either', async () => {
    const names =
      'channelAccessToken channel_access_token smtpPassword apiKey sasToken private_key pwd clientSecret Authorization PIN_pwd'.split(
        ' ',
      );
    const config = JSON.stringify(
      Object.fromEntries([...names.map((name, index) => [name, `CANARY-${index}`]), ['host', 'mail']]),
    );
    const { exit, stderr } = await update(['--config-file', file('config.json', config), '--debug']);
    expect([exit, someone.sent[0]?.body]).toEqual([0, `{"config":${config}}`]);
    expect(stderr).toContain(`{${names.map((name) => `"${name}":"***"`).join(',')},"host":"mail"}`);
    expect(stderr).not.toContain('CANARY');
  });

  it('shows with --debug the code of an error', async () => {
    const { stderr } = await someone.iiot(['channels', 'update', 'channel_404', '--disable', '--debug']);
    expect(stderr).toMatch(/^< \{"error":\{"code":"\w+",/m);
  });

  it('says in which organization a channel was looked for', async () => {
    const { exit, stderr } = await someone.iiot(['channels', 'update', 'channel_assembly', '--disable']);
    expect([exit, stderr]).toEqual([
      5,
      `error: There is no channel channel_assembly.\nhint: See iiot channels update --help\nHTTP 404 · request request-000002\n`,
    ]);
  });

  it("names the option of a field that the platform rejects, in the platform's words", async () => {
    const { exit, stderr } = await update(['--template-id', 'template_999', '-o', 'json']);
    const { code, details, hint } = JSON.parse(stderr).error;
    expect({ exit, code, details, hint }).toEqual({
      exit: 7,
      code: 'rejected',
      details: [
        {
          field: 'templateId',
          message: 'templateId does not belong to a template in this organization.',
          option: '--template-id',
        },
      ],
      hint: 'See iiot channels update --help',
    });
  });
});
