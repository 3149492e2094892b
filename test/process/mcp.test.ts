import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../src/sandbox/server.ts';
import { ids } from '../../src/sandbox/world/ids.ts';
import { closedAfterEach, madeForEach } from '../support/fixtures.ts';
import { homeForEach, machineOf } from '../support/home.ts';
import { programFile, programWords } from '../support/program.ts';
import { answerText, rawServer } from '../support/raw-server.ts';
import { until } from '../support/waiting.ts';

const server = madeForEach(() => startServer());
const home = homeForEach(() => machineOf(server));
const keep = closedAfterEach();

/** A client of the SDK that starts the built program, and agrees to everything. */
async function agent(...words: readonly string[]) {
  let complaints = '';
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept' as const, content: { agree: true } }));
  const args = [...programWords, 'mcp', ...words];
  const transport = new StdioClientTransport({ command: programFile, args, stderr: 'pipe', env: { ...home.env } });
  transport.stderr?.on('data', (chunk) => {
    complaints += String(chunk);
  });
  await keep(client);
  await client.connect(transport);
  return { client, complaints: () => complaints };
}

it('iiot mcp prints no warning for many calls', async () => {
  const { client, complaints } = await agent();
  for (let count = 0; count < 15; count++)
    await client.callTool({ name: 'batches_cron', arguments: { expression: '0 0 2 * * ?' } });
  expect(complaints()).toBe('');
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

describe('iiot mcp in a script', () => {
  it('answers every request that was confirmed before its input ended', async () => {
    const calls = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14].map((id) =>
      asking(id, 'credentials_create', { name: `robot ${id}`, saveProfile: `robot-${id}` }),
    );
    const program = spawn(programFile, [...programWords, 'mcp', '--allow-changes'], { env: home.env });
    const ended = once(program, 'close');
    program.stdin.write(lines(...calls));
    let asked = 0;
    const answers: { id: number; method?: string; result?: { isError?: boolean } }[] = [];
    for await (const text of createInterface(program.stdout)) {
      const message = JSON.parse(text);
      answers.push(message);
      if (message.method !== 'elicitation/create') continue;
      const result = { action: 'accept', content: { agree: true } };
      program.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, result })}\n`);
      if (++asked === calls.length) program.stdin.end();
    }
    expect(await ended).toEqual([0, null]);
    const done = answers.filter(({ result }) => result?.isError === false);
    expect(done.map(({ id }) => id).sort((one, other) => one - other)).toEqual(calls.map(({ id }) => id));
    const kept = home.read('iiot/history.ndjson').trimEnd().split('\n');
    expect(kept.map((text) => JSON.parse(text).outcome)).toEqual(calls.map(() => 'done'));
  });

  it('changes nothing when nobody is left to confirm', async () => {
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

  it('ends quietly when nobody reads the responses', async () => {
    const input = lines(asking(2, 'batches_cron', { expression: '0 0 2 * * ?' }));
    expect(await home.run(['sh', '-c', 'iiot mcp --allow-changes | true'], { input })).toEqual({
      stdout: '',
      stderr: '',
      exit: 0,
    });
  });

  it('records a change that is cut off by SIGTERM', async () => {
    const silent = await keep(
      rawServer((socket, request) => {
        if (!request.startsWith('PATCH')) socket.write(answerText(200, '{"access_token":"token"}'));
      }),
    );
    const { client } = await agent('--allow-changes', '--base-url', silent.origin);
    const ended = new Promise<void>((resolve) => (client.onclose = resolve));
    const change = { name: 'policies_update', arguments: { alertPolicyId: ids.policy, delay: 5 } };
    const answer = client.callTool(change).catch(() => undefined);
    await until('the change is sent', () => silent.requests.some((request) => request.startsWith('PATCH')));
    process.kill((client.transport as StdioClientTransport).pid ?? Number.NaN, 'SIGTERM');
    await Promise.all([answer, ended]);
    expect(JSON.parse(home.read('iiot/history.ndjson'))).toMatchObject({
      operation: 'policies.update',
      outcome: 'unknown',
    });
  });
});
