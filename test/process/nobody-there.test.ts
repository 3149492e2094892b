/** Where nobody can be asked: every command of the tree, with each kind of standard input that is no terminal. */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Command } from '../../src/command/command.ts';
import { groups } from '../../src/commands/index.ts';
import { madeForAll } from '../support/fixtures.ts';
import { homeForAll } from '../support/home.ts';
import { programFile, programWords } from '../support/program.ts';
import { answerText, rawServer } from '../support/raw-server.ts';

const commands: readonly Command[] = (await Promise.all(groups.map(({ load }) => load()))).flat();

/** Commands that serve until they are told to end, or run others. */
const serving = new Set(['mcp', 'sandbox start', 'sandbox exec', 'sandbox tour']);
const tried = commands.filter(({ name }) => !serving.has(name));

/** Words that these need before they come to their question. */
const more: Readonly<Record<string, readonly string[]>> = {
  'credentials rotate': ['--save-profile', 'robot'],
  'credentials delete': [],
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

const server = madeForAll(() => rawServer((socket) => socket.write(answerText(404))));
const home = homeForAll(() => ({ IIOT_BASE_URL: server.origin, IIOT_ORG: 'org', IIOT_TOKEN: 'a-token' }));
let silentPipe: number;
beforeAll(() => {
  execFileSync('mkfifo', [home.at('pipe')]);
  // We hold its other end, too, and say nothing.
  silentPipe = openSync(home.at('pipe'), constants.O_RDWR);
});
afterAll(() => closeSync(silentPipe));

const stdins = ['a socket', 'a silent pipe', '/dev/null', 'closed'] as const;

async function run({ name, arguments: all }: Command, stdin: (typeof stdins)[number]) {
  const required = Object.entries(all).filter(([, argument]) => !argument.optional && !argument.repeated);
  const ids: Readonly<Record<string, string>> = { orgId: '0b0f2a1c-1111-4222-8333-444455556666' };
  const words = [...name.split(' '), ...required.map(([argument]) => ids[argument] ?? 'x'), ...(more[name] ?? [])];
  const around = stdin === 'closed' ? ['/bin/sh', '-c', 'exec "$@" <&-', 'sh'] : [];
  const options = ['--retries', '0', '--request-timeout', '10m'];
  const [file = '', ...rest] = [...around, programFile, ...programWords, ...words, ...options];
  const ended = await execa(file, rest, {
    env: home.env,
    extendEnv: false,
    cwd: home.folder,
    // An open end that never says anything.
    stdin: { 'a socket': 'pipe', 'a silent pipe': silentPipe, '/dev/null': 'ignore', closed: 'ignore' }[
      stdin
    ] as 'pipe',
    reject: false,
    timeout: 60_000,
  });
  return { name, exit: ended.exitCode, stderr: ended.stderr };
}

/** As many at a time as a small machine has processors. */
async function runAll(chosen: readonly Command[], stdin: (typeof stdins)[number]) {
  const waiting = [...chosen];
  const ended: Awaited<ReturnType<typeof run>>[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) ended.push(await run(next, stdin));
  };
  await Promise.all([work(), work()]);
  for (const { name, exit, stderr } of ended) {
    expect({ name, ended: exit !== undefined, question: /\(y\/N\)|\? .*: $/.test(stderr) }, stderr).toEqual({
      name,
      ended: true,
      question: false,
    });
  }
  return ended;
}

it.each(stdins)('every command with a question ends without an answer with %s as standard input', async (stdin) => {
  const before = server.requests.length;
  const asked = tried.filter(({ name }) => asking[name]);
  for (const { name, exit, stderr } of await runAll(asked, stdin))
    expect({ name, exit, named: asking[name]?.test(stderr) }, stderr).toEqual({ name, exit: 2, named: true });
  expect(server.requests.length).toBe(before);
});

it('every other command ends without an answer with a socket as standard input', async () => {
  await runAll(
    tried.filter(({ name }) => !asking[name]),
    'a socket',
  );
});
