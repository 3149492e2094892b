/** Runs command lines in this process, which takes a tenth of the time of a process. */
import type { Fetch } from '../../src/network/fetch.ts';
import { openNetwork } from '../../src/network/network.ts';
import type { ProgramOptions, ProgramRun } from './program.ts';
import { person } from './world.ts';

const network = await openNetwork({ env: {} });
/** Nothing is set but what a test sets. */
export const nothing = Object.fromEntries(
  ['BASE_URL', 'TENANT', 'APP', 'ORG', 'CLIENT_ID', 'CLIENT_SECRET'].map((name) => [`IIOT_${name}`, undefined]),
);

/** As `runProgram`: to its end, with its own home and settings, and over real sockets. */
export async function runHere(
  words: readonly string[],
  { env, input = '', now }: Pick<ProgramOptions, 'env' | 'input'> & { readonly now?: () => number } = {},
  fetch: Fetch | 'network' = network,
): Promise<ProgramRun> {
  const someone = person({ fetch, env: { ...nothing, ...env }, ...(now && { now }) });
  try {
    return await someone.iiot(words, { stdin: input });
  } finally {
    someone.leave();
  }
}

/** The same with the program's own network, as the variables make it, and with the clock of this machine. */
export function runOnNetwork(words: readonly string[], options: ProgramOptions = {}): Promise<ProgramRun> {
  return runHere(words, { ...options, now: Date.now }, 'network');
}
