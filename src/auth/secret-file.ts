import { constants } from 'node:fs';
import { usage } from '../failure.ts';
import { codeOf } from '../files/file-failure.ts';
import { unreadableFailure } from '../text/failure-sentence.ts';
import { largestSecret, secretIn } from '../text/secret.ts';

/** How long to wait for the next bytes of a pipe, in milliseconds. */
const longestWait = 30_000;
const pollInterval = 20;

/** Reads a secret from a file or a pipe such as the shell's <(…), as `secretIn` finds it. @throws usage if the file cannot be read, is empty or too large */
export async function readSecretFile(path: string, variable: string): Promise<string> {
  const named = `${variable} ${path}`;
  const bytes = await readBounded(path).catch((error: unknown) => {
    throw unreadableFailure(named, error, 'Check its path and its permissions');
  });
  if (bytes.length > largestSecret)
    throw usage(`${named} is larger than 64 KiB.`, 'Give a file that holds only the secret');
  const secret = secretIn(bytes, named);
  if (secret !== '') return secret;
  throw usage(`${named} is empty.`, 'Write the secret into it');
}

/** Reads the content of a file, and one byte more than allowed if it is too large. */
async function readBounded(path: string): Promise<Buffer> {
  const { open } = await import('node:fs/promises');
  // Non-blocking: opening a pipe that nobody writes to would hang.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const buffer = Buffer.alloc(largestSecret + 1);
    for (let size = 0, waited = 0; ; ) {
      const read = await file.read(buffer, size, buffer.length - size, null).catch((error: unknown) => {
        // EAGAIN: the pipe has a writer, but no bytes yet.
        if (codeOf(error) !== 'EAGAIN' || waited >= longestWait) throw error;
      });
      if (read?.bytesRead === 0) return buffer.subarray(0, size);
      size += read?.bytesRead ?? 0;
      waited = read ? 0 : waited + pollInterval;
      if (!read) await new Promise((resolve) => setTimeout(resolve, pollInterval));
    }
  } finally {
    await file.close();
  }
}
