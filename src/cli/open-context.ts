import { setTimeout as delay } from 'node:timers/promises';
import type { Context, StandardInput, World } from '../command/context.ts';
import { labelOnScreen } from '../command/label.ts';
import { organizationCheck } from '../command/place.ts';
import { largestFile } from '../command/read-file.ts';
import { refuseChange } from '../command/read-only.ts';
import { baseUrl } from '../command/target.ts';
import { Failure, usage } from '../failure.ts';
import { streamAt } from '../files/open-regular.ts';
import type { ResponseHeaders } from '../network/fetch.ts';
import { openPipe } from '../network/pipe.ts';
import type { Waiting } from '../terminal/waiting.ts';
import { once } from '../text/once.ts';

type ContextParts = Pick<Context, 'world' | 'options' | 'settings' | 'store' | 'mask' | 'run' | 'waiting' | 'warn'>;

/** Opens the context of a command. What needs the network or a prompt is loaded on first use. */
export function openContext(parts: ContextParts): Context {
  const { world, options, settings, waiting, warn } = parts;
  const notice = options.quiet ? () => undefined : warn;
  const context: Context = {
    ...parts,
    clock: platformClock(world.now),
    notice,
    input: standardInput(world, notice, waiting),
    sleep: async (milliseconds) => {
      const { interrupt: signal } = world;
      await delay(milliseconds, undefined, { signal }).catch(() => {
        throw signal.reason instanceof Failure ? signal.reason : new Failure('interrupted', 'Stopped.');
      });
    },
    person: once(async () => {
      const { openPerson } = await import('../terminal/person.ts');
      const { stdin, stderr, env, interrupt } = world;
      // The user may take hours to answer a prompt.
      if (stdin.isTTY) world.keepProgram?.();
      const begin = () => waiting.begin('').end;
      const label = await labelOnScreen(context);
      return openPerson({ stdin, stderr, env, noInput: options.noInput === true, signal: interrupt, begin, label });
    }),
    clientCertificate: once(async () => (await import('./open-wire.ts')).openClientCertificate(context)),
    network: once(async () => (await import('./open-wire.ts')).openConnections(context)),
    exchange: once(async () => (await import('./open-wire.ts')).openWire(context)),
    session: once(async () => (await import('./open-wire.ts')).openLogin(context)),
    platform: once(async () => {
      const { openPlatform } = await import('../http/platform.ts');
      return openPlatform({
        base: baseUrl(context),
        exchange: await context.exchange(),
        session: await context.session(),
        beforeChange: (what) => refuseChange(what, settings),
        beforeSending: organizationCheck(context),
        notice,
      });
    }),
    // Not shared: each caller sets its own `bulk`.
    bulkPlatform: async (bulk) => (await import('./open-wire.ts')).openBulkPlatform(context, bulk),
    withBaseUrl: (value) => {
      const resolved = { ...settings.resolved, baseUrl: { value, from: 'your answer' } };
      return openContext({ ...context, options: { ...options, baseUrl: value }, settings: { ...settings, resolved } });
    },
  };
  return context;
}

/** A difference between two clocks that does not matter for tokens and expiries, in milliseconds. */
const tolerance = 5 * 60_000;

function platformClock(now: () => number): Context['clock'] {
  let lastResponse: { readonly headers: ResponseHeaders; readonly at: number } | undefined;
  const ahead = () => {
    const difference = (lastResponse?.at ?? 0) - Date.parse(lastResponse?.headers.get('date') ?? '');
    return Math.abs(difference) > tolerance ? difference : 0;
  };
  return {
    readDate(headers) {
      lastResponse = { headers, at: now() };
    },
    isKnown: () => Number.isFinite(Date.parse(lastResponse?.headers.get('date') ?? '')),
    ahead,
    words() {
      const minutes = Math.round(Math.abs(ahead()) / 60_000);
      if (minutes === 0) return undefined;
      const span = minutes < 180 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
      return `This machine's clock is ${span} ${ahead() > 0 ? 'ahead of' : 'behind'} the platform's.`;
    },
  };
}

function standardInput(world: World, notice: Context['notice'], waiting: Waiting): StandardInput {
  let takenBy: string | undefined;
  return {
    async take(option, path) {
      const { readAll } = await import('../terminal/input.ts');
      if (streamAt(path) === 'pipe')
        return readAll(await openPipe(path), largestFile, world.interrupt, `${option} ${path}`);
      if (takenBy) throw usage(`${option} and ${takenBy} cannot both be standard input.`, 'Give one of them as a file');
      takenBy = option;
      if (world.stdin.isTTY) notice(`${option}: reading from the terminal; Ctrl-D on an empty line ends it.`);
      // No spinner while somebody types at a terminal.
      const wait = waiting.begin(world.stdin.isTTY ? '' : 'Reading standard input');
      return readAll(world.stdin, largestFile, world.interrupt).finally(wait.end);
    },
  };
}
