import { fstatSync, writeSync } from 'node:fs';
import type { Output } from '../terminal/streams.ts';

/** The descriptors of stdout and stderr. */
type Descriptor = 1 | 2;

/**
 * One of Node's two streams, opened when there is something to write: that takes longer than a usage error does. For a terminal it is
 * the stream itself.
 */
export function standardOutput(descriptor: Descriptor, open: () => Output): Output {
  if (isScreen(descriptor)) return open();
  let stream: Output | undefined;
  const opened = () => {
    stream ??= open();
    return stream;
  };
  return {
    isTTY: false,
    on: (event, listener) => opened().on(event, listener),
    write(text, done) {
      // A result may have to wait for its reader, which only the stream can. What is said in passing goes out at once.
      if (descriptor === 1 || stream) return opened().write(text, done);
      const bytes = Buffer.from(text);
      const written = writeNow(descriptor, bytes);
      if (written !== 'all') return opened().write(bytes.subarray(written), done);
      done?.();
      return true;
    },
  };
}

/** Whether a terminal may be there. Where Windows does not say what is there, as for some programs' pipes and files, there is none. */
export function isScreen(descriptor: Descriptor): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}

/**
 * Writes without a stream, as much as goes without waiting.
 * @returns how many bytes that were; a fault is left for the stream to meet
 */
export function writeNow(descriptor: Descriptor, bytes: Uint8Array): number | 'all' {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
    return 'all';
  } catch {
    return written;
  }
}
