import { type Failure, usage } from '../failure.ts';
import { readRecord } from '../text/record.ts';
import { removeCommand } from '../text/shell-lines.ts';

/** The first line of a journal: what the journal is for. */
export type JournalHead = {
  /** The request for each row: "PUT https://platform.example/…/{deviceId}/custom-info". */
  readonly work: string;
  /** How the input is read: "csv", "csv where NULL means null". */
  readonly reading: string;
  readonly input: { readonly sha256: string; readonly size: number; readonly rows: number };
};

const version = 2;

export function headLine(head: JournalHead): string {
  return `${JSON.stringify({ iiot: 'journal', version, ...head })}\n`;
}

/**
 * Reads the first line of a journal and compares it with this import. Returns whether the input is the same.
 * @param path names the journal in messages
 * @throws usage if it is not a journal, or belongs to another version, platform or reading
 */
export function checkHead(line: string, expected: JournalHead, path: string): boolean {
  const head = checkWork(line, expected, path);
  if (head.reading !== expected.reading) {
    throw other(path, `was started with the input read as ${head.reading}, and not as ${expected.reading}`);
  }
  return JSON.stringify(head.input) === JSON.stringify(expected.input);
}

/** The same, whatever the input and its reading. */
export function checkWork(line: string, expected: JournalHead, path: string): ParsedHead {
  const head = refuseOtherFile(line, path);
  if (head.work !== expected.work) throw otherWork(String(head.work), expected.work, path);
  return head;
}

/** For an input that has none of the rows that the journal has as done. */
export function otherInput(path: string, input: string): Failure {
  return other(path, `is the journal of another file: none of the rows that are done is in ${input}`);
}

/** The first line of any journal. @throws usage if it is not one of this version, so that no other file is ever overwritten */
export function refuseOtherFile(line: string, path: string): ParsedHead {
  const head: ParsedHead | undefined = readRecord(line);
  if (head?.iiot !== 'journal')
    throw usage(
      `${path} already exists and is not the journal of an import.`,
      'Choose another file with --journal FILE',
    );
  if (head.version === version) return head;
  throw other(path, `was written by another version of iiot (format ${Number(head.version)}, not ${version})`);
}

type ParsedHead = { [K in keyof JournalHead]?: unknown } & { iiot?: unknown; version?: unknown };

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
