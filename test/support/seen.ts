/** What is seen of a command, told in one line. */
import type { Seen } from './world.ts';

/** A command that works: what it prints, and the lines that it says beside it. */
export function worked(stdout: string, ...lines: readonly string[]): Seen {
  return { exit: 0, stdout, stderr: said(lines) };
}

/** A command that prints nothing: its exit code, and the lines of its error. */
export function failed(exit: number, ...lines: readonly string[]): Seen {
  return { exit, stdout: '', stderr: said(lines) };
}

/** The same command, of whose stderr only the first lines count. */
export async function inBrief(command: Promise<Seen>, lines = 1): Promise<Seen> {
  const { stderr, ...seen } = await command;
  return { ...seen, stderr: said(stderr.split('\n').slice(0, lines)) };
}

/** A command that ends with an error for a program: its exit code, what it prints, and what its error has that is not null. */
export async function errorOf(command: Promise<Seen>) {
  const { exit, stdout, stderr } = await command;
  const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '');
  return { exit, stdout, ...facts(error) };
}

/** What an error says, without the place, which is the same for all. */
// biome-ignore lint/suspicious/noExplicitAny: what a program reads is JSON
function facts({ notices, baseUrl: _base, profile: _profile, orgId: _org, ...error }: any): any {
  const given = Object.entries(error).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(given), ...(notices?.length > 0 && { notices }) };
}

function said(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
