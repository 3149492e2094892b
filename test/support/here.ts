/** Runs command lines in this process, which takes a tenth of the time of a process. */
import { openNetwork } from '../../src/network/network.ts';
import type { ProgramOptions, ProgramRun } from './program.ts';
import { person } from './world.ts';

const network = await openNetwork({ env: {} });
/** Nothing is set but what a test sets. */
const nothing = Object.fromEntries(
  ['BASE_URL', 'TENANT', 'APP', 'ORG', 'CLIENT_ID', 'CLIENT_SECRET'].map((name) => [`IIOT_${name}`, undefined]),
);

/** As `runProgram`: to its end, with its own home and settings, and over real sockets. */
export async function runHere(
  words: readonly string[],
  { env, input = '', now }: Pick<ProgramOptions, 'env' | 'input'> & { readonly now?: () => number } = {},
): Promise<ProgramRun> {
  const someone = person({ fetch: network, env: { ...nothing, ...env }, ...(now && { now }) });
  try {
    return await someone.iiot(words, { stdin: input });
  } finally {
    someone.leave();
  }
}
