/** The prompts of `iiot login` for what was not given. */
import type { Context } from '../command/context.ts';
import { readText } from '../command/read-file.ts';
import { Failure, usage } from '../failure.ts';
import { readBaseUrl } from '../network/base-url.ts';

/** The context with a base URL; asks for it if none is set. */
export async function withPlatform(context: Context): Promise<Context> {
  if (context.settings.resolved.baseUrl) return context;
  const person = await context.person();
  if (!person.canAnswer) return context;
  const check = (text: string) =>
    /^https?:\/\//i.test(text) && URL.canParse(text) ? undefined : 'Enter a URL that starts with https://';
  const answer = await person.ask('Platform URL (for example https://platform.example)', { check });
  return context.withBaseUrl(readBaseUrl(answer, 'The platform URL'));
}

export async function requiredValue(
  option: string,
  variable: string,
  question: string,
  value: string | undefined,
  context: Context,
): Promise<string> {
  if (value !== undefined && value !== '') return value;
  const person = await context.person();
  if (person.canAnswer)
    return person.ask(question, { check: (text) => (text.trim() === '' ? 'Enter a value' : undefined) });
  throw usage(
    `${option} is missing, and iiot cannot prompt: ${person.obstacle}.`,
    `Give ${option} or set ${variable}`,
    [{ option, message: 'is required' }],
  );
}

/**
 * Calls `use` with the password. If it was typed at the prompt and is wrong, it is asked for again, up to three times in total; other answers
 * are kept.
 */
export async function withPassword<T>(
  fromStdin: boolean,
  question: string,
  context: Context,
  use: (password: string) => Promise<T>,
): Promise<T> {
  const given = await givenPassword(fromStdin, context);
  if (given !== undefined) return use(given);
  const person = await context.person();
  if (!person.canAnswer) {
    const sentence = `The password is missing, and iiot cannot prompt: ${person.obstacle}.`;
    const details = [{ option: '--password-stdin', message: 'is required' }];
    throw usage(sentence, 'Give it with --password-stdin or IIOT_PASSWORD', details);
  }
  for (let tries = 1; ; tries += 1) {
    const password = await person.secret(question);
    try {
      return await use(password);
    } catch (error) {
      if (!(error instanceof Failure) || !error.facts.passwordRefused || tries === 3) throw error;
      context.warn(error.message);
    }
  }
}

async function givenPassword(fromStdin: boolean, context: Context): Promise<string | undefined> {
  if (fromStdin) return fromStandardInput('--password-stdin', 'password', context);
  return context.world.env.IIOT_PASSWORD || undefined;
}

export async function clientSecretOf(fromStdin: boolean, context: Context): Promise<string> {
  if (fromStdin) return fromStandardInput('--client-secret-stdin', 'client secret', context);
  const { IIOT_CLIENT_SECRET, IIOT_CLIENT_SECRET_FILE } = context.world.env;
  if (IIOT_CLIENT_SECRET) return IIOT_CLIENT_SECRET;
  if (IIOT_CLIENT_SECRET_FILE) {
    return (await readText(IIOT_CLIENT_SECRET_FILE, 'IIOT_CLIENT_SECRET_FILE', context)).replace(/\r?\n$/, '');
  }
  const person = await context.person();
  if (person.canAnswer) return person.secret('Client secret');
  throw usage(
    `The client secret is missing, and iiot cannot prompt: ${person.obstacle}.`,
    'Give it with --client-secret-stdin',
    [{ option: '--client-secret-stdin', message: 'is required' }],
  );
}

async function fromStandardInput(option: string, what: string, { world }: Context): Promise<string> {
  const { readSecretLine } = await import('../terminal/input.ts');
  return readSecretLine(world.stdin, { stderr: world.stderr, option, what, signal: world.interrupt });
}
