import { milliseconds } from '../../command/duration.ts';
import { usage } from '../../failure.ts';

const file = (description: string) => ({ type: 'string', value: 'FILE', description }) as const;

/** The options of all commands that start an embedded platform. */
export const sandboxFlags = {
  port: {
    type: 'integer',
    value: 'N',
    minimum: 0,
    maximum: 65_535,
    description: 'Port on loopback, by default any free one',
  },
  latency: { type: 'string', value: 'DURATION', description: 'Wait this long before each response' },
  faults: {
    type: 'array',
    items: { type: 'string', description: 'Rule' },
    flag: 'fault',
    value: 'RULE',
    description: 'Fault to inject: [METHOD ]PATH-GLOB=STATUS|reset|hang[:PERCENT%]',
  },
  seed: { type: 'integer', value: 'N', minimum: 0, description: 'Seed of the data and of the faults' },
  users: {
    type: 'integer',
    value: 'N',
    minimum: 0,
    maximum: 1_000_000,
    default: 2000,
    description: 'Users of the root organization',
  },
  devices: { type: 'integer', value: 'N', minimum: 0, maximum: 1_000_000, default: 200, description: 'Devices' },
  clock: { type: 'string', value: 'SHIFT', description: 'Move its clock: +2h, or -30m to go back' },
  data: file('Keep its state in this file, and continue from it'),
  from: file('Start with this state from sandbox export; - is standard input'),
  transcript: file('Write every request and response here, secrets masked: NDJSON, or HTTP Archive for *.har'),
} as const;

/** The values of those options. */
export type SandboxInput = {
  readonly port?: number | undefined;
  readonly latency?: string | undefined;
  readonly faults?: readonly string[] | undefined;
  readonly seed?: number | undefined;
  readonly users?: number | undefined;
  readonly devices?: number | undefined;
  readonly clock?: string | undefined;
  readonly data?: string | undefined;
  readonly from?: string | undefined;
  readonly transcript?: string | undefined;
};

/** The furthest that a sandbox's clock can be set: a hundred years. */
const furthest = 100 * 365 * 86400000;

/**
 * Milliseconds of "+2h", "2h" or "-30m".
 * @param name where it was given, for error messages
 * @throws usage if it is not a duration, or too long
 */
export function readShift(word: string, name: string): number {
  const [, sign = '', duration = ''] = /^([+-]?)(.*)$/s.exec(word) ?? [];
  const shift = milliseconds(duration);
  if (shift === undefined || shift > furthest) {
    throw usage(`${name} takes a duration with its direction, such as +2h or -30m, of a hundred years at most.`);
  }
  return sign === '-' ? -shift : shift;
}
