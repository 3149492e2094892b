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

it('a result keeps the digits of long numbers', async () => {
  const stdout = '[{"id":9007199254740993,"ratio":0.12345678901234567890,"count":12,"nested":{"__proto__":1e400}}]\n';
  const { content, structuredContent } = await toolResultOf({ exit: 0, stdout, stderr: '' }, wording('history'));
  const text = '[{"id":"9007199254740993","ratio":0.12345678901234568,"count":12,"nested":{"__proto__":"1e400"}}]';
  expect(content).toEqual([{ type: 'text', text }]);
  expect(JSON.stringify(structuredContent)).toBe(`{"items":${text}}`);
});

it.each([
  ['orgs_users_list', '50 of 2,000 users: --all for the rest', '50 of 2,000 users: "all" for the rest'],
  ['orgs_users_list', '--page-size and --page-sizes', '"pageSize" and --page-sizes'],
  ['channels_update', 'One of: --name, --disabled', 'One of: "name", "enabled"'],
  ['templates_update', 'See iiot templates update --help', 'See the input schema of templates_update'],
  ['templates_update', '<templateId> has to be given', '"templateId" has to be given'],
  ['credentials_create', 'Use another name, or --force', 'Use another name'],
  ['credentials_create', 'The person may start it with --base-url', 'The person may start it with --base-url'],
])('for the tool %s, "%s" names inputs in place of options', (name, said, heard) => {
  expect(wording(name).sentence(said)).toBe(heard);
});

it('options become inputs in each part of an error, but not in a result', async () => {
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

it('secrets are hidden at any depth, by the names of their fields', async () => {
  const plain = { hasToken: true, secret: '', secretFile: '/tmp/a.secret', tokenType: 'Bearer', accessTokensIssued: 2 };
  const result = (value: string) => ({
    config: {
      smtpPassword: value,
      headers: { Authorization: value, 'X-Api-Key': value },
      token: value,
      channelAccessToken: value,
    },
    items: [{ client_secret: value }],
    ...plain,
  });
  const stdout = JSON.stringify(result('CANARY'));
  const { structuredContent } = await toolResultOf({ exit: 0, stdout, stderr: '' }, wording('channels_update'));
  expect(structuredContent).toEqual(result('***'));
});

it('differences that end a command with 10 are no error, and its notes come beside them', async () => {
  const note = 'template_001.txt was changed on the platform since the pull.';
  const { isError, content } = await toolResultOf(
    { exit: 10, stdout: '[]', stderr: `${note}\n` },
    wording('templates_diff'),
  );
  expect([isError, content]).toEqual([
    false,
    [
      { type: 'text', text: '[]' },
      { type: 'text', text: note },
    ],
  ]);
});
