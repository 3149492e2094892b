import { command } from '../command.ts';
import type { Context } from '../context.ts';
import { deleteOrganization } from '../contract/orgs.ts';
import { type Failure, usage } from '../failure.ts';
import { baseUrl } from '../target.ts';
import { confirmTyped } from '../terminal/confirmation.ts';
import { explainUnusual } from '../terminal/difference.ts';
import { checked } from './body.ts';
import { causesOf } from './orgs-delete-causes.ts';

export const deleteCommand = command({
  name: 'orgs delete',
  operation: deleteOrganization,
  changes: 'final',
  arguments: { orgId: { type: 'string', description: 'Organization (Guid)' } },
  flags: {
    orgName: {
      type: 'string',
      value: 'NAME',
      description: "The organization's exact name, instead of typing it; --yes does not stand in for it",
    },
  },
  examples: [
    {
      line: 'iiot orgs delete 77777777-7777-4777-8777-777777777777 --org-name Storage --dry-run',
      says: 'See the request first',
    },
    {
      line: 'iiot orgs delete 77777777-7777-4777-8777-777777777777 --org-name Storage',
      says: 'From a script; on a terminal the name is asked for',
    },
  ],
  async run({ orgId, orgName }, context) {
    // Whatever is wrong with the line is said before anybody has to type a name.
    checked(deleteCommand, deleteOrganization, { orgId, orgName: orgName ?? 'not typed yet' }, context);
    const base = baseUrl(context);
    const name = orgName === undefined ? await typedName(orgId, base, context) : notBlank(orgName);
    return {
      kind: 'change',
      operation: deleteOrganization,
      input: { orgId, orgName: name },
      about: `organization ${orgId}`,
      explain: (failure) => explain(failure, orgId, name, context),
      result: () => ({
        kind: 'done',
        value: { orgId, deleted: true },
        sentence: `Deleted organization ${orgId}`,
        id: 'orgId',
      }),
    };
  },
});

/** The interface shows no way to read a name: the typed one goes to the platform as it is, and the platform compares it. */
async function typedName(orgId: string, base: string, context: Context): Promise<string> {
  const person = await context.person();
  if (person.canAnswer) return confirmTyped(person, { about: `delete organization ${orgId} of ${base}` });
  throw usage(
    'To delete an organization its name has to be typed, and nobody can be asked here.',
    'Give it with --org-name NAME; --yes does not stand in for it',
    [{ option: '--org-name', message: 'is required' }],
  );
}

function notBlank(name: string): string {
  if (name.trim() !== '') return name;
  throw usage('--org-name is blank, and no organization has such a name.', 'Give its exact name', [
    { field: 'orgName', option: '--org-name', message: 'takes a name that is not blank' },
  ]);
}

async function explain(failure: Failure, orgId: string, name: string, context: Context): Promise<Failure> {
  switch (failure.kind) {
    case 'rejected': {
      const exactly = 'The name is compared exactly: case, blanks and accents count';
      const unusual = explainUnusual(name);
      return failure.with({ hint: unusual === undefined ? exactly : `${exactly}. ${unusual}` });
    }
    case 'forbidden':
      return failure.with(await causesOf(orgId, context));
    case 'not_found':
      return failure.with({
        hint: `There is no organization ${orgId} that this login can see: it may be deleted already, or of another platform (${baseUrl(context)})`,
      });
    default:
      return failure;
  }
}
