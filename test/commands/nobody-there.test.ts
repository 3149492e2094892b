/** Where nobody can be asked: every command of the tree, with a standard input that is no terminal and never says anything. */
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import type { Command } from '../../src/command/command.ts';
import { groups } from '../../src/commands/index.ts';
import { ids } from '../../src/sandbox/world/ids.ts';
import { personForEach } from '../support/fixtures.ts';

const commands: readonly Command[] = (await Promise.all(groups.map(({ load }) => load()))).flat();

/** Commands that serve until they are told to end, or run others. */
const serving = new Set(['mcp', 'sandbox start', 'sandbox exec', 'sandbox tour']);

/** Words that these need before they come to their question. */
const more: Readonly<Record<string, readonly string[]>> = {
  'credentials rotate': ['--save-profile', 'robot'],
  'devices custom-info set': ['line=3'],
};
/** What cannot be asked, and the option or variable that says it instead. */
const asking: Readonly<Record<string, RegExp>> = {
  login: /--base-url|IIOT_BASE_URL|--tenant|--account/,
  'login m2m': /--client-id/,
  'orgs delete': /--org-name NAME/,
  'batches create': /--name, --cron, --enabled or --disabled, --run-on-startup/,
  'credentials create': /--name/,
  'credentials delete': /--yes/,
  'credentials rotate': /--yes/,
  'profiles delete': /--yes|There is no profile/,
};

const gone = async () => new Response(null, { status: 404 });
const env = { IIOT_TOKEN: 'a-token', IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined, IIOT_TENANT: undefined };
const someone = personForEach({ fetch: gone, env });

it.each(commands.filter(({ name }) => !serving.has(name)).map((command) => [command.name, command] as const))(
  'iiot %s asks nothing, and ends',
  async (name, { arguments: all }) => {
    const required = Object.entries(all).filter(([, argument]) => !argument.optional && !argument.repeated);
    const words = required.map(([argument]) => (argument === 'orgId' ? ids.root : 'x'));
    const silent = new Readable({ read() {} });
    const { exit, stderr } = await someone.iiot([...name.split(' '), ...words, ...(more[name] ?? [])], {
      stdin: silent,
    });
    expect(stderr).not.toMatch(/\(y\/N\)|\? .*: $/);
    const named = asking[name];
    if (named) expect([exit, stderr, someone.requests]).toEqual([2, expect.stringMatching(named), []]);
  },
);
