import type { Session } from './auth/session.ts';
import { Failure, usage } from './failure.ts';
import type { Exchange, Fetch } from './fetch.ts';
import type { GlobalInput } from './global-options.ts';
import type { Platform } from './http/call.ts';
import type { Mask } from './http/mask.ts';
import { visible } from './output/visible.ts';
import type { Settings } from './settings.ts';
import type { Store } from './store/store.ts';
import { baseUrl } from './target.ts';
import type { Person } from './terminal/person.ts';
import type { Input, Output } from './terminal/streams.ts';

/** The real world, handed in by bin/ or by a test. */
export type World = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly homedir: () => string;
  readonly uid?: number;
  readonly nodeVersion: string;
  /** How this program is called again: the interpreter and the script. */
  readonly self: readonly string[];
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Milliseconds that no clock change moves. */
  readonly monotonic: () => number;
  readonly random: () => number;
  /** Aborted by SIGINT, SIGTERM or SIGHUP, with a Failure 'interrupted' as its reason. */
  readonly interrupt: AbortSignal;
  /** Keeps the memory of long work small: of what lives long, or of all, at the price of more collecting. */
  readonly beFrugal?: (what: 'old' | 'all') => Promise<void>;
  /** A test's wire; the network where absent. */
  readonly fetch?: Fetch;
};

/** What a command may touch; each part is made when it is first used. */
export type Context = {
  readonly world: World;
  readonly options: GlobalInput;
  readonly settings: Settings;
  readonly store: Store;
  readonly mask: Mask;
  /** A line on stderr for the person, unless --quiet. */
  readonly notice: (line: string) => void;
  /** The same, even with --quiet: what must not be missed. */
  readonly warn: (line: string) => void;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly input: StandardInput;
  readonly person: () => Promise<Person>;
  readonly exchange: () => Promise<Exchange>;
  readonly session: () => Promise<Session>;
  readonly platform: () => Promise<Platform>;
  /** Runs another command line in this process, as `main` does. @returns its exit code */
  readonly run: Run;
};

export type Run = (argv: readonly string[], world: World) => Promise<number>;

/** Standard input, which can be taken once. */
export type StandardInput = {
  /** All its bytes. `option` is whose value it is. @throws usage where another option has taken it */
  readonly take: (option: string) => Promise<Buffer>;
};

export type ContextParts = {
  readonly world: World;
  readonly options: GlobalInput;
  readonly settings: Settings;
  readonly store: Store;
  readonly mask: Mask;
  readonly run: Run;
};

/** Puts the parts together, each when it is first asked for. */
export function openContext({ world, options, settings, store, mask, run }: ContextParts): Context {
  const say = (line: string) => void world.stderr.write(`${visible(mask.text(line), 'keep')}\n`);
  const notice = options.quiet ? () => undefined : say;
  const context: Context = {
    world,
    options,
    settings,
    store,
    mask,
    run,
    notice,
    warn: say,
    input: standardInput(world, notice),
    sleep: (milliseconds) => interruptible(milliseconds, world.interrupt),
    person: once(async () => {
      const { openPerson } = await import('./terminal/person.ts');
      const { stdin, stderr, env, interrupt } = world;
      return openPerson({ stdin, stderr, env, noInput: options.noInput === true, signal: interrupt });
    }),
    exchange: once(async () => (await import('./http/open.ts')).openWire(context)),
    session: once(async () => (await import('./http/open.ts')).openLogin(context)),
    platform: once(async () => {
      const { openPlatform } = await import('./http/call.ts');
      return openPlatform({
        base: baseUrl(context),
        exchange: await context.exchange(),
        session: await context.session(),
      });
    }),
  };
  return context;
}

/** The same context for another platform: a person has just named it. */
export function withBaseUrl(context: Context, value: string): Context {
  const { settings } = context;
  const sourced = { ...settings.sourced, baseUrl: { value, from: 'your answer' } };
  return openContext({ ...context, settings: { ...settings, sourced } });
}

function standardInput(world: World, notice: Context['notice']): StandardInput {
  let taken: string | undefined;
  return {
    async take(option) {
      if (taken) throw usage(`${option} and ${taken} cannot both be standard input.`, 'Give one of them as a file');
      taken = option;
      if (world.stdin.isTTY) notice(`${option}: reading from the terminal; Ctrl-D on an empty line ends it.`);
      const { readAll } = await import('./terminal/input.ts');
      return readAll(world.stdin, 28 * 1024 * 1024, world.interrupt);
    },
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function interruptible(milliseconds: number, interrupt: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(interrupt.reason instanceof Failure ? interrupt.reason : new Failure('interrupted', 'Stopped.'));
    };
    const timer = setTimeout(() => {
      interrupt.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (interrupt.aborted) stop();
    interrupt.addEventListener('abort', stop, { once: true });
  });
}
