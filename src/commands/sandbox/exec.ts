import { command } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { readText } from '../../command/read-file.ts';
import { text } from '../../contract/shared.ts';
import { foundExit, usage } from '../../failure.ts';
import type { Expectation, SeenRequest } from '../../sandbox/expectations.ts';
import { sandboxFlags } from './flags.ts';
import { withIsolation } from './isolation.ts';

export const exec = command({
  name: 'sandbox exec',
  without: { agents: 'starts other programs' },
  shell: { ends: { found: 'the requests differ from those of --expect' } },
  reach: 'machine',
  summary: 'Run a command against an embedded platform',
  description:
    "Starts an embedded platform on a free port and runs the command with iiot's variables set for it, a client credential and a separate " +
    'configuration folder included. Passes on the output and the exit code of the command, then stops the platform and everything that the ' +
    'command started. Inside, iiot is this same program and talks to no other platform. With --expect, the requests are compared with a list, ' +
    'one per line: METHOD PATH-GLOB [STATUS]; the exit code is 10 if they differ.',
  arguments: {
    command: text('The command to run, with its arguments', { value: 'COMMAND', repeated: true, behindDashes: 'any' }),
  },
  flags: { ...sandboxFlags, expect: text('Requests that the command must make, in this order', { value: 'FILE' }) },
  examples: {
    'iiot sandbox exec -- iiot orgs users list': 'A first look',
    'iiot sandbox exec --fault "PUT /platform/**=503:20%" -- sh rollout.sh': 'Rehearse a script while requests fail',
    'iiot sandbox exec --expect rollout.expect -- sh rollout.sh': 'The test of a script',
    'iiot sandbox exec --transcript rollout.har -- sh rollout.sh': 'Look at its requests in a browser',
  },
  async run(input, context) {
    const expected = input.expect === undefined ? undefined : await readExpected(input.expect, context);
    const { openSandbox } = await import('./open.ts');
    const sandbox = await openSandbox(input, context, { remember: expected !== undefined });
    const exit = await withIsolation(sandbox.url, context.world, ({ run }) => run(input.command)).finally(
      sandbox.close,
    );
    const differences = expected && (await printDifferences(expected, sandbox.requests, context));
    // stdout belongs to the command in every format, so the differences go to stderr.
    if (differences) context.warn(`The requests differ from ${input.expect} in ${differences}: ${legend}.`);
    if (exit === foundExit) context.warn(`The command itself ended with ${foundExit}.`);
    // A command that fails has printed its own errors.
    const verdict = { exit: exit === 0 && differences ? foundExit : exit };
    return { kind: 'text', text: '', ending: async () => verdict };
  },
});

const legend = '- was expected but not made, + was made but not expected';

async function readExpected(path: string, context: Context): Promise<readonly Expectation[]> {
  const { readExpectations } = await import('../../sandbox/expectations.ts');
  const list = readExpectations(await readText(path, '--expect', context));
  if (typeof list === 'string') throw usage(`--expect ${path}: ${list}`);
  return list;
}

/** Prints the first fifty differences. @returns their number in words; undefined if there are none */
async function printDifferences(expected: readonly Expectation[], requests: readonly SeenRequest[], { warn }: Context) {
  const { compareRequests } = await import('../../sandbox/expectations.ts');
  const differences = await compareRequests(expected, requests);
  const shown = 50;
  for (const { kind, request } of differences.slice(0, shown)) warn(`${kind === 'missing' ? '-' : '+'} ${request}`);
  if (differences.length > shown) warn(`and ${differences.length - shown} more`);
  if (differences.length === 0) return undefined;
  return differences.length === 1 ? 'one place' : `${differences.length} places`;
}
