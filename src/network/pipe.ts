import { constants, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { unreadableFailure } from '../text/failure-sentence.ts';

/** Opens a pipe as a socket, as Node does for standard input. Unlike a read of `createReadStream`, waiting for a writer can be ended. @throws usage */
export async function openPipe(path: string): Promise<Readable> {
  const { Socket } = await import('node:net');
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return new Socket({ fd, readable: true, writable: false });
  } catch (error) {
    throw unreadableFailure(path, error);
  }
}
