import { command } from '../command.ts';
import type { Context } from '../context.ts';
import type { Result } from '../output/result.ts';
import { thingsToTry, whatToTry } from '../sandbox/things-to-try.ts';
import { formatOf } from '../settings.ts';
import { exec } from './sandbox-exec.ts';
import { sandboxFlags } from './sandbox-flags.ts';
import { openSandbox, type RunningSandbox } from './sandbox-open.ts';
import { clock, exportState } from './sandbox-running.ts';
import { tour } from './sandbox-tour.ts';

const start = command({
  name: 'sandbox start',
  summary: 'Run the embedded platform until Ctrl-C',
  description:
    'Starts an embedded platform on loopback that behaves as the interface says, prints its address, accounts and ids to try, and sets up the profile ' +
    '"sandbox" for it. Ctrl-C ends it. With --data its state outlives it. Nothing outside of this machine can reach it. ' +
    'A browser shows at its address what is in it, and its requests as they come.',
  flags: sandboxFlags,
  examples: [
    { line: 'iiot sandbox start', says: 'Then, in another terminal: iiot --profile sandbox orgs users list' },
    {
      line: 'iiot sandbox start --port 8080 --latency 200ms --fault "PUT /platform/**=503:5%"',
      says: 'A platform with a bad day',
    },
    { line: 'iiot sandbox start --data factory.json', says: 'What is changed is there the next time' },
  ],
  result: {
    type: 'object',
    description: 'Where it listens, and what is in it',
    properties: { url: { type: 'string', format: 'uri', description: 'Its address' } },
    additionalProperties: { description: 'Something to try' },
  },
  async run(input, context) {
    const sandbox = await openSandbox(input, context);
    try {
      await setUpProfile(sandbox, context);
    } catch (error) {
      await sandbox.close();
      throw error;
    }
    return {
      ...shown(sandbox, context),
      ending: async () => {
        await untilInterrupted(context);
        await sandbox.close();
        context.notice('The sandbox has ended.');
        return undefined;
      },
    };
  },
});

async function setUpProfile({ url }: RunningSandbox, { store }: Context): Promise<void> {
  const { tenant, app, org, accounts } = thingsToTry;
  await store.changeConfig((config) => ({
    ...config,
    profiles: {
      ...config.profiles,
      sandbox: { ...config.profiles.sandbox, baseUrl: url, tenant, app, org, account: accounts[0].account },
    },
  }));
}

/** Lines to read, unless another format was asked for. */
function shown({ url }: RunningSandbox, { options, settings }: Context): Result {
  if (formatOf(options, settings) === 'table' && options.jq === undefined) {
    return { kind: 'text', text: `${whatToTry(url).join('\n')}\n` };
  }
  return { kind: 'record', value: { url, ...thingsToTry }, about: url };
}

/** Ctrl-C is how it is meant to end. */
function untilInterrupted({ world }: Context): Promise<void> {
  return new Promise((resolve) => {
    if (world.interrupt.aborted) resolve();
    world.interrupt.addEventListener('abort', () => resolve(), { once: true });
  });
}

export const commands = [start, exec, tour, clock, exportState];
