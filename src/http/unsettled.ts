import { Failure } from '../failure.ts';

/** What to do before a change is made a second time that must not be made twice. */
export const lookFirst = 'Look whether it was, before you do it again; iiot doctor looks for the reason';

/** Methods that may be sent again whatever became of the first time: what they do twice is what they do once. */
export const repeatable: ReadonlySet<string> = new Set(['GET', 'PUT', 'DELETE']);

/** The failure of a change that no answer settles. */
export function unsettled(failure: Failure): Failure {
  const { facts } = failure;
  const sentence = `${failure.message} The change may have been applied.`;
  const hint = facts.hint ?? 'Look whether it was, before you do it again';
  return new Failure(failure.kind, sentence, { ...facts, hint, unsettled: true });
}
