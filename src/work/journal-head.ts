import { type Failure, usage } from '../failure.ts';
import { isNobodys, type Place, placeWords, readPlace, sameTenant } from '../place.ts';
import { capitalized } from '../text/capitalized.ts';
import { readRecord } from '../text/record.ts';
import { optionForShell, quoteForShell, removeCommand } from '../text/shell-lines.ts';
import { version as by } from '../version.ts';

/** The first line of a journal: what the journal is for. */
export type JournalHead = {
  /** The request for each row: "PUT /…/{deviceId}/custom-info". */
  readonly work: string;
  /** Where the rows go, and as whom. */
  readonly place: Place;
  /** What holds for every row, as options: "--delay 300". */
  readonly meaning: readonly string[];
  readonly input: {
    readonly sha256: string;
    readonly size: number;
    readonly rows: number;
    /** The checksum of the files that options name, if there are any. */
    readonly files?: string | undefined;
  };
};

/** Every later 1.x reads the journals of 1.x, and test/process/kept-formats.test.ts has one of each kept file. */
const version = 6;

/** The same without the lines that tell its runs apart. */
const versionBefore = 5;

export function headLine(head: JournalHead): string {
  return `${JSON.stringify({ iiot: 'journal', version, by, kind: 'rows', ...head })}\n`;
}

/** The journal's name, and what a person does to act in a place: "add --profile plant"; undefined if this machine has no profile for it. */
export type JournalNames = { readonly path: string; readonly wayTo: (place: Place) => string | undefined };

/**
 * Reads the first line of a journal and compares it with this run. Returns whether the input is the same, and the place where the rows went if nothing
 * tells that it is this one.
 * @throws usage if it is not a journal, or belongs to another version, to another place, or to other work or options
 */
export function checkHead(line: string, expected: JournalHead, names: JournalNames) {
  const head = checkPlace(line, expected, names);
  checkSame(head.meaning, expected.meaning, names.path);
  const began = readPlace(head.place);
  const isKnown = began && sameTenant(began, expected.place) === 'same';
  return { isSame: isSameInput(head, expected), unproven: isKnown ? undefined : began };
}

/** The same, whatever the input and its meaning. */
export function checkPlace(line: string, expected: JournalHead, names: JournalNames): ParsedHead {
  const { path } = names;
  const head = refuseOtherFile(line, path);
  if (head.work !== expected.work)
    throw usage(`${path} is the journal of another run: ${head.work}, not ${expected.work}.`, capitalized(nameAnother));
  const began = readPlace(head.place);
  if (!began) throw other(path, 'does not say where its rows were sent');
  checkThere(began, expected.place, names);
  return head;
}

function checkThere(began: Place, place: Place, { path, wayTo }: JournalNames): void {
  if (isThere(began, place)) {
    checkSame(organizationOf(began), organizationOf(place), path, nameAnother);
    return;
  }
  const doubt = sameTenant(began, place) === 'unknown' ? ', and iiot cannot tell whether that is the same tenant' : '';
  const sentence = `${path} is the journal of a run at ${placeWords(began, place)}; this one is at ${placeWords(place, began)}${doubt}.`;
  // An address out of a file is not made part of a command.
  throw usage(sentence, `To continue it, ${wayTo(began) ?? 'name its profile with --profile'}; ${nameAnother}`);
}

/** Whoever has no name, as an opaque token, is taken at their word. */
function isThere(began: Place, place: Place): boolean {
  const tenant = sameTenant(began, place);
  return tenant === 'same' || (tenant === 'unknown' && (isNobodys(began) || isNobodys(place)));
}

function organizationOf({ org }: Place): readonly string[] {
  return org === undefined ? [] : [optionForShell('org', org)];
}

/** Whether a run has the same rows with the same meaning. */
export function isSameInput({ meaning, input }: ParsedHead, expected: JournalHead): boolean {
  return JSON.stringify([meaning, input]) === JSON.stringify([expected.meaning, expected.input]);
}

/** Whether an ended run says nothing of this one: other work, or another place. One that added records stays: sent again, they would be there twice. */
export function isReplaceable(ended: ParsedHead, { work, place }: JournalHead): boolean {
  const began = readPlace(ended.place);
  const isOther = ended.work !== work || !began || began.org !== place.org || !isThere(began, place);
  return isOther && !String(ended.work).startsWith('POST ');
}

const nameAnother = 'for this run, name another journal: --journal FILE';

function checkSame(found: unknown, expected: readonly string[], path: string, otherwise = sendAgain(path)): void {
  const began = Array.isArray(found) ? found.map(String) : [];
  const [missing, more] = [without(began, expected), without(expected, began)];
  if (missing.length + more.length > 0) throw otherOptions(path, missing, more, otherwise);
}

function without(all: readonly string[], others: readonly string[]): string[] {
  return all.filter((each) => !others.includes(each));
}

/** First what continues the run, and last what sends its rows once more. */
function otherOptions(path: string, missing: readonly string[], more: readonly string[], otherwise: string): Failure {
  const nameOf = (option: string) => option.split(' ')[0];
  const given = more.filter((option) => !missing.some((other) => nameOf(other) === nameOf(option)));
  const began = missing.length > 0 ? `with ${missing.join(' ')}` : `without ${given.join(' ')}`;
  const add = missing.length > 0 ? 'give the same options' : '';
  const leave = given.length > 0 ? `leave out ${given.join(' ')}` : '';
  const next = [add, leave].filter(Boolean).join(', and ');
  const sentence = `${path} is the journal of a run that was started ${began}.`;
  return usage(sentence, `To continue it, ${next}; ${otherwise}`);
}

/** For an input that has none of the rows that the journal has as done. */
export function otherInput(path: string, input: string, hasFiles: boolean): Failure {
  const files = hasFiles ? ', or a file that an option names has changed' : '';
  return other(path, `is the journal of another file: none of the rows that are done is in ${input}${files}`);
}

/** The first line of any journal. @throws usage if it is not one of this version, so that no other file is ever overwritten */
export function refuseOtherFile(line: string, path: string): ParsedHead {
  const head: ParsedHead | undefined = readRecord(line);
  if (head?.iiot !== 'journal')
    throw usage(`${path} already exists and is not a journal.`, 'Choose another file with --journal FILE');
  if (head.version === version || head.version === versionBefore) return head;
  const began = typeof head.by === 'string' ? ` (iiot ${quoteForShell(head.by)})` : '';
  const sentence = `${path} was written by another version of iiot (format ${Number(head.version)}, not ${version}).`;
  throw usage(sentence, `Finish it with the version that began it${began}; ${sendAgain(path)}`);
}

type ParsedHead = { [K in keyof JournalHead]?: unknown } & { iiot?: unknown; version?: unknown; by?: unknown };

function other(path: string, what: string): Failure {
  return usage(`${path} ${what}.`, capitalized(sendAgain(path)));
}

/** "to send every row again, remove it first: rm a.csv.iiot-journal" */
export function sendAgain(path: string): string {
  return `to send every row again, remove it first: ${removeCommand(path)}`;
}
