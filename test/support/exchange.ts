import { openExchange } from '../../src/http/exchange.ts';
import { noTrace } from '../../src/http/trace.ts';
import type { Exchange } from '../../src/network/fetch.ts';
import { openNetwork } from '../../src/network/network.ts';

/** The real exchange over real sockets, by default without messages and repeats. Uses real time. */
export async function realExchange(
  retries = 0,
  clean = (text: string) => text,
  interrupt = new AbortController().signal,
): Promise<Exchange> {
  return openExchange({
    fetch: await openNetwork({ env: {} }),
    timeout: 60_000,
    retries,
    trace: noTrace,
    interrupt,
    now: Date.now,
    clean,
    random: () => 0,
    sleep: () => Promise.resolve(),
    notice() {},
  });
}
