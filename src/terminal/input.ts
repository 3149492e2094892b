/** Reads standard input: piped bytes, or a secret that is typed without echo. */
import { addAbortSignal } from 'node:stream';
import { usage } from '../failure.ts';
import { groupDigits } from '../text/group-digits.ts';
import { largestSecret, secretIn } from '../text/secret.ts';
import { readHidden } from './hidden.ts';
import { untilAnswered } from './interruption.ts';
import type { Input, Output } from './streams.ts';

/**
 * Reads a stream to its end.
 * @param limit in bytes
 * @param name how errors name the stream
 * @throws the signal's reason, and usage if the stream cannot be read (a folder, for example) or is longer than `limit`
 */
export async function readAll(
  from: Input,
  limit: number,
  signal?: AbortSignal,
  name = 'Standard input',
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of signal ? addAbortSignal(signal, from) : from) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Uint8Array); // a byte stream has no other chunks
      size += bytes.length;
      if (size > limit) break;
      chunks.push(Buffer.from(bytes));
    }
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw usage(`${name} could not be read.`, 'Pipe a file into the command, or name the file.').with({ cause });
  }
  if (size > limit) throw usage(`${name} holds more than ${groupDigits(limit)} bytes.`);
  return Buffer.concat(chunks);
}

type SecretPrompt = {
  readonly stderr: Output;
  /** The full name of the option that reads the secret: `--password-stdin`. */
  readonly option: string;
  /** The word for the secret: "password". */
  readonly what: string;
  readonly signal?: AbortSignal;
};

/** Reads a secret from stdin, piped or typed without echo at a prompt. @throws usage if it is empty or longer than 64 KiB, and as `secretIn` does */
export async function readSecretLine(stdin: Input, prompt: SecretPrompt): Promise<string> {
  const isTyped = stdin.isTTY === true;
  const given = await (isTyped ? typeSecret(stdin, prompt) : readAll(stdin, largestSecret, prompt.signal));
  const secret = secretIn(given, `${prompt.option}: the ${prompt.what} on standard input`);
  if (secret === '') {
    const hint = `Pipe it in: ${prompt.option} < FILE`;
    throw usage(`${prompt.option}: there is no ${prompt.what} on standard input.`, hint);
  }
  return secret;
}

function typeSecret(stdin: Input, { stderr, option, what, signal }: SecretPrompt): Promise<string> {
  const question = `${option}: type the ${what}, then Enter (hidden) `;
  return untilAnswered(`${option}: the ${what}`, stdin, signal, (stop) =>
    readHidden(stdin, stop, () => stderr.write(question)).finally(() => stderr.write('\n')),
  );
}
