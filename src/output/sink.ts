import { Failure } from '../failure.ts';
import type { Environment } from '../text/environment.ts';
import type { Sink } from './result.ts';

/** Where text is written; at a terminal one of Node's streams. `columns` is undefined or 0 if the terminal does not report its width. */
export type Output = {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string | Uint8Array, done?: (fault?: NodeJS.ErrnoException | null) => void): boolean;
  on(event: 'error', listener: (fault: NodeJS.ErrnoException) => void): unknown;
};

// Windows reports EOF instead of EPIPE. Later writes to the closed pipe fail with the other codes.
const readerGoneCodes = new Set(['EPIPE', 'EOF', 'ECONNRESET', 'ERR_STREAM_DESTROYED']);

const obstacles: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file has become too large',
  EIO: 'the device reports an error',
};

/** A sink that writes to one of Node's streams, and waits for a slow reader. @param before called before each write */
export function sinkOf(stream: Output, environment: Environment, noColor = false, before?: () => void): Sink {
  const isTerminal = stream.isTTY === true;
  let closed = false;
  let failure: Failure | undefined;
  // The write's callback reports the error; without a listener the event would end the process.
  stream.on('error', () => {});
  return {
    isTerminal,
    color: wantsColor(isTerminal, environment, noColor),
    get columns() {
      return terminalWidth(environment.COLUMNS) ?? terminalWidth(String(stream.columns)) ?? 80;
    },
    get closed() {
      return closed;
    },
    async write(text) {
      if (failure) throw failure;
      if (closed || text.length === 0) return;
      before?.();
      const fault = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
        stream.write(text, (fault) => resolve(fault ?? undefined));
      });
      if (!fault) return;
      closed = readerGoneCodes.has(fault.code ?? '');
      if (closed) return;
      failure = unwritableFailure(fault);
      throw failure;
    },
  };
}

/** Whether to colour: never with --no-color or NO_COLOR, otherwise as FORCE_COLOR says, otherwise at a terminal that is not dumb. */
export function wantsColor(isTerminal: boolean, environment: Environment, noColor: boolean): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment;
  if (noColor || (NO_COLOR !== undefined && NO_COLOR !== '')) return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTerminal && TERM !== 'dumb';
}

function terminalWidth(text: string | undefined): number | undefined {
  if (text === undefined || !/^[1-9][0-9]{0,8}$/.test(text)) return undefined;
  return Number(text);
}

function unwritableFailure(fault: NodeJS.ErrnoException): Failure {
  const code = fault.code ?? 'unknown fault';
  return new Failure('io', `The result could not be written: ${obstacles[code] ?? code}.`, {
    hint: 'The result is incomplete. Write it to another place.',
    cause: fault,
  });
}
