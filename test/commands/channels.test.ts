import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { personForEach } from '../support/fixtures.ts';
import { failed, inBrief } from '../support/seen.ts';
import type { Given } from '../support/world.ts';

const root = '11111111-1111-4111-8111-111111111111';
const path = `/api/v1/orgs/${root}/notifications/channels/channel_email`;
const request = `PATCH ${path}`;
const someone = personForEach();

const update = (words: readonly string[], given?: Given) =>
  someone.iiot(['channels', 'update', 'channel_email', ...words], given);

describe('iiot channels update', () => {
  it.each([
    [['--name', 'N', '--description', 'D'], '{"name":"N","description":"D"}'],
    [['--channel-type', 'webhook'], '{"channelType":"webhook"}'],
    [['--enabled'], '{"isEnabled":true}'],
    [['--disabled'], '{"isEnabled":false}'],
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

  it('does not take --settings-timeout for the timeout of the request', async () => {
    const { exit } = await update(['--settings-timeout', '30', '--request-timeout', '5s', '--yes']);
    expect([exit, someone.sent]).toEqual([0, [{ request, body: '{"commonSettings":{"timeout":30}}' }]]);
  });

  it.each(['30s', '00:00:30', '1.5'])('notes that the setting %j is sent as a text', async (timeout) => {
    const whole = [`--settings-timeout=${timeout}`, '--settings-retry-attempts=2', '--settings-retry-delay=3'];
    expect((await update(whole)).stderr).toBe(
      `Note: --settings-timeout is sent as the text "${timeout}", not as a number.\n`,
    );
  });

  it('sends the JSON of --config-file as the configuration, with notes', async () => {
    const config = '{"url":"https://tickets.factory.example/hook","10":[1.50,null],"2":12345678901234567890}';
    const { exit, stderr } = await update(['--config-file', someone.file('config.json', config)]);
    const notes = 'This replaces the whole configuration.\nAlarms will go to https://tickets.factory.example.\n';
    expect([exit, stderr]).toEqual([0, notes]);
    expect(someone.sent).toEqual([{ request, body: `{"config":${config.replace('1.50', '1.5')}}` }]);
  });

  it('notes where alarms will go, without secrets', async () => {
    const config = {
      webhookUrl: 'https://user:CANARY@hooks.example:8443/CANARY?key=CANARY',
      smtp: { host: 'mail.example', password: 'CANARY' },
      to: ['ops@factory.example'],
    };
    const file = someone.file('config.json', JSON.stringify(config));
    const note = 'Alarms will go to https://hooks.example:8443, mail.example and ops@factory.example.\n';
    const words = ['--config-file', file];
    for (const more of [[], ['--yes'], ['--dry-run']]) {
      const { stderr } = await update([...words, ...more]);
      expect(stderr).toBe(`This replaces the whole configuration.\n${note}`);
    }
    expect((await update([...words, '--quiet'])).stderr).toBe('');
    const body = someone.file('body.json', JSON.stringify({ config, recipients: ['night@factory.example'] }));
    expect((await update(['--body-file', body])).stderr).toContain('ops@factory.example and night@factory.example.\n');
  });

  it.each([
    [[], 'There is nothing to change.'],
    [['--enabled', '--disabled'], '--enabled and --disabled cannot be combined.'],
    [['--channel-type', 'sms'], '--channel-type takes one of email, teams, linemessage, webhook.'],
    [['--recipient', 'a', '--clear-recipients'], '--recipient and --clear-recipients cannot be combined.'],
    [['--tag', 'a', '--clear-tags'], '--tag and --clear-tags cannot be combined.'],
    [['--config-file', 'BODY []'], '--config-file takes an object.'],
    [['--config-file', 'BODY {'], '--config-file FILE is not JSON: see line 1.'],
    [
      ['--body-file', 'BODY {"isEnabled":"true","tags":{},"name":null}'],
      '--body-file: isEnabled takes true or false; tags takes a list; name takes a string.',
    ],
  ])('refuses %j, and sends nothing', async (words, sentence) => {
    const path = join(someone.folder, 'body.json');
    const typed = words.map((word) => (word.startsWith('BODY ') ? someone.file('body.json', word.slice(5)) : word));
    expect(await inBrief(update(typed))).toEqual(failed(2, `error: ${sentence.replace('FILE', path)}`));
    expect(someone.requests).toEqual([]);
  });

  it('shows no value of the configuration with --debug', async () => {
    const names = 'webhookUrl secretKey signing_key connectionString bearer pin accessKeyId host';
    const secrets = Object.fromEntries(names.split(' ').map((name, index) => [name, `CANARY-${index}`]));
    const config = { ...secrets, credentials: { pass: 'CANARY' }, passwords: ['CANARY'], apikeys: { a: 'CANARY' } };
    const body = JSON.stringify({ config, commonSettings: { timeout: 'CANARY' } });
    const { exit, stderr } = await update(['--body-file', '-', '--yes', '--debug'], { stdin: body });
    expect([exit, someone.sent[0]?.body]).toEqual([0, body]);
    const lines = stderr.split('\n').filter((line) => line.includes('"config":{"webhookUrl":"***"'));
    expect(lines).toEqual([
      expect.stringMatching(
        /^\S+Z #\d+ > .*"host":"\*{3} \(string, 8\)".*"commonSettings":\{"timeout":"\*{3} \(string, 6\)"\}\}$/,
      ),
      expect.stringMatching(/^\S+Z #\d+ < /),
    ]);
    expect(stderr.replace('Alarms will go to CANARY-7.', '')).not.toContain('CANARY');
  });

  const outputs = [
    ['in a pipe', {}],
    ['at a terminal', { columns: 80 }],
  ] as const;
  it.each(outputs)('shows the changed configuration without its secrets %s', async (_, given) => {
    const config = { channelAccessToken: 'CANARY', webhookUrl: 'CANARY', retries: { pin: 'CANARY' }, host: 'mail' };
    const file = someone.file('config.json', JSON.stringify(config));
    const { exit, stdout } = await update(['--config-file', file], given);
    expect([exit, stdout]).toEqual([0, expect.not.stringContaining('CANARY')]);
    for (const word of [...Object.keys(config), 'pin', '***', 'mail'])
      expect(stdout.replaceAll(' ', '').toLowerCase()).toContain(word.toLowerCase());
    const asked = await update(['--config-file', file, '--columns', 'config,config.webhookUrl'], given);
    expect(asked.stdout).toMatch(/^(?!.*CANARY).*\*\*\*/s);
  });

  it.each(['json', 'ndjson', 'yaml', 'csv'])('gives a program the whole configuration: %s', async (format) => {
    const file = someone.file('config.json', '{"webhookUrl":"CANARY"}');
    expect((await update(['--config-file', file, '-o', format])).stdout).toContain('CANARY');
  });

  it('repeats no secret that is typed in place of a file name', async () => {
    const { exit, stderr } = await update(['--config-file', '{"token":"CANARY"}']);
    expect([exit, stderr.split('\n')[0]]).toEqual([
      2,
      'error: --config-file takes the name of a file, not the text itself.',
    ]);
    expect(stderr).not.toContain('CANARY');
  });

  it.each(outputs)('hides secrets of the body in a dry run %s', async (_, given) => {
    const file = someone.file('config.json', '{"token":"CANARY","host":"mail"}');
    const { stdout } = await update(['--config-file', file, '--dry-run'], given);
    expect(stdout).toMatch(/^(?!.*CANARY).*\*\*\*.*mail.*--data-binary @-/s);
    const json = JSON.parse((await update(['--config-file', file, '--dry-run', '-o', 'json'])).stdout);
    expect(json).toMatchObject({ request: { body: { config: { token: 'CANARY' } } } });
    expect(json.curl).toContain('CANARY');
  });

  it('shows the code of an error with --debug', async () => {
    const { stderr } = await someone.iiot(['channels', 'update', 'channel_404', '--disabled', '--debug']);
    expect(stderr).toMatch(/ < \{"error":\{"code":"\w+",/m);
  });
});
