import { command } from '../command.ts';
import type { Context } from '../context.ts';
import { Failure, usage } from '../failure.ts';
import { readText } from '../files.ts';
import type { Expectation, Made } from '../sandbox/expectations.ts';
import { sandboxFlags } from './sandbox-flags.ts';
import { within } from './sandbox-inside.ts';
import { openSandbox } from './sandbox-open.ts';

export const exec = command({
  name: 'sandbox exec',
  summary: 'Run a command against an embedded platform',
  description:
    'Starts an embedded platform on a free port, runs the command with the variables of this tool pointing at it (a client credential included, and a ' +
    'configuration folder of its own), passes its output and exit code on, and takes the platform down with all that the command has started. ' +
    'Inside, iiot is this very program and talks to no other platform. With --expect the requests that were made are compared with a list, ' +
    'a line each: METHOD PATH-GLOB [STATUS]; differences are shown, and end it with 9.',
  arguments: {
    command: {
      type: 'string',
      value: 'COMMAND',
      repeated: true,
      description: 'The command and its arguments, behind --',
    },
  },
  flags: {
    ...sandboxFlags,
    expect: { type: 'string', value: 'FILE', description: 'Requests that the command has to make, in this order' },
  },
  examples: [
    { line: 'iiot sandbox exec -- iiot orgs users list', says: 'A first look' },
    {
      line: 'iiot sandbox exec --fault "PUT /platform/**=503:20%" -- sh rollout.sh',
      says: 'Rehearse a script on a bad day',
    },
    { line: 'iiot sandbox exec --expect rollout.expect -- sh rollout.sh', says: 'The test of a script' },
    { line: 'iiot sandbox exec --transcript rollout.har -- sh rollout.sh', says: 'Look at its requests in a browser' },
  ],
  async run(input, context) {
    const expected = input.expect === undefined ? undefined : await readList(input.expect, context);
    const sandbox = await openSandbox(input, context, expected !== undefined);
    const exit = await within({ url: sandbox.url, world: context.world }, ({ run }) => run(input.command)).finally(
      sandbox.close,
    );
    const differences = expected && (await compared(expected, sandbox.made, context));
    if (exit !== 0) throw new PassedOn(exit);
    if (differences) {
      throw new Failure('partial', `The requests differ from ${input.expect} in ${differences}.`, {
        hint: 'A line with - was expected and not made, one with + was made and not expected',
      });
    }
    return undefined;
  },
});

/** The command's own end, passed on; it has said itself what there was to say. */
class PassedOn extends Failure {
  constructor(exit: number) {
    super('internal', '', { exit });
  }
}

async function readList(path: string, context: Context): Promise<readonly Expectation[]> {
  const { readExpectations } = await import('../sandbox/expectations.ts');
  const list = readExpectations(await readText(path, '--expect', context));
  if (typeof list === 'string') throw usage(`--expect ${path}: ${list}`);
  return list;
}

/** Shows what differs, the first fifty. Gives in how many places; undefined where in none. */
async function compared(expected: readonly Expectation[], made: readonly Made[], { warn }: Context) {
  const { compareRequests } = await import('../sandbox/expectations.ts');
  const differences = compareRequests(expected, made);
  const shown = 50;
  for (const { kind, request } of differences.slice(0, shown)) warn(`${kind === 'missing' ? '-' : '+'} ${request}`);
  if (differences.length > shown) warn(`and ${differences.length - shown} more`);
  if (differences.length === 0) return undefined;
  return differences.length === 1 ? 'one place' : `${differences.length} places`;
}
