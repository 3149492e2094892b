/** The program that a profile names as `secretCommand`: it prints the client secret, or the password, and nobody keeps it (docs/secrets.md). */
import type { Context } from '../command/context.ts';
import { type Finding, ok, warning } from '../doctor/finding.ts';
import { Failure } from '../failure.ts';
import { onAbort } from '../text/abort.ts';
import { quoteForShell } from '../text/shell-lines.ts';
import { decodeUtf8 } from '../text/utf8.ts';

/** The largest secret in bytes, as from standard input. */
const largest = 64 * 1024;

/** How long a program that has ended may leave its output open to another, such as a daemon that it has started; in milliseconds. */
const afterEnd = 500;

/**
 * Runs the profile's `secretCommand` whenever a secret is needed; undefined if there is none. What it gives is masked from then on.
 * @throws (when it runs) Failure 'unauthenticated' without a secret, and 'io' if others can write to config.json
 */
export function secretCommandOf(context: Context): (() => Promise<string>) | undefined {
  const { settings, store, world, mask, waiting } = context;
  const { secretCommand: words } = settings.stored;
  if (!words) return undefined;
  return async () => {
    store.refuseShared();
    const { canAnswer } = await context.person();
    // No spinner: the program may ask something at the terminal.
    const wait = waiting.begin('');
    const isWatched = world.stderr.isTTY === true;
    const place = { cwd: store.folder, env: world.env, interrupt: world.interrupt, canAnswer, isWatched };
    const found = await runForSecret(words, place).finally(wait.end);
    if ('secret' in found) {
      mask.remember(found.secret);
      return found.secret;
    }
    const sentence = `The secretCommand of profile ${settings.profile.value} gave no secret: ${words[0]} ${found.problem}.`;
    const hint = `Run it to see why: ${words.map((word) => quoteForShell(word, world.platform)).join(' ')}`;
    // The platform has refused nothing, so the login has not ended.
    throw new Failure('unauthenticated', sentence, { hint, notPlatform: true });
  };
}

type Place = {
  /** Not the current folder: no program, and no path that its words name, may come from there. */
  readonly cwd: string;
  readonly env: Context['world']['env'];
  readonly interrupt: AbortSignal;
  readonly canAnswer: boolean;
  readonly isWatched: boolean;
};

/** What the program prints, without the last line end; or why there is none, as the end of a sentence. Never with what it printed. */
export async function runForSecret(
  [file = '', ...words]: readonly string[],
  { cwd, env, interrupt, canAnswer, isWatched }: Place,
  patience = 30_000,
): Promise<{ readonly secret: string } | { readonly problem: string }> {
  const { execa } = await import('execa');
  const program = execa(file, words, {
    cwd,
    env,
    extendEnv: false,
    // Standard input may be what the command is to read.
    stdin: canAnswer ? 'inherit' : 'ignore',
    stderr: isWatched ? 'inherit' : 'ignore',
    encoding: 'buffer',
    stripFinalNewline: false,
    maxBuffer: largest,
    timeout: patience,
    forceKillAfterDelay: afterEnd,
    reject: false,
    // NODE_DEBUG=execa would print the output.
    verbose: 'none',
  });
  program.once('exit', () => setTimeout(() => program.stdout.destroy(), afterEnd).unref());
  const unsubscribe = onAbort(interrupt, () => program.kill());
  const { stdout, exitCode, signal, code, timedOut, isMaxBuffer } = await program;
  unsubscribe();
  if (interrupt.aborted) throw interrupt.reason;
  if (code === 'ENOENT') return { problem: 'was not found' };
  if (timedOut) return { problem: `did not end within ${patience / 1000} s` };
  if (isMaxBuffer) return { problem: 'printed more than 64 KiB' };
  if (signal) return { problem: `was ended by ${signal}` };
  if (exitCode === undefined) return { problem: `could not be started${code ? ` (${code})` : ''}` };
  if (exitCode !== 0) return { problem: `ended with exit code ${exitCode}` };
  const secret = decodeUtf8(Buffer.from(stdout), 'keep')?.replace(/\r?\n$/, '');
  if (secret === undefined) return { problem: 'printed something that is not UTF-8 text' };
  if (secret === '') return { problem: 'printed nothing' };
  // The further lines of an entry of pass are no part of the secret, and may be others.
  return /[\r\n]/.test(secret) ? { problem: 'printed more than one line' } : { secret };
}

/** Whether the program is there; it is not run. */
export async function checkProgram([name = '']: readonly string[], { world, settings }: Context): Promise<Finding> {
  const env = Object.fromEntries(Object.entries(world.env).map(([each, value = '']) => [each, value]));
  const { findProgram } = await import('./sandbox/isolation.ts');
  const { findOnWindows } = await import('./sandbox/windows.ts');
  const found = world.platform === 'win32' ? findOnWindows(name, env) : findProgram(name, env.PATH ?? '');
  const check = 'secret-command';
  if (typeof found !== 'string') return ok(check, `${found.file} (profile ${settings.profile.value})`);
  const says = `${name} of profile ${settings.profile.value} ${found === 'missing' ? 'was not found' : 'cannot be run'}.`;
  return warning(check, says, 'Install it, or give its absolute path: iiot profiles set --help');
}
