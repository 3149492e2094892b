import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import type { Output } from '../terminal/streams.ts';
import { ignoreError } from '../text/ignore-error.ts';

type Descriptor = 1 | 2;

/** One of Node's two streams, opened on first use, because opening it takes longer than a usage error does. For a terminal it is the stream itself. */
export function standardOutput(descriptor: Descriptor, open: () => Output): Output {
  if (isScreen(descriptor)) return open();
  const early: Parameters<Output['on']>[] = [];
  let stream: Output | undefined;
  const opened = () => {
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
      direct ??= descriptor === 1 ? withoutWaiting() : descriptor;
      const written = direct === undefined ? 0 : writeNow(direct, bytes);
      if (written !== 'all') return opened().write(bytes.subarray(written), done);
      done?.();
      return true;
    },
  };
}

/** Standard output opened a second time, if it is a pipe on Linux: writes to this descriptor never wait for the reader. */
function withoutWaiting(): number | undefined {
  return ignoreError(() =>
    fstatSync(1).isFIFO() ? openSync('/proc/self/fd/1', constants.O_WRONLY | constants.O_NONBLOCK) : undefined,
  );
}

/** Whether this may be a terminal. If Windows cannot tell, as for some programs' pipes and files, it is not. */
export function isScreen(descriptor: Descriptor): boolean {
  return ignoreError(() => fstatSync(descriptor).isCharacterDevice()) === true;
}

/** Writes as much as is possible without waiting. @returns the number of bytes written; an error is left to the stream, which meets it again */
export function writeNow(descriptor: number, bytes: Uint8Array): number | 'all' {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
    return 'all';
  } catch {
    return written;
  }
}
