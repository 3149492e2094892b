import type { Context, StandardInput, World } from '../command/context.ts';
import { labelOnScreen } from '../command/label.ts';
import { refuseChange } from '../command/read-only.ts';
import { baseUrl } from '../command/target.ts';
import { Failure, usage } from '../failure.ts';
import type { Waiting } from '../terminal/waiting.ts';
import { onAbort } from '../text/abort.ts';
import type { Mask } from '../text/mask.ts';
import { visible } from '../text/visible.ts';

export type ContextParts = Pick<Context, 'world' | 'options' | 'settings' | 'store' | 'mask' | 'run' | 'waiting'>;

/** Writes lines to stderr. `mark`, a coloured sign, is put before a line unchanged. */
export function printerOf({ stderr }: World, mask: Mask, waiting: Waiting): Context['notice'] {
  return (line, sign = '') => {
    waiting.hide();
    stderr.write(`${sign}${visible(mask.sentence(line))}\n`);
  };
}

/** Builds the context of a command; each part is made on first use. */
export function openContext({ world, options, settings, store, mask, run, waiting }: ContextParts): Context {
  const print = printerOf(world, mask, waiting);
  const notice = options.quiet ? () => undefined : print;
  const context: Context = {
    world,
    options,
    settings,
    store,
    mask,
    run,
    waiting,
    notice,
    warn: print,
    input: standardInput(world, notice, waiting),
    sleep: (milliseconds) => interruptible(milliseconds, world.interrupt),
    person: once(async () => {
      const { openPerson } = await import('../terminal/person.ts');
      const { stdin, stderr, env, interrupt } = world;
      const begin = () => waiting.begin('').end;
      const label = await labelOnScreen(context);
      return openPerson({ stdin, stderr, env, noInput: options.noInput === true, signal: interrupt, begin, label });
    }),
    clientCertificate: once(async () => (await import('./client-certificate.ts')).openClientCertificate(context)),
    exchange: once(async () => (await import('./open-wire.ts')).openWire(context)),
    session: once(async () => (await import('./open-wire.ts')).openLogin(context)),
    platform: once(async () => {
      const { openPlatform } = await import('../http/platform.ts');
      return openPlatform({
        base: baseUrl(context),
        exchange: await context.exchange(),
        session: await context.session(),
        beforeChange: (what) => refuseChange(what, settings),
        notice,
      });
    }),
    bulkPlatform: async (bulk) => (await import('./open-bulk.ts')).openBulkPlatform(context, bulk),
    withBaseUrl: (value) => {
      const resolved = { ...settings.resolved, baseUrl: { value, from: 'your answer' } };
      return openContext({ ...context, settings: { ...settings, resolved } });
    },
  };
  return context;
}

function standardInput(world: World, notice: Context['notice'], waiting: Waiting): StandardInput {
  let taken: string | undefined;
  return {
    async take(option) {
      if (taken) throw usage(`${option} and ${taken} cannot both be standard input.`, 'Give one of them as a file');
      taken = option;
      if (world.stdin.isTTY) notice(`${option}: reading from the terminal; Ctrl-D on an empty line ends it.`);
      const { readAll } = await import('../terminal/input.ts');
      // No spinner while somebody types at a terminal.
      const wait = waiting.begin(world.stdin.isTTY ? '' : 'Reading standard input');
      return readAll(world.stdin, 28 * 1024 * 1024, world.interrupt).finally(wait.end);
    },
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined;
  return () => {
    pending ??= make();
    return pending;
  };
}

function interruptible(milliseconds: number, interrupt: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      unsubscribe();
      resolve();
    }, milliseconds);
    const unsubscribe = onAbort(interrupt, () => {
      clearTimeout(timer);
      reject(interrupt.reason instanceof Failure ? interrupt.reason : new Failure('interrupted', 'Stopped.'));
    });
  });
}
