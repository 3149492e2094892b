/** The program that a profile names as `secretCommand`: it prints the client secret, or the password, and nobody keeps it (docs/secrets.md). */
import type { Context } from '../command/context.ts';
import { type Finding, ok, warning } from '../doctor/finding.ts';
import { asFailure, Failure, ignoreFailure } from '../failure.ts';
import { placeWords, sameTenant } from '../place.ts';
import { secretCommandPlaceOf } from '../store/config.ts';
import { onAbort } from '../text/abort.ts';
import { largestSecret, secretIn } from '../text/secret.ts';
import { argumentForShell, quoteForShell } from '../text/shell-lines.ts';

/** How long the output may stay open after the program has ended, in milliseconds: it may have started a daemon that inherits it. */
const outputGrace = 500;

/** Returns a function that runs the profile's `secretCommand` and gives the secret; undefined without one. The function @throws unauthenticated, io */
export function openSecretCommand(context: Context): (() => Promise<string>) | undefined {
  const { settings, store, world, mask, waiting } = context;
  const { secretCommand: words } = settings.stored;
  if (!words) return undefined;
  return async () => {
    store.refuseShared();
    const obstacle = await findObstacle(context);
    if (obstacle) throw obstacle;
    const { canAnswer } = await context.person();
    // No spinner: the program may ask something at the terminal.
    const wait = waiting.begin('');
    const isWatched = world.stderr.isTTY === true;
    const place = { cwd: store.folder, env: world.env, interrupt: world.interrupt, canAnswer, isWatched };
    const result = await runForSecret(words, place).finally(wait.end);
    if ('secret' in result) {
      mask.remember(result.secret);
      return result.secret;
    }
    const sentence = `The secretCommand of profile ${settings.profile.value} gave no secret: ${words[0]} ${result.problem}.`;
    const hint = `Run it to see why: ${words.map((word) => quoteForShell(word, world.platform)).join(' ')}`;
    // The platform has refused nothing, so the login has not ended.
    throw new Failure('unauthenticated', sentence, { hint, refused: 'elsewhere' });
  };
}

/** Finds out why the profile's `secretCommand` must not run: it belongs to another platform, or was not set by this user here. Undefined if it may. */
export async function findObstacle({ settings, store }: Context): Promise<Failure | undefined> {
  const { stored, resolved, profile } = settings;
  const obstacle = (why: string, hint: string) =>
    new Failure('unauthenticated', `The secretCommand of profile ${profile.value} ${why}`, {
      hint,
      refused: 'elsewhere',
    });
  const bound = secretCommandPlaceOf(stored);
  const currentPlace = { base: resolved.baseUrl?.value ?? '', tenant: resolved.tenant?.value };
  if (bound && sameTenant(bound, currentPlace) === 'other')
    return obstacle(
      `belongs to ${placeWords(bound)}, and is not run for ${placeWords(currentPlace)}.`,
      'Use a separate profile for each platform and tenant',
    );
  const isAllowed = bound && (await store.isAllowed(stored).catch(asFailure));
  if (isAllowed instanceof Failure) return isAllowed;
  if (isAllowed) return undefined;
  // The place that the command to copy would bind it to.
  const { baseUrl: base, tenant } = stored;
  const place = base === undefined ? '' : ` for ${placeWords({ base, tenant })}`;
  const words = quoteForShell(`secretCommand=${JSON.stringify(stored.secretCommand)}`);
  return obstacle(
    `in ${store.folder} was not set by you on this machine${place}, so it is not run.`,
    `If you trust its words, set it: iiot profiles set ${argumentForShell(profile.value)} ${words}`,
  );
}

type ProgramOptions = {
  /** Not the current folder, from which neither the program nor a relative path in its words may come. */
  readonly cwd: string;
  readonly env: Context['world']['env'];
  readonly interrupt: AbortSignal;
  readonly canAnswer: boolean;
  readonly isWatched: boolean;
};

/** Runs the program and returns the secret that it prints, or the problem as the end of a sentence, which never contains the output. */
export async function runForSecret(
  [file = '', ...words]: readonly string[],
  { cwd, env, interrupt, canAnswer, isWatched }: ProgramOptions,
  patience = 30_000,
): Promise<{ readonly secret: string } | { readonly problem: string }> {
  const { execa } = await import('execa');
  const program = execa(file, words, {
    cwd,
    // The program gets none of our own secrets.
    env: Object.fromEntries(
      Object.entries(env).filter(([name]) => !/^IIOT_.*(SECRET|TOKEN|PASSWORD|PASSPHRASE)/i.test(name)),
    ),
    extendEnv: false,
    // Without a person, standard input may be the input of the iiot command.
    stdin: canAnswer ? 'inherit' : 'ignore',
    stderr: isWatched ? 'inherit' : 'ignore',
    encoding: 'buffer',
    stripFinalNewline: false,
    maxBuffer: largestSecret,
    timeout: patience,
    forceKillAfterDelay: outputGrace,
    reject: false,
    // NODE_DEBUG=execa would print the output.
    verbose: 'none',
  });
  program.once('exit', () => setTimeout(() => program.stdout.destroy(), outputGrace).unref());
  const unsubscribe = onAbort(interrupt, () => program.kill());
  const { stdout, exitCode, signal, code, timedOut, isMaxBuffer } = await program;
  unsubscribe();
  if (interrupt.aborted) throw interrupt.reason;
  // Ctrl-C reaches the program too, and perhaps first; a shell then ends with 130.
  if (signal === 'SIGINT' || exitCode === 130) throw new Failure('interrupted', 'Cancelled.');
  if (code === 'ENOENT' || (code === 'EACCES' && (await isMissing(file, env, cwd))))
    return { problem: 'was not found' };
  if (timedOut) return { problem: `did not end within ${patience / 1000} s` };
  if (isMaxBuffer) return { problem: 'printed more than 64 KiB' };
  if (signal) return { problem: `was ended by ${signal}` };
  if (exitCode === undefined) return { problem: `could not be started${code ? ` (${code})` : ''}` };
  if (exitCode !== 0) return { problem: `ended with exit code ${exitCode}` };
  const secret = ignoreFailure(() => secretIn(Buffer.from(stdout), ''));
  if (secret === '') return { problem: 'printed nothing' };
  // In an entry of pass, only the first line is the secret; the others may be further secrets.
  const isOne = secret !== undefined && !/[\r\n]/.test(secret);
  return isOne ? { secret } : { problem: 'printed something that is not one line of UTF-8 text' };
}

/** Whether the program does not exist. EACCES may also come from a folder of PATH that this user cannot read. */
async function isMissing(name: string, env: Context['world']['env'], cwd: string): Promise<boolean> {
  const { findProgram } = await import('./sandbox/isolation.ts');
  return !name.includes('/') && findProgram(name, env.PATH ?? '', cwd) === 'missing';
}

/** Checks that the program exists and may be run, without running it. */
export async function checkProgram([name = '']: readonly string[], context: Context): Promise<Finding> {
  const { world, settings, store } = context;
  const env = Object.fromEntries(Object.entries(world.env).map(([each, value = '']) => [each, value]));
  const { findProgram } = await import('./sandbox/isolation.ts');
  const { findOnWindows } = await import('./sandbox/windows.ts');
  const isWindows = world.platform === 'win32';
  const program = isWindows ? findOnWindows(name, env) : findProgram(name, env.PATH ?? '', store.folder);
  const check = 'secret_command';
  const obstacle = await findObstacle(context);
  if (obstacle) return warning(check, obstacle.message, obstacle.facts.hint ?? '');
  if (typeof program !== 'string') return ok(check, `${program.file} (profile ${settings.profile.value})`);
  const message = `${name} of profile ${settings.profile.value} ${program === 'missing' ? 'was not found' : 'cannot be run'}.`;
  return warning(check, message, 'Install it, or give its absolute path: iiot profiles set --help');
}
