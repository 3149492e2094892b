/** The second place that holds a change back, whatever a command does before: where requests are sent. */

import { expect, it } from 'vitest';
import { openContext } from '../../src/cli/open-context.ts';
import type { World } from '../../src/command/context.ts';
import { readSettings } from '../../src/command/settings.ts';
import { updateChannel } from '../../src/contract/channels.ts';
import { listUsers } from '../../src/contract/orgs.ts';
import { toRequest } from '../../src/contract/wire.ts';
import { openStore } from '../../src/store/store.ts';
import { silentWaiting } from '../../src/terminal/waiting.ts';
import { createMask } from '../../src/text/mask.ts';
import { personForEach } from '../support/fixtures.ts';
import { platformFetch } from '../support/platform-fetch.ts';

const someone = personForEach();

/** A context for which no command has asked whether it may change something. */
function contextWith(readOnly: true | undefined) {
  const sent: string[] = [];
  const fetch: World['fetch'] = async (url, { method, headers, body }) => {
    sent.push(method);
    return platformFetch(someone.platform, new Request(url, { method, headers, ...(body !== undefined && { body }) }));
  };
  const env = { ...someone.env, IIOT_TOKEN: 'a-token' };
  const place = { env, platform: 'linux', homedir: () => someone.folder, now: Date.now } as const;
  const warn = () => undefined;
  const store = openStore({ ...place, warn });
  const interrupt = new AbortController().signal;
  const world = { ...place, fetch, interrupt, random: () => 0, monotonic: () => 0 } as unknown as World; // all that is used
  const options = { readOnly };
  const settings = readSettings(options, env, () => store.readConfig());
  const mask = createMask(new Set());
  const run = async () => 0;
  return { sent, context: openContext({ world, options, settings, store, mask, run, waiting: silentWaiting, warn }) };
}

const orgId = '11111111-1111-4111-8111-111111111111';
const change = toRequest(updateChannel, { orgId, channelId: 'channel_email', body: { isEnabled: false } });
const bulk = { connections: 1, interrupt: new AbortController().signal, onRefusal: () => undefined };

it.each<[string, true | undefined]>([
  ['a read-only context sends reads alone', true],
  ['a context that is not read-only sends changes, too', undefined],
])('%s', async (_, readOnly) => {
  const { context, sent } = contextWith(readOnly);
  const platform = await context.platform();
  const kindOf = async (work: Promise<unknown>) => {
    const error = await work.then(() => undefined).catch((reason) => reason);
    return error?.kind;
  };
  // The token is not one of the platform's, so that whatever reaches it is unauthenticated.
  const kinds = [
    await kindOf(platform.send(listUsers, toRequest(listUsers, { orgId }))),
    await kindOf(platform.send(updateChannel, change)),
    await kindOf(context.bulkPlatform(bulk).then(({ send }) => send(updateChannel, change))),
  ];
  const [change1, change2] = readOnly ? ['read_only', 'read_only'] : ['unauthenticated', 'unauthenticated'];
  expect(kinds).toEqual(['unauthenticated', change1, change2]);
  expect(sent).toEqual(readOnly ? ['GET'] : ['GET', 'PATCH', 'PATCH']);
});
