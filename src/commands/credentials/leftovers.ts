import type { Context } from '../../command/context.ts';
import { ignoreFailure } from '../../failure.ts';
import { placeWords, readPlace } from '../../place.ts';
import { listLeftoverRecoveries } from '../../store/recovery.ts';

/** Warns, in one line, of the recovery files of runs that were killed between requesting a secret and saving it. */
export function warnOfLeftovers({ store, world, warn }: Context): void {
  const files = listLeftoverRecoveries(ignoreFailure(() => store.folder) ?? '', world.now());
  const saved = files.filter(({ content }) => content.clientSecret !== undefined);
  const lost = files.filter((each) => !saved.includes(each));
  const times = files.map(({ content }) => (typeof content.begun === 'string' ? ` at ${content.begun}` : ''));
  const commands = files.length === 1 ? 'A command was' : `${files.length} commands were`;
  const start = `${commands} interrupted${files.length === 1 ? times[0] : ''}`;
  const parts = [saved.length > 0 ? savedWords(saved) : '', lost.length > 0 ? lostWords(lost) : ''].filter(Boolean);
  if (files.length > 0) warn(`${start}: ${parts.join(' Besides, ')}`);
}

type Leftovers = ReturnType<typeof listLeftoverRecoveries>;

function savedWords(left: Leftovers): string {
  const [secrets, are, them, files] =
    left.length === 1 ? ['secret', 'is', 'it', 'file'] : ['secrets', 'are', 'them', 'files'];
  return `the ${secrets} of ${credentialsOf(left)} ${are} in ${pathsOf(left)}. Move ${them} to a safe place, then remove the ${files}.`;
}

function lostWords(left: Leftovers): string {
  const [them, their, are] =
    left.length === 1 ? ['it', 'its secret is', 'it is'] : ['them', 'their secrets are', 'they are'];
  const sentence = `${credentialsOf(left)} may exist, but ${their} lost.`;
  return `${sentence} Delete ${them} if ${are} there (iiot credentials list, with the profile of that place), and remove ${pathsOf(left)}.`;
}

const pathsOf = (left: Leftovers) => left.map(({ path }) => path).join(', ');

/** `client credentials "a" (https://platform.example, tenant acme), "b" (…)` */
function credentialsOf(left: Leftovers): string {
  const names = left.map(({ content: { name, place, baseUrl } }) => {
    const origin = readPlace(place ?? { base: baseUrl });
    return `${typeof name === 'string' ? `"${name}"` : '(name unknown)'}${origin ? ` (${placeWords(origin)})` : ''}`;
  });
  return `client credential${left.length === 1 ? '' : 's'} ${names.join(', ')}`;
}
