import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import type { Output } from '../terminal/streams.ts';
import { ignoreError } from '../text/ignore-error.ts';

type Descriptor = 1 | 2;

/** Standard output or standard error. Unless it is a terminal, Node's stream is opened only when needed, because that takes longer than a usage error. */
export function standardOutput(descriptor: Descriptor, open: () => Output): Output {
  if (mayBeTerminal(descriptor)) return open();
  const early: Parameters<Output['on']>[] = [];
  let stream: Output | undefined;
  const openOnce = () => {
    if (stream) return stream;
    stream = open();
    for (const [event, listener] of early) stream.on(event, listener);
    return stream;
  };
  let direct: number | undefined;
  return {
    isTTY: false,
    on: (event, listener) => (stream ? stream.on(event, listener) : early.push([event, listener])),
    write(text, done) {
      if (stream) return stream.write(text, done);
      const bytes = Buffer.from(text);
      // A result may have to wait for its reader, which only the stream can do. Messages go out at once.
      direct ??= descriptor === 1 ? openNonBlocking() : descriptor;
      const written = direct === undefined ? 0 : writeNow(direct, bytes);
      if (written !== 'all') return openOnce().write(bytes.subarray(written), done);
      done?.();
      return true;
    },
  };
}

/** Opens standard output once more if it is a pipe on Linux, so that writing never waits for the reader. */
function openNonBlocking(): number | undefined {
  return ignoreError(() =>
    fstatSync(1).isFIFO() ? openSync('/proc/self/fd/1', constants.O_WRONLY | constants.O_NONBLOCK) : undefined,
  );
}

/** Whether a descriptor may be a terminal; false if Windows cannot tell, as for the pipes of some programs. */
export function mayBeTerminal(descriptor: Descriptor): boolean {
  return ignoreError(() => fstatSync(descriptor).isCharacterDevice()) === true;
}

/** Writes as much as is possible without waiting. @returns the number of bytes written. Ignores errors, which the stream will meet again */
export function writeNow(descriptor: number, bytes: Uint8Array): number | 'all' {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
    return 'all';
  } catch {
    return written;
  }
}
