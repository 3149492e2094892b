import type { Command } from '../command.ts';
import { everyCommand } from '../shell/tree.ts';

/**
 * Commands that are no tools, and why. A group's name stands for all of its commands. Who a person is and where commands talk to is
 * for the person to decide, and no secret is ever a tool's result.
 */
export const withheld: Readonly<Record<string, string>> = {
  login: 'a person signs in',
  'login m2m': 'takes a secret',
  'login token': 'its result is a secret',
  'login refresh': 'happens by itself',
  logout: 'a person signs out',
  'profiles set': 'where tools talk to is for the person to decide',
  'profiles use': 'where tools talk to is for the person to decide',
  'profiles delete': 'where tools talk to is for the person to decide',
  'devices custom-info import': 'reads and writes files, and reports as it goes',
  api: 'any request at all could be made with it, and any answer read',
  sandbox: 'starts other programs',
  completion: 'is for shells',
  mcp: 'is this',
};

/** Every command that is a tool. */
export async function offered(): Promise<readonly Command[]> {
  return (await everyCommand()).filter(({ name }) => !isWithheld(name));
}

/** `login` alone is a command and a group: its `login status` is a tool. */
function isWithheld(name: string): boolean {
  const [group = ''] = name.split(' ');
  return Object.hasOwn(withheld, name) || (group !== 'login' && Object.hasOwn(withheld, group));
}
