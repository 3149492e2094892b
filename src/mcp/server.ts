/** Serves tools over stdio, by the Model Context Protocol. The only file that loads its SDK. */
import { setMaxListeners } from 'node:events';
import { Writable } from 'node:stream';
import type { Server as SdkServer } from '@modelcontextprotocol/sdk/server/index.js';
import type { Groups } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { asFailure } from '../failure.ts';
import { onAbort } from '../text/abort.ts';
import { version } from '../version.ts';
import { callTool, type Elicit } from './call.ts';
import { readToolPlace } from './tool-place.ts';
import { wordingOf } from './tool-result.ts';
import { everyTool, type Tool } from './tools.ts';

/** Serves the commands as tools until the client disconnects or the command is interrupted, and ends when the calls in progress have. */
export async function serveTools(context: Context, groups: Groups, allowChanges: boolean): Promise<void> {
  const { notice, world } = context;
  const { stdin, stdout, interrupt } = world;
  world.keepProgram?.();
  // Its text names the other files of the program by what is in them.
  const build = () => world.text?.('dist/start.cjs');
  const atStart = build();
  const [{ Server }, { StdioServerTransport }, schemas] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/server/stdio.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  const tools = await everyTool(groups);
  const instructions = instructionsFor(context, allowChanges);
  // Without a platform, each call says what is wrong with the settings.
  const startPlace = await readToolPlace(context).catch((error: unknown) => void asFailure(error));
  const calls = openCalls();
  const server = new Server({ name: 'iiot', version }, { capabilities: { tools: {} }, instructions });
  server.setRequestHandler(schemas.ListToolsRequestSchema, () => ({
    tools: tools.filter(({ command }) => !command.changes || allowChanges).map(described),
  }));
  server.setRequestHandler(schemas.CallToolRequestSchema, async ({ params }, { signal }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) throw new schemas.McpError(schemas.ErrorCode.InvalidParams, `There is no tool "${params.name}".`);
    const elicit = elicitThrough(server, calls.gone);
    const call = { input: params.arguments ?? {}, allowChanges, elicit, startPlace, groups, cancelled: signal };
    const result = await calls.run(() => callTool(tool, call, context));
    const more = build() === atStart ? [] : [{ type: 'text', text: isReplaced }];
    return { ...result, content: [...result.content, ...more] } as Record<string, unknown>; // the SDK's own type allows more members
  });
  if (stdin.isTTY)
    notice('Waiting for an MCP client on standard input; usually the client starts this command. Ctrl-C stops it.');
  setMaxListeners(0, interrupt); // every call in progress listens to it
  const unread = new AbortController();
  // The SDK waits for 'drain'; our stream reports when each text is written. A client that stopped reading is not an error.
  const output = new Writable({
    write(chunk, _encoding, done) {
      stdout.write(chunk, (fault) => {
        if (fault) unread.abort();
        done();
      });
    },
  });
  await server.connect(new StdioServerTransport(stdin, output));
  await gone(stdin, interrupt, unread.signal);
  await calls.end();
  await server.close();
}

const isReplaced = 'iiot was replaced by another version while this server ran: the person may restart it.';

function described(tool: Tool) {
  const { name, command, input } = tool;
  return {
    name,
    title: command.summary,
    description: wordingOf(tool).sentence(command.description),
    inputSchema: input as { type: 'object' }, // always an object schema, see everyTool()
    annotations: {
      title: command.summary,
      readOnlyHint: command.changes === undefined,
      destructiveHint: command.changes !== undefined && !command.changes.adds,
      idempotentHint: command.operation?.method === 'PUT' || command.operation?.method === 'DELETE',
      openWorldHint: command.operation !== undefined,
    },
  };
}

function instructionsFor(context: Context, allowChanges: boolean): string {
  const { resolved, profile } = context.settings;
  return [
    'Tools to administer an industrial IoT platform: organizations, devices, alert policies, notifications, batches, credentials.',
    `Platform: ${resolved.baseUrl?.value ?? 'none is set'}. Organization: ${resolved.org?.value ?? 'none is set'}. Profile: ${profile.value}.`,
    allowChanges
      ? 'Changes are allowed. The person is asked before every change; dryRun shows the request and sends nothing.'
      : 'Only reading is allowed.',
    'Errors have a code, a message and a hint of what to do.',
  ].join('\n');
}

/** How long a person may take to answer, in milliseconds. */
const patience = 600_000;

/** Asks through form elicitation, if the client supports it. */
function elicitThrough(server: SdkServer, gone: AbortSignal): Elicit | undefined {
  const able = server.getClientCapabilities()?.elicitation;
  if (!able || ('url' in able && !('form' in able))) return undefined;
  return async (message, typed) => {
    // The SDK cancels a question that was answered, too, when its signal is aborted.
    const asking = new AbortController();
    const forget = onAbort(gone, () => asking.abort(gone.reason));
    const question = { message, requestedSchema: formFor(typed) };
    const request = server.elicitInput(question, { timeout: patience, signal: asking.signal });
    // What does not fit the form agrees to nothing.
    const { action, content } = await request.finally(forget).catch((error: unknown) => {
      if (Object(error).code === invalidParams) return { action: 'decline', content: undefined };
      throw error;
    });
    if (action !== 'accept' || (typed === undefined && content?.agree !== true)) return undefined;
    return typeof content?.name === 'string' ? content.name : '';
  };
}

/** As JSON-RPC has it, and ErrorCode of the SDK. */
const invalidParams = -32_602;

function formFor(typed: string | undefined) {
  const agree = { type: 'boolean', title: 'Do it' } as const;
  const name = { type: 'string', title: 'Type the name', description: typed, minLength: 1 } as const;
  const [field, asked] = typed === undefined ? ['agree', agree] : ['name', name];
  return { type: 'object' as const, properties: { [field]: asked }, required: [field] };
}

function gone(stdin: Context['world']['stdin'], ...signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['end', 'close', 'error']) stdin.once(event, () => resolve());
    for (const signal of signals) onAbort(signal, resolve);
  });
}

/** Knows the calls in progress, so that one whose input has ended is still answered, and a change that was sent is still recorded. */
function openCalls() {
  const running = new Set<Promise<unknown>>();
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  return {
    /** Aborted when the client is gone and answers no question any more. */
    gone: ending.signal,
    run<T>(call: () => Promise<T>): Promise<T> {
      const result = call().finally(() => running.delete(result));
      running.add(result);
      return result;
    },
    /** Resolves when every call has ended and its response is handed over. */
    async end() {
      await new Promise(setImmediate); // the last requests of the input have begun
      ending.abort(new Error('The client is gone.'));
      while (running.size > 0) await Promise.allSettled(running);
      await new Promise(setImmediate); // the SDK has written their responses
    },
  };
}
