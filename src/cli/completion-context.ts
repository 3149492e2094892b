import type { Context, World } from '../command/context.ts';
import { readSettings } from '../command/settings.ts';
import { patience, valueIn } from '../shell/live.ts';
import { openStore } from '../store/store.ts';
import { silentWaiting } from '../terminal/waiting.ts';
import { createMask } from '../text/mask.ts';
import { type ContextParts, openContext } from './open-context.ts';

/** The context of a completion: without prompts, messages and waiting. `line` is the command line so far. */
export function openCompletionContext(line: readonly string[], world: World, run: ContextParts['run']): Context {
  const { env, platform, homedir, uid, now } = world;
  const store = openStore({ env, platform, homedir, uid, now, warn: () => undefined });
  const options = { profile: valueIn(line, 'profile'), baseUrl: valueIn(line, 'base-url'), org: valueIn(line, 'org') };
  const settings = readSettings(options, env, () => store.readConfig());
  const interrupt = AbortSignal.any([world.interrupt, AbortSignal.timeout(patience)]);
  // Do not spread `world`: reading its stdin property opens standard input.
  const limitedWorld: World = Object.create(world, { interrupt: { value: interrupt } });
  return openContext({
    world: limitedWorld,
    options: { quiet: true },
    settings: { ...settings, timeout: patience, retries: 0 },
    store,
    mask: createMask(new Set()),
    run,
    waiting: silentWaiting,
  });
}
