import { milliseconds } from '../../command/time.ts';
import type { Infer } from '../../contract/schema.ts';
import { integer, list, text } from '../../contract/shared.ts';
import { usage } from '../../failure.ts';
import { isAddress, type ListenOptions } from '../../web/serve.ts';

const file = (description: string) => text(description, { value: 'FILE' });
const number = <const M extends object>(description: string, more?: M) =>
  integer(description, { value: 'N', minimum: 0, ...(more as M) });

/** Marks options for special tests, which the help of the group explains, not that of each command. */
const groupTopic = { topic: 'sandbox' } as const;

/** The options of all commands that start an embedded platform. */
export const sandboxFlags = {
  port: number('Port to listen on, by default any free one', { maximum: 65_535 }),
  latency: text('Wait this long before each response', { value: 'DURATION' }),
  faults: {
    ...list('Fault: [METHOD ]PATH-GLOB=STATUS|reset|hang[:PERCENT%]', text('Rule')),
    flag: 'fault',
    value: 'RULE',
  },
  seed: number('Seed of the data and of the faults', groupTopic),
  users: number('Users', { maximum: 1_000_000, default: 2000 }),
  devices: number('Devices', { maximum: 1_000_000, default: 200 }),
  clock: text('Move its clock: +2h, or -30m to go back', { value: 'SHIFT' }),
  errors: text('Format of its errors: ABP or RFC 9457', {
    ...groupTopic,
    value: 'FORM',
    enum: ['abp', 'problem-details'],
    default: 'abp',
  }),
  refreshLeeway: text('Accept a used refresh token again for this long', { ...groupTopic, value: 'DURATION' }),
  state: file('Keep its state in this file, and continue from it'),
  import: file('Start with this state from sandbox export; - is standard input'),
  transcript: file('Write requests and responses here (NDJSON, or *.har)'),
} as const;

export type SandboxInput = {
  readonly [K in keyof typeof sandboxFlags]?: Infer<(typeof sandboxFlags)[K]> | undefined;
};

/** The options of `sandbox start`, whose platform others may reach. */
export const listenFlags = {
  host: text('Address to listen on instead of loopback; 0.0.0.0 for all', { value: 'ADDRESS' }),
  allowHosts: {
    ...list('Answer to this host name too, in addition to localhost', text('Name')),
    flag: 'allow-host',
    value: 'NAME',
    ...groupTopic,
  },
} as const;

/** Reads --host and --allow-host. @throws usage for anything but an address, or a name */
export function readListenOptions(host: string | undefined, names: readonly string[] = []): ListenOptions {
  if (host !== undefined && !isAddress(host))
    throw usage('--host takes an IP address, such as 0.0.0.0 for every network of this machine.');
  const wrong = names.find((name) => !/^[\w.-]+$/.test(name));
  if (wrong !== undefined) throw usage(`--allow-host takes a host name without a port, not "${wrong}".`);
  return { host, names: names.map((name) => name.toLowerCase()) };
}

/** How far a sandbox's clock can be moved, in milliseconds: a hundred years. */
const longestShift = 100 * 365 * 86400000;

/** Reads "+2h", "2h" or "-30m" as milliseconds. @param name the option or argument, for errors @throws usage if it is not a duration, or too long */
export function readShift(word: string, name: string): number {
  const [, sign = '', duration = ''] = /^([+-]?)(.*)$/s.exec(word) ?? [];
  const shift = milliseconds(duration);
  if (shift === undefined || shift > longestShift) {
    throw usage(`${name} takes a duration with its direction, such as +2h or -30m, of a hundred years at most.`);
  }
  return sign === '-' ? -shift : shift;
}
