import type { HistoryEntry } from '../../src/store/history-entry.ts';
import { machineOf, openHome } from './home.ts';

/** A line of `-o ndjson`. */
type RowLine = {
  readonly line: number;
  readonly deviceId: string;
  readonly status: string;
  readonly error: string | null;
};

const command = ['devices', 'custom-info', 'import'];

/** A home from which imports are begun as processes. */
export function desk() {
  const own = { env: {} as Readonly<Record<string, string>> };
  const home = openHome(() => own.env);
  return {
    folder: home.folder,
    /** Writes a fleet of devices into a CSV file, and returns its path; each gets the same text as its key `round`. */
    fleet: (devices: readonly string[], round: string) =>
      home.file('fleet.csv', `deviceId,round\n${devices.map((device) => `${device},${round}\n`).join('')}`),
    /** Without a terminal, so with --yes. */
    begin(url: string, words: readonly string[], env: Readonly<Record<string, string>> = {}) {
      own.env = { ...machineOf({ url }), ...env };
      const begun = home.begin([...command, '--yes', ...words]);
      /** What has been printed so far, without a last line that is cut short. */
      const lines = () => {
        const whole = begun.stdout().split('\n').slice(0, -1);
        return whole.map((line) => JSON.parse(line) as RowLine); // the test's own expectation
      };
      /** How many of them have that status. */
      const count = (wanted: string) => lines().filter(({ status }) => status === wanted).length;
      return { ...begun, lines, count };
    },
    /** What the history says of its runs, the latest first. */
    async history(): Promise<readonly HistoryEntry[]> {
      return JSON.parse((await home.iiot(['history', '-o', 'json'])).stdout);
    },
    leave: home.leave,
  };
}

/** press-0001 and on, as the sandbox names them. */
export function presses(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `press-${String(index + 1).padStart(4, '0')}`);
}
