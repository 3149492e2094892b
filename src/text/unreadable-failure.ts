import { Failure } from '../failure.ts';

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ELOOP: 'its links form a loop',
  ENXIO: 'it is not a regular file',
};

/**
 * The usage failure for a file that somebody named and that cannot be read.
 * @param name begins the sentence: the path, with what it was given by
 */
export function unreadableFailure(name: string, error: unknown, hint?: string): Failure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
  const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
  const sentence = isMissing ? `${name} does not exist.` : `${name} cannot be read: ${reasons[code] ?? code}.`;
  return new Failure('usage', sentence, { hint, cause: error });
}
