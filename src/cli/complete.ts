import type { Context, World } from '../command/context.ts';
import { readSettings } from '../command/settings.ts';
import { groups } from '../commands/index.ts';
import { sinkOf } from '../output/sink.ts';
import type { Grammar } from '../shell/grammar.ts';
import { completeLive, optionValueIn, patience } from '../shell/live.ts';
import { openStore } from '../store/store.ts';
import { silentWaiting } from '../terminal/waiting.ts';
import { createMask } from '../text/mask.ts';
import { openContext } from './open-context.ts';

/** Writes the completions for the words that the shell's script passes. Never fails. @param run the `run` of the context */
export async function complete(words: readonly string[], world: World, run: Context['run']): Promise<number> {
  const open = (line: readonly string[]) => openCompletionContext(line, world, run);
  const answer = await completeLive(words, await loadGrammar(world), groups, open);
  await sinkOf(world.stdout, world.env).write(answer);
  return 0;
}

/** Loads the grammar of the command line that the build has written. Without a build, makes it from the definitions. */
async function loadGrammar({ text }: World): Promise<Grammar> {
  const written = text?.('dist/completions.json');
  if (written !== undefined) return JSON.parse(written) as Grammar; // written by the build
  const [{ readGrammar }, { loadBranches }] = await Promise.all([
    import('../shell/grammar.ts'),
    import('../shell/tree.ts'),
  ]);
  return readGrammar(await loadBranches(groups));
}

/** Opens a context without prompts, messages and waiting. @param line the command line so far */
function openCompletionContext(line: readonly string[], world: World, run: Context['run']): Context {
  const { env, platform, homedir, uid, now } = world;
  const store = openStore({ env, platform, homedir, uid, now, warn: () => undefined });
  const typed = (name: string) => optionValueIn(line, name);
  const options = { profile: typed('profile'), baseUrl: typed('base-url'), org: typed('org') };
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
    warn: () => undefined,
  });
}
