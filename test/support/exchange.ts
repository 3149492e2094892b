import type { Exchange } from '../../src/fetch.ts';
import { openExchange } from '../../src/http/exchange.ts';
import { openNetwork } from '../../src/http/network.ts';
import { noTrace } from '../../src/http/trace.ts';

/** The real exchange over real sockets, silent and without repeats unless told. Times are real. */
export async function realExchange(retries = 0, timeout = 5000): Promise<Exchange> {
  return openExchange({
    fetch: await openNetwork({ env: {} }),
    timeout,
    retries,
    trace: noTrace,
    interrupt: new AbortController().signal,
    now: Date.now,
    random: () => 0,
    sleep: () => Promise.resolve(),
    notice() {},
  });
}
