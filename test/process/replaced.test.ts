/** What becomes of a process when another version takes the place of its program's files. */
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../src/sandbox/server.ts';
import { closedAfterEach, madeForEach } from '../support/fixtures.ts';
import { homeForEach, machineOf } from '../support/home.ts';
import { executable, nodeBinary } from '../support/program.ts';

const server = madeForEach(() => startServer());
const home = homeForEach(() => machineOf(server));
const keep = closedAfterEach();

/** A copy of the built program. */
function installed(): string {
  for (const name of ['bin', 'dist']) cpSync(resolve(name), home.at('program', name), { recursive: true });
  return home.at('program/bin/iiot.js');
}

/** As npm does it: files of other names, because something is different in them. */
function replace(): void {
  const folder = home.at('program/dist');
  for (const name of readdirSync(folder)) if (/-[\w-]{8}\.cjs$/.test(name)) rmSync(join(folder, name));
  writeFileSync(join(folder, 'start.cjs'), 'another version');
}

// The single-file executable has no files beside it.
describe.skipIf(executable !== undefined)('when npm replaces the program', () => {
  it('iiot mcp can still use new tools, and asks for a restart', async () => {
    const client = await keep(new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } }));
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept' as const, content: { agree: true } }));
    const args = [installed(), 'mcp', '--allow-changes'];
    await client.connect(new StdioClientTransport({ command: nodeBinary, args, env: { ...home.env } }));
    const cron = { name: 'batches_cron', arguments: { expression: '0 0 2 * * ?' } };
    expect(await client.callTool(cron)).toMatchObject({ content: [{ type: 'text' }] });
    replace();
    const call = { name: 'credentials_create', arguments: { name: 'robot', saveProfile: 'robot' } };
    const { isError, content } = await client.callTool(call);
    const says = 'iiot was replaced by another version while this server ran: the person may restart it.';
    expect([isError, (content as object[]).at(-1)]).toEqual([false, { type: 'text', text: says }]);
    expect(readdirSync(home.settings).filter((name) => name.includes('recover'))).toEqual([]);
  });

  it('a command that lacks a file asks to be run again', async () => {
    const program = installed();
    const folder = home.at('program/dist');
    for (const name of readdirSync(folder)) if (/^orgs-/.test(name)) rmSync(join(folder, name));
    expect(await home.run([nodeBinary, program, 'orgs', 'users', 'list'])).toEqual({
      exit: 1,
      stdout: '',
      stderr: 'error: iiot was replaced by another version while this command ran.\nhint: Run it again\n',
    });
  });
});
