import { Failure, type FailureDetail } from '../failure.ts';

/** The sentence of a failure without its status, which is shown on its own. */
export function sentenceOf({ message, facts: { status } }: Failure): string {
  return status === undefined ? message : message.replaceAll(` (${status})`, '');
}

/** The sentence of a failure with the details that it lacks. The sentence of a usage failure already names every option, so it gets no details. */
export function sentenceWithDetails(failure: Failure, mostDetails?: number): string {
  const sentence = sentenceOf(failure);
  const details = failure.kind === 'usage' ? [] : (failure.facts.details ?? []).slice(0, mostDetails);
  const added = details.map((detail) => detailWords(detail, sentence)).filter((words) => words !== '');
  return [sentence, added.join('; ')].join(' ').trim();
}

const mostInRow = 5; // details of a failure

/** A failure on one line, for a row among others: its sentence, its first details and its status. */
export function failureLine(failure: Failure): string {
  const { details, status } = failure.facts;
  if (!details) return failure.message;
  const sentence = sentenceWithDetails(failure, mostInRow);
  return status === undefined ? sentence : `${sentence} (${status})`;
}

/** A failure as the field `error` of one result among many. */
export function errorFields(failure: Failure) {
  const { status = null, requestId = null, looked } = failure.facts;
  const message = sentenceWithDetails(failure, mostInRow);
  return { code: failure.kind, message, status, requestId, ...(looked && { looked: true as const }) };
}

/** The part of a detail that a sentence lacks: all of it, only the option's name, or nothing. */
function detailWords({ option, field, message }: FailureDetail, sentence: string): string {
  const name = option ?? field ?? '';
  const isNamed = name === '' || sentence.includes(name);
  if (sentence.includes(message)) return isNamed ? '' : `(${name})`;
  return name === '' ? message : `${name}: ${message}`;
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ELOOP: 'its links form a loop',
  ENXIO: 'it is not a regular file',
};

/** The usage failure for a named file that cannot be read. @param name begins the sentence: the path, and the option it was given with */
export function unreadableFailure(name: string, error: unknown, hint?: string): Failure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
  const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
  const sentence = isMissing ? `${name} does not exist.` : `${name} cannot be read: ${reasons[code] ?? code}.`;
  return new Failure('usage', sentence, { hint, cause: error });
}
