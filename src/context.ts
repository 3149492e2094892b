import type { Session } from './auth/session.ts';
import { Failure, usage } from './failure.ts';
import type { Exchange, Fetch } from './fetch.ts';
import type { GlobalInput } from './global-options.ts';
import type { Platform } from './http/call.ts';
import type { Mask } from './http/mask.ts';
import { isLoopback } from './loopback.ts';
import { visible } from './output/visible.ts';
import type { Settings } from './settings.ts';
import type { Store } from './store/store.ts';
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
  /** Keeps the memory of long work small, at the price of a little more collecting. */
  readonly beFrugal?: () => Promise<void>;
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

/** The organization that a command acts in. @throws usage where none is set */
export function organization({ settings }: Pick<Context, 'settings'>): string {
  if (settings.missing) throw settings.missing;
  const found = settings.sourced.org;
  if (found) return found.value;
  if (settings.broken) throw settings.broken;
  throw usage(
    'Which organization? --org is missing.',
    `Give --org ID, set IIOT_ORG, or: iiot profiles set ${settings.profile.value} org=ID`,
  );
}

/**
 * The base URL that a command talks to.
 * @throws usage where none is set, where it is plain http to another machine that the profile does not allow, and for a platform outside
 * of a sandbox under which the command runs; and for a profile that was named and does not exist, unless it may be new
 */
export function baseUrl(
  { settings, world }: Pick<Context, 'settings' | 'world'>,
  profile: 'existing' | 'new' = 'existing',
): string {
  if (settings.missing && profile === 'existing') throw settings.missing;
  const found = settings.sourced.baseUrl;
  if (!found) {
    if (settings.broken) throw settings.broken;
    throw usage(
      'Which platform? --base-url is missing.',
      `Give --base-url URL, set IIOT_BASE_URL, or: iiot profiles set ${settings.profile.value} baseUrl=URL. To try without one: iiot sandbox tour`,
    );
  }
  refuseOutside(found.value, world.env);
  const address = new URL(found.value);
  if (address.protocol === 'http:' && !isLoopback(address) && settings.stored.allowHttp !== true) {
    throw usage(
      `${found.value} is plain http, which shows passwords and tokens to everybody on the way.`,
      `Use https, or if you must: iiot profiles set ${settings.profile.value} allowHttp=true`,
    );
  }
  return found.value;
}

/** "while it runs, iiot refuses every other platform": a rehearsal must not touch production. */
function refuseOutside(base: string, env: World['env']): void {
  if (!env.IIOT_SANDBOX) return;
  const own = env.IIOT_SANDBOX_URL;
  if (own !== undefined && URL.canParse(own) && new URL(base).origin === new URL(own).origin) return;
  throw usage(
    `${new URL(base).origin} is not the sandbox that this command runs under, so nothing is sent to it.`,
    `Under iiot sandbox exec only ${own ?? 'the sandbox'} is spoken to`,
  );
}

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
    input: standardInput(world),
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

function standardInput(world: World): StandardInput {
  let taken: string | undefined;
  return {
    async take(option) {
      if (taken) throw usage(`${option} and ${taken} cannot both be standard input.`, 'Give one of them as a file');
      taken = option;
      const { readAll } = await import('./terminal/input.ts');
      return readAll(world.stdin, 28 * 1024 * 1024);
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
