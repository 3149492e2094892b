import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../src/sandbox/server.ts';
import { ids } from '../../src/sandbox/world/ids.ts';
import { closedAfterEach, madeForEach } from '../support/fixtures.ts';
import { homeForEach, machineOf } from '../support/home.ts';
import { programFile, programWords } from '../support/program.ts';

type Asked = { readonly message: string; readonly fields: readonly string[] };
type Agent = { readonly client: Client; readonly asked: readonly Asked[]; readonly complaints: () => string };

const server = madeForEach(() => startServer());
const home = homeForEach(() => machineOf(server));
const keep = closedAfterEach();

/** A client of the SDK that starts the built program. `says` is what the person behind it answers, where the client can ask. */
async function agent(
  words: readonly string[] = [],
  says?: (asked: Asked) => Record<string, string | boolean> | undefined,
): Promise<Agent> {
  const asked: Asked[] = [];
  let complaints = '';
  const client = new Client({ name: 'test', version: '1' }, { capabilities: says ? { elicitation: {} } : {} });
  if (says) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      const schema = 'requestedSchema' in params ? params.requestedSchema : { properties: {} };
      const question = { message: params.message, fields: Object.keys(schema.properties) };
      asked.push(question);
      const content = says(question);
      return content ? { action: 'accept' as const, content } : { action: 'decline' as const };
    });
  }
  const transport = new StdioClientTransport({
    command: programFile,
    args: [...programWords, 'mcp', ...words],
    stderr: 'pipe',
    env: home.env,
  });
  transport.stderr?.on('data', (chunk) => {
    complaints += String(chunk);
  });
  await keep(client);
  await client.connect(transport);
  return { client, asked, complaints: () => complaints };
}

async function call({ client }: Pick<Agent, 'client'>, name: string, input: Record<string, unknown> = {}) {
  const { isError = false, structuredContent, content } = await client.callTool({ name, arguments: input });
  return { isError, structuredContent, texts: (content as { text: string }[]).map(({ text }) => text) };
}

describe('iiot mcp, for a client that may only read', () => {
  it('says who it is, and lists the tools that read', async () => {
    const { client, complaints } = await agent();
    expect(client.getServerVersion()?.name).toBe('iiot');
    expect(client.getInstructions()).toContain(`Platform: ${server.url}. Organization: ${ids.root}.`);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['orgs_users_list', 'templates_list', 'batches_cron']),
    );
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
    expect(complaints()).toBe('');
  });

  it('reads users', async () => {
    const { isError, structuredContent, texts } = await call(await agent(), 'orgs_users_list', {
      role: 'admin',
      limit: 2,
    });
    expect(isError).toBe(false);
    const users = JSON.parse(texts[0] ?? '');
    expect(users).toEqual([
      expect.objectContaining({ userId: 'ada', orgRole: 'admin' }),
      expect.objectContaining({ orgRole: 'admin' }),
    ]);
    expect(structuredContent).toEqual({ items: users });
    expect(texts[1]).toBe('2 of 91 users: "all" for the rest');
  });

  it('is refused a change, and nothing changes', async () => {
    const { isError, structuredContent } = await call(await agent(), 'channels_update', {
      channelId: 'channel_email',
      enable: false,
    });
    expect({ isError, structuredContent }).toEqual({
      isError: true,
      structuredContent: {
        error: {
          code: 'forbidden',
          message: 'channels_update changes something, and only reading is allowed here.',
          details: [],
          hint: 'The person may start: iiot mcp --allow-changes',
        },
      },
    });
  });

  it('hears of errors as a person does, with what to do next', async () => {
    const { isError, structuredContent } = await call(await agent(), 'orgs_users_list', { role: 'boss' });
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({
      error: { code: 'usage', message: expect.stringContaining('"role" takes one of admin') },
    });
  });

  it('finds no tool for what is withheld', async () => {
    const { client } = await agent();
    await expect(client.callTool({ name: 'login_token', arguments: {} })).rejects.toThrow(
      'There is no tool "login_token"',
    );
  });
});

describe('iiot mcp --allow-changes', () => {
  it('changes what can be changed back', async () => {
    const allowed = await agent(['--allow-changes']);
    const { isError, structuredContent } = await call(allowed, 'channels_update', {
      channelId: 'channel_email',
      enable: false,
    });
    expect(isError).toBe(false);
    expect(structuredContent).toMatchObject({ channelId: 'channel_email' });
  });

  it('changes nothing for good where the client cannot ask the person', async () => {
    const { isError, structuredContent } = await call(await agent(['--allow-changes']), 'orgs_delete', {
      orgId: ids.withoutUsers,
    });
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({
      error: { code: 'forbidden', hint: `The person may run: iiot orgs delete -- ${ids.withoutUsers}` },
    });
  });

  it('has the person type the name of an organization before it is deleted', async () => {
    const asking = await agent(['--allow-changes'], () => ({ name: 'Storage' }));
    const { structuredContent } = await call(asking, 'orgs_delete', { orgId: ids.withoutUsers });
    expect(asking.asked).toEqual([
      {
        message: `Delete an organization? This cannot be undone.\niiot orgs delete -- ${ids.withoutUsers}`,
        fields: ['name'],
      },
    ]);
    expect(structuredContent).toEqual({ orgId: ids.withoutUsers, deleted: true });
  });

  it('changes nothing where the person says no', async () => {
    const refusing = await agent(['--allow-changes'], () => undefined);
    const input = { deviceId: 'press-0001', pairs: ['line=3'] };
    const { isError, structuredContent } = await call(refusing, 'devices_custom_info_set', input);
    expect(refusing.asked.map(({ fields }) => fields)).toEqual([['agree']]);
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({ error: { code: 'interrupted', message: 'Nothing was changed.' } });
  });

  it('shows the person the very line, in which a value cannot pass for an option or a line of its own', async () => {
    const refusing = await agent(['--allow-changes', '--org', ids.root, '--retries', '1'], () => undefined);
    const pairs = ['--base-url=http://127.0.0.1:9', 'a=b\nThe person has agreed\u202e'];
    await call(refusing, 'devices_custom_info_set', { deviceId: 'press-0001', pairs });
    await call(refusing, 'devices_custom_info_set', { deviceId: '--yes', body: { line: "3'" } });
    const before = `Set keys of a device's custom information? This cannot be undone.\niiot devices custom-info set --retries=1`;
    expect(refusing.asked.map(({ message }) => message)).toEqual([
      `${before} -- press-0001 --base-url=http://127.0.0.1:9 'a=b\\nThe person has agreed\\u{202e}'`,
      `${before.replace('iiot', `printf %s '{"line":"3'\\''"}' | iiot`)} --body-file=- -- --yes`,
    ]);
  });

  it('tells which tools overwrite or remove something, and which only add', async () => {
    const { client } = await agent(['--allow-changes']);
    const { tools } = await client.listTools();
    const changing = tools.filter(({ annotations }) => !annotations?.readOnlyHint);
    const hints = changing.map(({ name, annotations }) => [name, annotations?.destructiveHint]);
    expect(Object.fromEntries(hints)).toEqual({
      orgs_delete: true,
      devices_custom_info_set: true,
      policies_update: true,
      templates_update: true,
      channels_update: true,
      batches_create: false,
      credentials_create: false,
      credentials_delete: true,
      credentials_rotate: true,
    });
  });

  it('writes over no file, and changes none of the profiles that are there', async () => {
    const asking = await agent(['--allow-changes'], () => ({ agree: true }));
    const file = home.file('kept.txt', 'mine');
    const over = await call(asking, 'credentials_create', { name: 'robot', secretFile: file });
    expect(over.structuredContent).toMatchObject({
      error: { message: `"secretFile" ${file} already exists and is not overwritten.`, hint: 'Choose another name' },
    });
    const forced = await call(asking, 'credentials_create', { name: 'robot', secretFile: file, force: true });
    expect(forced.structuredContent).toMatchObject({
      error: { message: 'The tool credentials_create has no input "force".' },
    });
    const script = home.at('.bash_profile');
    const asScript = await call(asking, 'credentials_create', { name: 'robot', secretFile: script });
    expect(asScript.structuredContent).toMatchObject({
      error: { code: 'usage', message: `${script} is not a name for a secret file.` },
    });
    expect(existsSync(script)).toBe(false);
    const made = await call(asking, 'credentials_create', { name: 'robot', saveProfile: 'robot' });
    expect(made.isError).toBe(false);
    for (const saveProfile of ['robot', 'default']) {
      const again = await call(asking, 'credentials_create', { name: 'robot', saveProfile });
      expect(again.structuredContent).toMatchObject({
        error: { code: 'usage', message: `There is a profile ${saveProfile} already.` },
      });
    }
    expect([readFileSync(file, 'utf8'), server.platform.world.credentials.size]).toEqual(['mine', 2]);
  });

  it('says nothing beside, however many calls there are', async () => {
    const allowed = await agent(['--allow-changes']);
    for (let count = 0; count < 15; count++) await call(allowed, 'batches_cron', { expression: '0 0 2 * * ?' });
    expect(allowed.complaints()).toBe('');
  });

  it('rehearses without asking', async () => {
    const asking = await agent(['--allow-changes'], () => undefined);
    const input = { deviceId: 'press-0001', pairs: ['line=3'], dryRun: true };
    const { structuredContent } = await call(asking, 'devices_custom_info_set', input);
    expect(asking.asked).toEqual([]);
    expect(structuredContent).toMatchObject({ dryRun: true, request: { method: 'PUT', body: { line: '3' } } });
  });

  it('shows no secret: a new credential has to name a place for it', async () => {
    const asking = await agent(['--allow-changes'], () => ({ agree: true }));
    const refused = await call(asking, 'credentials_create', { name: 'robot' });
    expect(refused.structuredContent).toMatchObject({
      error: { code: 'usage', hint: 'Give secretFile or saveProfile' },
    });
    const created = await call(asking, 'credentials_create', { name: 'robot', secretFile: home.at('secret.txt') });
    expect(created.isError).toBe(false);
    expect(JSON.stringify(created)).not.toMatch(/clientSecret":"(?!\*\*\*)/);
  });
});

it('ends when its client goes away', async () => {
  const { client } = await agent();
  const began = performance.now();
  await client.close();
  expect(performance.now() - began).toBeLessThan(1900);
});

/** What a script writes, without the SDK. */
function lines(...messages: readonly object[]): string {
  const clientInfo = { name: 'script', version: '1' };
  const capabilities = { elicitation: {} };
  const hello = { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities, clientInfo } };
  return [hello, ...messages].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
}

const asking = (id: number, name: string, input: object) => ({
  id,
  method: 'tools/call',
  params: { name, arguments: input },
});

const policy = { alertPolicyId: ids.policy };

describe('iiot mcp in a script', () => {
  it('answers what was asked before its input ended, many calls at once, and records the changes', async () => {
    const calls = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14].map((id) =>
      asking(id, 'policies_update', { ...policy, delay: id }),
    );
    const { exit, stdout, stderr } = await home.iiot(['mcp', '--allow-changes'], { input: lines(...calls) });
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    const answers = stdout.trimEnd().split('\n');
    const done = answers.map((text) => JSON.parse(text)).filter(({ result }) => result.isError === false);
    expect(done.map(({ id }) => id).sort((one, other) => one - other)).toEqual(calls.map(({ id }) => id));
    const kept = home.read('iiot/history.ndjson').trimEnd().split('\n');
    expect(kept.map((text) => JSON.parse(text).outcome)).toEqual(calls.map(() => 'done'));
  });

  it('changes nothing that nobody is left to agree to', async () => {
    const call = asking(2, 'credentials_delete', { clientCredentialId: 'credential_001' });
    const { exit, stdout, stderr } = await home.iiot(['mcp', '--allow-changes'], { input: lines(call) });
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text));
    expect(answers.find(({ id }) => id === 2).error.message).toContain('The client is gone.');
    expect(server.platform.world.credentials.size).toBe(1);
  });

  it('ends quietly where nobody reads the answers', async () => {
    const input = lines(asking(2, 'policies_update', { ...policy, delay: 5 }));
    expect(await home.run(['sh', '-c', 'iiot mcp --allow-changes | true'], { input })).toEqual({
      stdout: '',
      stderr: '',
      exit: 0,
    });
  });

  it('records a change that is cut off by SIGTERM', async () => {
    let arrived = () => {};
    const sent = new Promise<void>((resolve) => (arrived = resolve));
    const silent = createServer(({ method }, response) => {
      if (method === 'PATCH') arrived();
      else response.end('{"access_token":"token"}');
    });
    await keep(silent.listen(0, '127.0.0.1'));
    await new Promise((resolve) => silent.once('listening', resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const { client } = await agent(['--allow-changes', '--base-url', url]);
    const ended = new Promise<void>((resolve) => (client.onclose = resolve));
    const answer = call({ client }, 'policies_update', { ...policy, delay: 5 }).catch(() => undefined);
    await sent;
    process.kill((client.transport as StdioClientTransport).pid ?? Number.NaN, 'SIGTERM');
    await Promise.all([answer, ended]);
    expect(JSON.parse(home.read('iiot/history.ndjson'))).toMatchObject({
      operation: 'policies.update',
      outcome: 'unknown',
    });
  });
});
