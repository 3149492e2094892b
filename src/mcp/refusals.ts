/** Refuses calls of an agent that a person at a terminal could make. */
import type { Context } from '../command/context.ts';
import { Failure, usage } from '../failure.ts';
import { isBelow } from '../files/trust.ts';
import type { JsonRecord } from '../text/record.ts';
import type { Tool } from './tools.ts';

/** @throws Failure for an input that reads or writes where an agent must not */
export function refuseForAgents(tool: Tool, input: JsonRecord, context: Context): void {
  refusePathElsewhere(tool, input);
  refuseSecretWithoutPlace(tool, input);
  refuseRunnableFile(input);
  refuseProfileInUse(input, context);
}

/** Refuses paths outside the folder that `iiot mcp` started in, whether they exist or not: an agent may send on whatever it reads. */
function refusePathElsewhere({ command, name }: Tool, input: JsonRecord): void {
  const field = Object.keys(command.arguments).find((each) => {
    const value = input[each];
    return command.arguments[each]?.isPath && typeof value === 'string' && !isBelow('.', value);
  });
  if (field === undefined) return;
  const hint = `Give "${field}" a path in that folder`;
  throw new Failure('forbidden', `${name} reads only below the folder that iiot mcp was started in.`, { hint });
}

/** The platform shows a new secret only once, in the response to its creation: it needs a place outside of the conversation. */
function refuseSecretWithoutPlace({ command, name, fields }: Tool, input: JsonRecord): void {
  const places = ['secretFile', 'saveProfile'].filter((place) => Object.hasOwn(fields, place));
  if (places.length === 0 || !command.changes?.adds || input.dryRun === true) return;
  if (places.some((place) => typeof input[place] === 'string')) return;
  throw usage(`${name} does not show the secret: it must go to a file or a profile.`, `Give ${places.join(' or ')}`);
}

/** Refuses names such as ~/.bash_profile: a text that the agent has read may have chosen the name, and the platform chooses the content. */
function refuseRunnableFile({ secretFile }: JsonRecord): void {
  if (typeof secretFile !== 'string' || /^\P{Cc}*[^\\/\p{Cc}]\.secret$/iu.test(secretFile)) return;
  const hint = 'Give "secretFile" a name that ends in .secret';
  throw usage(`${secretFile} is not a name for a secret file.`, hint);
}

/** Refuses a profile that exists, and one that commands use when none is named: the person decides where commands go, and as whom. */
function refuseProfileInUse({ saveProfile }: JsonRecord, { store, settings, world }: Context): void {
  if (typeof saveProfile !== 'string') return;
  const { profiles, current } = store.readConfig();
  const exists = Object.hasOwn(profiles, saveProfile) || store.readLogin(saveProfile) !== undefined;
  const isUsed = [settings.profile.value, world.env.IIOT_PROFILE, current, 'default'].includes(saveProfile);
  if (!exists && !isUsed) return;
  const reason = exists
    ? `Profile ${saveProfile} already exists.`
    : `Profile ${saveProfile} is used where none is named, so the person sets it up.`;
  throw usage(reason, 'Give "saveProfile" a new name');
}
