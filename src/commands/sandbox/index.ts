import { command } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../output/result.ts';
import { thingsToTry } from '../../sandbox/world/things-to-try.ts';
import { untilAborted } from '../../text/abort.ts';
import { clock, exportState } from './control.ts';
import { exec } from './exec.ts';
import { sandboxFlags } from './flags.ts';
import { openSandbox, type RunningSandbox } from './open.ts';
import { agreeToSetProfile, setProfile } from './profile.ts';
import { tour } from './tour.ts';
import { printsText, welcome } from './welcome.ts';

const start = command({
  name: 'sandbox start',
  withheld: 'starts other programs',
  reach: 'machine',
  summary: 'Run the embedded platform until Ctrl-C',
  description:
    'Starts an embedded platform on loopback that behaves as the interface says, prints its address, accounts and IDs to try, and sets up the ' +
    'profile "sandbox" for it, logged in. If that profile is for another platform, it asks first. Ctrl-C stops it. With --data, its state is ' +
    'kept. Nothing outside this machine can reach it. Open its address in a browser to see its data, and changes and requests as they come.',
  flags: sandboxFlags,
  examples: [
    { line: 'iiot sandbox start', says: 'Then, in another terminal: iiot --profile sandbox orgs users list' },
    {
      line: 'iiot sandbox start --port 8080 --latency 200ms --fault "PUT /platform/**=503:5%"',
      says: 'A platform with a bad day',
    },
    { line: 'iiot sandbox start --data factory.json', says: 'Changes are still there the next time' },
  ],
  result: {
    type: 'object',
    description: 'Where it listens, and what is in it',
    properties: { url: { type: 'string', format: 'uri', description: 'Its address' } },
    additionalProperties: { description: 'Something to try' },
  },
  async run(input, context) {
    await agreeToSetProfile(context);
    const sandbox = await openSandbox(input, context);
    try {
      await setProfile(sandbox, context);
    } catch (error) {
      await sandbox.close();
      throw error;
    }
    return {
      ...shown(sandbox, context),
      ending: async () => {
        // Ctrl-C is the normal end.
        await untilAborted(context.world.interrupt);
        await sandbox.close();
        context.notice('The sandbox has ended.');
        return undefined;
      },
    };
  },
});

function shown({ url }: RunningSandbox, context: Context): Result {
  if (printsText(context)) return { kind: 'text', text: `${welcome(url)}\n` };
  return { kind: 'record', value: { url, ...thingsToTry }, about: url };
}

export const commands = [start, exec, tour, clock, exportState];
