import type { Lookup } from '../../command/look.ts';
import type { UpdateFacts } from '../update.ts';

/** Looks up in the list of templates whether an update was applied. */
export function lookForUpdate(facts: UpdateFacts): Lookup {
  return {
    where: 'the list of templates',
    find: async (context) => (await import('./stored.ts')).findUpdate(facts, context),
  };
}
