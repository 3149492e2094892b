import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type ListenOptions, type LocalServer, type Respond, serveLocally } from '../web/serve.ts';
import type { EmbeddedPlatform } from './handler.ts';
import { createPlatform, type PlatformOptions } from './platform.ts';
import { type SavedState, serialize } from './world/state.ts';

export type ServerOptions = Omit<PlatformOptions, 'now' | 'key' | 'world' | 'identity' | 'onChange'> & {
  /** 0 by default, for any free port. */
  readonly port?: number;
  /** This machine alone by default. */
  readonly place?: ListenOptions;
  /** The real time by default. */
  readonly now?: () => number;
  readonly saved?: SavedState;
  /** Replaces the saved state atomically: called at the start, soon after changes, and at the end. */
  readonly save?: (text: string) => Promise<void>;
  /** Called with an error of the sandbox itself, which then responds with 500, and for a caller who left in the middle of a body. */
  readonly onError?: (error: unknown) => void;
};

/** `close` also saves the state, and rejects if that fails. */
export type RunningServer = LocalServer & { readonly platform: EmbeddedPlatform };

/** Serves a platform on a real socket. Rejects with the system's error (EADDRINUSE, EACCES) for the port, and with that of `save` for the state. */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const { saved, save } = options;
  const platform: EmbeddedPlatform = createPlatform({
    now: Date.now,
    ...options,
    ...saved,
    // A shift of a saved clock is relative to its saved time.
    moved: (saved?.moved ?? 0) + (options.moved ?? 0),
    key: randomBytes(32),
    onChange: () => saver?.noteChange(),
  });
  const saver = save && createSaver(() => serialize(platform), save);
  saver?.noteChange();
  await saver?.flush();
  const respond: Respond = async (request, reset) => {
    const outcome = await platform.respond(request).catch((error: unknown) => {
      options.onError?.(error);
      return Response.json({ error: { code: 'Internal', message: 'The sandbox failed.' } }, { status: 500 });
    });
    if (typeof outcome !== 'string') return outcome;
    if (outcome === 'reset') reset();
    return new Promise<Response>(() => {}); // never responds
  };
  const { url, port, close } = await serveLocally(options.port ?? 0, respond, options.place);
  return {
    url,
    port,
    platform,
    async close() {
      await close();
      await saver?.flush();
    },
  };
}

const delay = (milliseconds: number): Promise<void> => setTimeout(milliseconds, undefined, { ref: false });

/** Saves a state after changes, one write at a time. A pause of ten times its duration follows, so that a large world is not saved all the time. */
export function createSaver(
  text: () => string,
  write: (text: string) => Promise<void>,
  { now, rest } = { now: () => performance.now(), rest: delay },
) {
  const state = { isDirty: false, isResting: false, failure: undefined as unknown };
  let writing = Promise.resolve();
  const save = () => {
    writing = writing.then(async () => {
      if (!state.isDirty) return;
      state.isDirty = false;
      try {
        await write(text());
        state.failure = undefined;
      } catch (error) {
        state.failure = error;
      }
    });
    return writing;
  };
  const saveSoon = async () => {
    // Changes may come during a slow write, so the loop checks for them after the pause.
    for (state.isResting = true; state.isDirty; ) {
      await rest(50);
      const startedAt = now();
      await save();
      await rest((now() - startedAt) * 10);
    }
    state.isResting = false;
  };
  return {
    noteChange: () => {
      state.isDirty = true;
      if (!state.isResting) void saveSoon();
    },
    /** Saves what has not been saved yet. Rejects with the last error, unless a later write succeeded. */
    flush: async () => {
      await save();
      if (state.failure !== undefined) throw state.failure;
    },
  };
}
