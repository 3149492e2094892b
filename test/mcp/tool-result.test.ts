import { expect, it } from 'vitest';
import { groups } from '../../src/commands/index.ts';
import { toolResultOf, wordingOf } from '../../src/mcp/tool-result.ts';
import { everyTool } from '../../src/mcp/tools.ts';

const tools = await everyTool(groups);
const wording = (name: string) => {
  const tool = tools.find((each) => each.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return wordingOf(tool);
};

it('keeps the digits of long numbers, since a client would round them', async () => {
  const stdout = '[{"id":9007199254740993,"ratio":0.12345678901234567890,"count":12,"nested":{"__proto__":1e400}}]\n';
  const { content, structuredContent } = await toolResultOf({ exit: 0, stdout, stderr: '' }, wording('history'));
  const text = '[{"id":"9007199254740993","ratio":0.12345678901234568,"count":12,"nested":{"__proto__":"1e400"}}]';
  expect(content).toEqual([{ type: 'text', text }]);
  expect(JSON.stringify(structuredContent)).toBe(`{"items":${text}}`);
});

it.each([
  ['orgs_users_list', '50 of 2,000 users: --all for the rest', '50 of 2,000 users: "all" for the rest'],
  ['orgs_users_list', '--page-size and --page-sizes', '"pageSize" and --page-sizes'],
  ['channels_update', 'Give at least one of: --name, --disabled', 'Give at least one of: "name", "enabled"'],
  ['templates_update', 'See iiot templates update --help', 'See the input schema of templates_update'],
  ['templates_update', '<templateId> has to be given', '"templateId" has to be given'],
  ['credentials_create', 'Choose another name, or --force', 'Choose another name'],
  ['credentials_create', 'The person may start it with --base-url', 'The person may start it with --base-url'],
])('speaks of the inputs of %s: %s', (name, said, heard) => {
  expect(wording(name).sentence(said)).toBe(heard);
});

it('names inputs in each part of an error, and leaves a result unchanged', async () => {
  const error = {
    code: 'usage',
    message: '--role takes one of admin',
    details: [{ option: '--role', field: 'orgRole', message: 'see --role' }],
    hint: 'See iiot orgs users list --help',
  };
  const said = { exit: 2, stdout: '', stderr: JSON.stringify({ error }) };
  const failed = await toolResultOf(said, wording('orgs_users_list'));
  expect(failed.structuredContent).toEqual({
    error: {
      code: 'usage',
      message: '"role" takes one of admin',
      details: [{ option: 'role', field: 'orgRole', message: 'see "role"' }],
      hint: 'See the input schema of orgs_users_list',
    },
  });
  const stdout = '[{"name":"--role"}]';
  const { content } = await toolResultOf({ exit: 0, stdout, stderr: '' }, wording('orgs_users_list'));
  expect(content).toEqual([{ type: 'text', text: stdout }]);
});

it('hides what a channel logs in with', async () => {
  const plain = { hasToken: true, secret: '', secretFile: '/tmp/a.secret', tokenType: 'Bearer' };
  const headers = { Authorization: 'CANARY', 'X-Api-Key': 'CANARY' };
  const stdout = JSON.stringify({ config: { smtpPassword: 'CANARY', headers, token: 'CANARY' }, ...plain });
  const { structuredContent } = await toolResultOf({ exit: 0, stdout, stderr: '' }, wording('channels_update'));
  expect(structuredContent).toEqual({
    config: { smtpPassword: '***', headers: { Authorization: '***', 'X-Api-Key': '***' }, token: '***' },
    ...plain,
  });
});

it('hides what is named as a secret at any depth, and not what only sounds like one', async () => {
  const stdout =
    '{"config":{"channelAccessToken":"CANARY","accessTokensIssued":2},"state":"on","items":[{"client_secret":"CANARY"}]}';
  const { structuredContent } = await toolResultOf({ exit: 0, stdout, stderr: '' }, wording('history'));
  expect(structuredContent).toEqual({
    config: { channelAccessToken: '***', accessTokensIssued: 2 },
    state: 'on',
    items: [{ client_secret: '***' }],
  });
});
