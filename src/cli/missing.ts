/** Lets the user choose arguments and the organization that a command line lacks. */

import { refuseNothing } from '../command/body.ts';
import type { Command } from '../command/command.ts';
import type { Context, World } from '../command/context.ts';
import { baseUrl, requireLogin } from '../command/target.ts';
import { groups } from '../commands/index.ts';
import { Failure } from '../failure.ts';
import { chooseId, isChoosable } from '../shell/choose.ts';
import { liveKindOf } from '../shell/grammar.ts';
import { openPerson } from '../terminal/person.ts';
import { argumentForShell, quoteForShell } from '../text/shell-lines.ts';
import { openContext } from './open-context.ts';
import type { ParsedLine } from './parse.ts';

/** Whether the user can choose every missing argument at a prompt. */
export async function canChoose({ command, missing, typed }: ParsedLine, world: World): Promise<boolean> {
  const { stdin, stderr, env } = world;
  const noInput = typed.some(({ option }) => option.name === 'noInput');
  const { canAnswer } = openPerson({ stdin, stderr, env, noInput });
  return canAnswer && missing.every((name) => isChoosable(liveKindOf(name, command)));
}

/** Asks for each missing argument. @returns the chosen values by name */
export async function chooseArguments(
  command: Command,
  { missing, typed }: { readonly missing: readonly string[]; readonly typed: object },
  context: Context,
): Promise<Readonly<Record<string, string>>> {
  const isUpdate = command.operation?.method === 'PATCH' && !command.without.fields;
  if (isUpdate) refuseNothing(command, typed);
  const chosen: Record<string, string> = {};
  for (const name of missing) {
    const kind = liveKindOf(name, command);
    if (command.operation) requireLogin(context);
    if (isChoosable(kind)) chosen[name] = await chooseOne(command, kind, context);
  }
  return chosen;
}

/** Asks for the missing organization. @param error says that it is missing, and is thrown if nobody can choose @returns the context with the organization */
export async function chooseOrganization(error: Failure, command: Command, context: Context): Promise<Context> {
  if (!(await context.person()).canAnswer) throw error;
  baseUrl(context);
  const value = await chooseOne(command, 'organizations', context);
  const { settings } = context;
  context.notice(
    `To use it from now on: iiot profiles set ${argumentForShell(settings.profile.value)} ${quoteForShell(`org=${value}`)}`,
  );
  const org = { value, from: 'your answer' };
  return openContext({
    ...context,
    options: { ...context.options, org: value },
    settings: { ...settings, resolved: { ...settings.resolved, org } },
  });
}

/** Asks for one value. Unless the command only reads, Enter alone cancels. @throws interrupted */
async function chooseOne(command: Command, kind: Parameters<typeof chooseId>[0], context: Context): Promise<string> {
  const onlyReads = command.operation !== undefined && command.changes === undefined;
  const chosen = await chooseId(kind, context, groups, onlyReads ? undefined : 'None: cancel');
  if (chosen === undefined) throw new Failure('interrupted', 'Cancelled.');
  return chosen;
}
