import type { Lookup } from '../../command/look.ts';
import type { UpdateFacts } from '../update.ts';

/** Where an update of a template can be seen. */
export function lookForUpdate(facts: UpdateFacts): Lookup {
  return {
    where: 'the list of templates',
    find: async (context) => (await import('./stored.ts')).findUpdate(facts, context),
  };
}
