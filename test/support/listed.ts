/** That a command ends with no other exit codes than its help lists. */
import { readFileSync } from 'node:fs';

type Listed = { readonly aliases?: readonly string[]; readonly exitCodes: readonly string[] };

const surface: { commands: Readonly<Record<string, Listed>> } = JSON.parse(
  readFileSync('docs/internals/surface.json', 'utf8'),
);
const listed = new Map(
  Object.entries(surface.commands).flatMap(([name, { aliases = [], exitCodes }]) =>
    [name, ...aliases].map((each) => [each, exitCodes.map((code) => Number.parseInt(code, 10))] as const),
  ),
);

/** Some tests answer 409 where the interface has none. */
const conflict = 6;

/** `sandbox exec` ends as the command that it runs. @throws Error if the command that the words begin with ended with another exit code than those of its help */
export function mustBeListed(words: readonly string[], exit: number | undefined): void {
  const name = words.map((_, at) => words.slice(0, words.length - at).join(' ')).find((each) => listed.has(each));
  if (exit === undefined || exit === conflict || name === undefined || name === 'sandbox exec') return;
  if (listed.get(name)?.includes(exit)) return;
  throw new Error(`iiot ${words.join(' ')} ended with ${exit}, which iiot ${name} --help does not list.`);
}
