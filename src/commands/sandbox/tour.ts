import { command } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { Failure } from '../../failure.ts';
import { temporaryFailure } from '../../files/file-failure.ts';
import { wrapWords } from '../../output/wrap-words.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import { sandboxFlags } from './flags.ts';
import { type IsolatedRun, withIsolation } from './isolation.ts';
import { openSandbox } from './open.ts';
import { fleet, type TourStep, tourGroups } from './steps.ts';

export const tour = command({
  name: 'sandbox tour',
  withheld: 'starts other programs',
  reach: 'machine',
  summary: 'See every group of commands at work',
  description:
    'Starts an embedded platform, shows and runs commands of every group against it, and stops it. It uses a separate folder and leaves nothing ' +
    'behind. At a terminal it pauses between the groups: Enter continues, Ctrl-C stops it.',
  flags: {
    ...sandboxFlags,
    noPause: { type: 'boolean', description: 'Do not pause between the groups' },
  },
  examples: [
    { line: 'iiot sandbox tour', says: 'At your own pace' },
    { line: 'iiot sandbox tour --no-pause', says: 'Without a pause, in a minute' },
    { line: 'iiot sandbox tour --latency 300ms', says: 'As over a slow line' },
  ],
  async run({ noPause, ...input }, context) {
    const pause = noPause ? undefined : await pauseOf(context);
    const sandbox = await openSandbox(input, context);
    // The tour shows a user's login, and these variables would take precedence over it.
    const without = ['IIOT_CLIENT_ID', 'IIOT_CLIENT_SECRET'];
    await withIsolation({ url: sandbox.url, world: context.world, without, inFolder: true }, async (inside) => {
      const { writeFile } = await import('node:fs/promises');
      const path = `${inside.folder}/${fleet.name}`;
      await writeFile(path, fleet.text).catch((error: unknown) => {
        throw temporaryFailure('write', path, error);
      });
      for (const [number, steps] of tourGroups.entries()) {
        if (number > 0) await pause?.();
        for (const step of steps) await show(step, inside, context);
      }
    }).finally(sandbox.close);
    context.warn('That was the tour. Log in to your own platform with: iiot login --base-url URL');
    return undefined;
  },
});

/** Undefined if the output is not read at a terminal, where a key can be pressed. */
async function pauseOf({ world, person }: Context): Promise<(() => Promise<void>) | undefined> {
  const { canAnswer, pause } = await person();
  return canAnswer && world.stdout.isTTY === true ? () => pause('Press Enter to continue') : undefined;
}

async function show({ says, words, input }: TourStep, { run }: IsolatedRun, { world, warn }: Context): Promise<void> {
  for (const line of wrapWords(says, (world.stderr.columns || Number.POSITIVE_INFINITY) - 2)) warn(`# ${line}`);
  warn(`$ iiot ${words.map((word) => quoteForShell(word)).join(' ')}`);
  const exit = await run(['iiot', ...words], input === undefined ? {} : { input });
  if (world.interrupt.aborted) throw world.interrupt.reason;
  if (exit !== 0) throw new Failure('internal', `The tour stopped at: iiot ${words.join(' ')} (exit code ${exit}).`);
  warn('');
}
