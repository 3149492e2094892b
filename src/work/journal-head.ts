import { type Failure, usage } from '../failure.ts';
import { isAnonymous, type Place, placeWords, readPlace, sameTenant } from '../place.ts';
import { capitalized } from '../text/capitalized.ts';
import { readRecord } from '../text/record.ts';
import { optionForShell, quoteForShell, removeCommand } from '../text/shell-lines.ts';
import { version as by } from '../version.ts';

/** The first line of a journal, which tells its run from others. */
export type JournalHead = {
  /** The request for each row: "PUT /…/{deviceId}/custom-info". */
  readonly work: string;
  readonly place: Place;
  /** The options that apply to every row: "--delay 300". */
  readonly meaning: readonly string[];
  readonly input: {
    readonly sha256: string;
    readonly size: number;
    readonly rows: number;
    /** The checksum of the files that options name, if there are any. */
    readonly files?: string | undefined;
  };
};

/** The format. Every later 1.x reads the journals of 1.x, as test/process/kept-formats.test.ts shows. */
const version = 6;

/** An earlier format, which differs only by having no lines with the IDs of runs. */
const versionBefore = 5;

export function headLine(head: JournalHead): string {
  return `${JSON.stringify({ iiot: 'journal', version, by, kind: 'rows', ...head })}\n`;
}

/** The path of a journal. `wayTo` tells how the user can act in a place, such as "add --profile plant"; undefined if no profile is for it. */
export type JournalNames = { readonly path: string; readonly wayTo: (place: Place) => string | undefined };

/**
 * Reads the first line of a journal and compares it with this run. @throws usage if it is of another version, place or work, or has other options
 * @returns whether the input is the same, and the place of the rows if nothing proves that it is the same
 */
export function checkHead(
  line: string,
  expected: JournalHead,
  names: JournalNames,
): { readonly isSame: boolean; readonly unproven: Place | undefined } {
  const head = checkPlace(line, expected, names);
  checkSame(head.meaning, expected.meaning, names.path);
  const began = readPlace(head.place);
  const isKnown = began && sameTenant(began, expected.place) === 'same';
  return { isSame: isSameInput(head, expected), unproven: isKnown ? undefined : began };
}

/** Reads the first line of a journal. @throws usage if it is of another version, place or work */
export function checkPlace(line: string, expected: JournalHead, names: JournalNames): ParsedHead {
  const { path } = names;
  const head = readHead(line, path);
  if (head.work !== expected.work)
    throw usage(`${path} is the journal of another run: ${head.work}, not ${expected.work}.`, capitalized(nameAnother));
  const began = readPlace(head.place);
  if (!began) throw otherJournalFailure(path, 'does not say where its rows were sent');
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
  // The hint does not put an address from a file into a command.
  throw usage(sentence, `To continue it, ${wayTo(began) ?? 'name its profile with --profile'}; ${nameAnother}`);
}

/** Whether a run at `place` may continue one that began elsewhere. An opaque token tells no tenant, and is trusted to be of the right one. */
function isThere(began: Place, place: Place): boolean {
  const tenant = sameTenant(began, place);
  return tenant === 'same' || (tenant === 'unknown' && (isAnonymous(began) || isAnonymous(place)));
}

function organizationOf({ org }: Place): readonly string[] {
  return org === undefined ? [] : [optionForShell('org', org)];
}

/** Whether a run has the same rows with the same meaning. */
export function isSameInput({ meaning, input }: ParsedHead, expected: JournalHead): boolean {
  return JSON.stringify([meaning, input]) === JSON.stringify([expected.meaning, expected.input]);
}

/** Whether the journal of an ended run may be replaced, because its work or place is another. That of added records is kept: they must not be sent twice. */
export function isReplaceable(ended: ParsedHead, { work, place }: JournalHead): boolean {
  const began = readPlace(ended.place);
  const isOther = ended.work !== work || !began || began.org !== place.org || !isThere(began, place);
  return isOther && !String(ended.work).startsWith('POST ');
}

const nameAnother = 'for this run, name another journal: --journal FILE';

function checkSame(found: unknown, expected: readonly string[], path: string, otherwise = sendAgain(path)): void {
  const began = Array.isArray(found) ? found.map(String) : [];
  const [missing, added] = [without(began, expected), without(expected, began)];
  if (missing.length + added.length > 0) throw optionsFailure(path, missing, added, otherwise);
}

function without(all: readonly string[], others: readonly string[]): string[] {
  return all.filter((each) => !others.includes(each));
}

/** The failure for a run with other options. @param ending the end of the hint: what to do to send all rows again */
function optionsFailure(path: string, missing: readonly string[], added: readonly string[], ending: string): Failure {
  const nameOf = (option: string) => option.split(' ')[0];
  const given = added.filter((option) => !missing.some((other) => nameOf(other) === nameOf(option)));
  const began = missing.length > 0 ? `with ${missing.join(' ')}` : `without ${given.join(' ')}`;
  const add = missing.length > 0 ? 'give the same options' : '';
  const leave = given.length > 0 ? `leave out ${given.join(' ')}` : '';
  const next = [add, leave].filter(Boolean).join(', and ');
  const sentence = `${path} is the journal of a run that was started ${began}.`;
  return usage(sentence, `To continue it, ${next}; ${ending}`);
}

/** The failure for an input without any of the rows that the journal has as done. */
export function otherInputFailure(path: string, input: string, hasFiles: boolean): Failure {
  const files = hasFiles ? ', or a file that an option names has changed' : '';
  return otherJournalFailure(
    path,
    `is the journal of another file: none of the rows that are done is in ${input}${files}`,
  );
}

/** Reads the first line of any journal. @throws usage if it is not one of this version, so that no other file is ever overwritten */
export function readHead(line: string, path: string): ParsedHead {
  const head: ParsedHead | undefined = readRecord(line);
  if (head?.iiot !== 'journal')
    throw usage(`${path} already exists and is not a journal.`, 'Choose another file with --journal FILE');
  if (head.version === version || head.version === versionBefore) return head;
  const began = typeof head.by === 'string' ? ` (iiot ${quoteForShell(head.by)})` : '';
  const sentence = `${path} was written by another version of iiot (format ${Number(head.version)}, not ${version}).`;
  throw usage(sentence, `Finish it with the version that began it${began}; ${sendAgain(path)}`);
}

type ParsedHead = { [K in keyof JournalHead]?: unknown } & { iiot?: unknown; version?: unknown; by?: unknown };

function otherJournalFailure(path: string, problem: string): Failure {
  return usage(`${path} ${problem}.`, capitalized(sendAgain(path)));
}

/** "to send every row again, remove it first: rm a.csv.iiot-journal" */
export function sendAgain(path: string): string {
  return `to send every row again, remove it first: ${removeCommand(path)}`;
}
