import { type Failure, usage } from '../failure.ts';
import { removeCommand } from '../text/shell-lines.ts';

/** The first line of a journal: what the journal is for. */
export type JournalHead = {
  /** The request for each row: "PUT https://platform.example/…/{deviceId}/custom-info". */
  readonly work: string;
  /** How the input is read: "csv", "csv where NULL means null". */
  readonly reading: string;
  readonly input: { readonly sha256: string; readonly size: number; readonly rows: number };
};

const version = 1;

export function headLine(head: JournalHead): string {
  return `${JSON.stringify({ iiot: 'journal', version, ...head })}\n`;
}

/**
 * Reads the first line of a journal and compares it with this import.
 * @param path and `input` name the journal and the input in messages
 * @throws usage if it is not a journal, or belongs to another version, input, platform or reading
 */
export function checkHead(line: string, expected: JournalHead, path: string, input: string): void {
  const head = refuseOtherFile(line, path);
  if (head.version !== version) {
    throw other(path, `was written by another version of iiot (format ${Number(head.version)}, not ${version})`);
  }
  if (head.work !== expected.work) throw otherWork(String(head.work), expected.work, path);
  if (!isSame(head.input, expected.input))
    throw other(path, `was started with another input: ${input} has changed since`);
  if (head.reading !== expected.reading) {
    throw other(path, `was started with the input read as ${head.reading}, and not as ${expected.reading}`);
  }
}

/** The first line of any journal. @throws usage if it is not a journal, so that no other file is ever overwritten */
export function refuseOtherFile(line: string, path: string): ParsedHead {
  const head = parseHead(line);
  if (head?.iiot === 'journal') return head;
  throw usage(`${path} already exists and is not the journal of an import.`, 'Choose another file with --journal FILE');
}

type ParsedHead = { [K in keyof JournalHead]?: unknown } & { iiot?: unknown; version?: unknown };

function parseHead(line: string): ParsedHead | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined; // not a journal
  }
}

function isSame(found: unknown, expected: JournalHead['input']): boolean {
  return JSON.stringify(found) === JSON.stringify(expected);
}

function otherWork(found: string, expected: string, path: string): Failure {
  const [there, here] = [found, expected].map((work) => /https?:[^{]*/.exec(work)?.[0] ?? work).map(originOf);
  if (there === here) return other(path, `is for another import: ${found}, and not ${expected}`);
  return usage(
    `${path} is the journal of an import to another platform: to ${there}, and this one goes to ${here}.`,
    `Choose another file with --journal FILE; or, if you no longer need it, remove it: ${removeCommand(path)}`,
  );
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

function other(path: string, what: string): Failure {
  return usage(`${path} ${what}.`, `To start over, remove it first: ${removeCommand(path)}`);
}
