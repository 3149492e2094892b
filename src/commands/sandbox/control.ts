/** Commands that control a running sandbox. */
import { command, examples, refusals } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { baseUrl } from '../../command/target.ts';
import { integer, record, text } from '../../contract/shared.ts';
import { Failure, kindOfStatus, usage } from '../../failure.ts';
import { isLoopback } from '../../network/base-url.ts';
import type { ExchangeRequest } from '../../network/fetch.ts';
import { escapeUnsafe } from '../../text/json-write.ts';
import { readShift } from './flags.ts';

const which =
  'The sandbox is the one that the command runs under (IIOT_SANDBOX_URL), ' +
  'otherwise that of the profile "sandbox", which sandbox start sets up; use --base-url for another.';

export const clock = command({
  name: 'sandbox clock',
  without: { agents: 'starts other programs' },
  shell: { ends: refusals },
  reach: 'platform',
  summary: 'Move the clock of a running sandbox',
  description: `Moves the clock of a sandbox while it runs. Its tokens and credentials expire by that clock. ${which}`,
  arguments: {
    shift: text('A shift such as +2h or -30m', { value: 'SHIFT', maybeNegative: true }),
  },
  examples: examples({
    'iiot sandbox clock +2h': 'Every access token has expired',
    'iiot sandbox clock -90d -o json': 'Move it back',
  }),
  result: record('Its time', {
    now: text('Its time now', { format: 'date-time' }),
    offsetSeconds: integer('Seconds it was moved in total'),
  }),
  async run({ shift }, context) {
    const body = { type: 'application/json', text: JSON.stringify({ add: readShift(shift, 'SHIFT') }) };
    const value: unknown = JSON.parse(await textOf({ method: 'POST', body }, '/sandbox/clock', context));
    const { now } = Object(value) as { now?: unknown }; // said as it is
    return { kind: 'done', value, sentence: `The sandbox's clock is now at ${now}` };
  },
});

export const exportState = command({
  name: 'sandbox export',
  without: { agents: 'starts other programs' },
  shell: { ends: refusals },
  reach: 'platform',
  summary: 'Print the state of a running sandbox',
  description:
    `Prints the whole state of a sandbox as JSON, to start another with: sandbox start --import FILE. ` +
    `It contains the passwords of its accounts and the configuration of its channels, tokens included; ` +
    `it contains access tokens and client secrets only as hashes. ${which}`,
  examples: examples({
    'iiot sandbox export > monday.json': 'Keep it',
    "iiot sandbox export --jq '.devices | length'": 'Look into it',
  }),
  result: { type: 'object', description: 'The state' },
  async run(_, context) {
    const text = await textOf({ method: 'GET' }, '/sandbox/state', context);
    const { jq, output = 'table' } = context.options;
    if (jq === undefined && output === 'table')
      return { kind: 'text', text: context.world.stdout.isTTY ? escapeUnsafe(text) : text };
    return { kind: 'record', value: JSON.parse(text) as unknown };
  },
});

/** The text of a response. @throws not_found if it is not a sandbox, and rejected if the sandbox refuses */
async function textOf(
  request: Omit<ExchangeRequest, 'url' | 'headers'>,
  path: string,
  context: Context,
): Promise<string> {
  const url = sandboxUrl(context);
  const exchange = await context.exchange();
  const { status, text, headers } = await exchange({ ...request, url: url + path, maximumBytes: 2 ** 29 });
  if (status === 200 && /^application\/json\b/.test(headers.get('content-type') ?? '')) return text;
  if (status === 200 || status === 404) throw new Failure('not_found', `${url} is not a sandbox.`, { hint: begin });
  throw new Failure(kindOfStatus(status), `The sandbox refused (${status}).`, { status });
}

const begin = 'Start one with: iiot sandbox start';

function sandboxUrl(context: Context): string {
  const { options, world, store } = context;
  const typed = options.baseUrl !== undefined || options.profile !== undefined;
  const url = typed ? baseUrl(context) : (world.env.IIOT_SANDBOX_URL ?? store.readConfig().profiles.sandbox?.baseUrl);
  if (url === undefined) throw usage('Which sandbox? There is no profile "sandbox".', begin);
  if (!URL.canParse(url) || !isLoopback(new URL(url)))
    throw usage(`${url} is not a sandbox: a sandbox is always on loopback.`, begin);
  return url.replace(/\/+$/, '');
}
