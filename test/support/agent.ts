/** An agent of the SDK that speaks with `iiot mcp` in this process. */
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Given, Person } from './world.ts';

type Asked = { readonly message: string; readonly fields: readonly string[] };
/** What the person behind the agent says to a question. */
export type Says = () => Record<string, string | boolean> | 'cancel' | undefined;

/** @param says left out where the client cannot ask */
export async function openAgent(someone: Person, words: readonly string[], says?: Says, env: Given['env'] = {}) {
  const asked: Asked[] = [];
  const client = new Client({ name: 'test', version: '1' }, { capabilities: says ? { elicitation: {} } : {} });
  if (says) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      const schema = 'requestedSchema' in params ? params.requestedSchema : { properties: {} };
      asked.push({ message: params.message, fields: Object.keys(schema.properties) });
      const content = says();
      if (content === 'cancel') return { action: 'cancel' as const };
      return content ? { action: 'accept' as const, content } : { action: 'decline' as const };
    });
  }
  const [stdin, stdout, buffer] = [new PassThrough(), new PassThrough(), new ReadBuffer()];
  const ended = someone.iiot(['mcp', ...words], { env, stdin, stdout });
  let said = '';
  stdout.on('data', (chunk) => (said += chunk));
  const transport: Transport = {
    async start() {
      stdout.on('data', (chunk: Buffer) => {
        buffer.append(chunk);
        for (let next = buffer.readMessage(); next; next = buffer.readMessage()) transport.onmessage?.(next);
      });
    },
    send: async (message) => void stdin.write(serializeMessage(message)),
    async close() {
      stdin.end();
      transport.onclose?.();
    },
  };
  await client.connect(transport);
  return { client, asked, ended, said: () => said };
}
