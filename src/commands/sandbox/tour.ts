import { command } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { Failure } from '../../failure.ts';
import { quoted } from '../../text/shell-lines.ts';
import { sandboxFlags } from './flags.ts';
import { type IsolatedRun, isolated } from './isolated.ts';
import { openSandbox } from './open.ts';
import { fleet, type Step, steps } from './steps.ts';

export const tour = command({
  name: 'sandbox tour',
  summary: 'See every group of commands at work',
  description:
    'Starts an embedded platform, runs commands of every group against it, each shown and then run for real, and takes it down. ' +
    'It runs in a folder of its own, and leaves nothing behind.',
  flags: sandboxFlags,
  examples: [
    { line: 'iiot sandbox tour', says: 'One minute' },
    { line: 'iiot sandbox tour --latency 300ms', says: 'As over a slow line' },
  ],
  async run(input, context) {
    const sandbox = await openSandbox(input, context);
    // The login of a person is shown, and the variables of a machine would win over it.
    const without = ['IIOT_CLIENT_ID', 'IIOT_CLIENT_SECRET'];
    await isolated({ url: sandbox.url, world: context.world, without, inFolder: true }, async (inside) => {
      const { writeFile } = await import('node:fs/promises');
      await writeFile(`${inside.folder}/${fleet.name}`, fleet.text);
      for (const step of steps) await show(step, inside, context);
    }).finally(sandbox.close);
    context.warn('');
    context.warn(`That was ${sandbox.url}, an embedded platform; it is gone now. Your own: iiot login --base-url URL`);
    return undefined;
  },
});

async function show({ says, words, input }: Step, { run }: IsolatedRun, { world, warn }: Context): Promise<void> {
  for (const line of ['', `# ${says}`, `$ iiot ${words.map((word) => quoted(word)).join(' ')}`]) warn(line);
  const exit = await run(['iiot', ...words], input === undefined ? {} : { input });
  if (world.interrupt.aborted) throw world.interrupt.reason;
  if (exit !== 0) throw new Failure('internal', `The tour ended at: iiot ${words.join(' ')} (exit code ${exit}).`);
}
