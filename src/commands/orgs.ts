import { checkRequest } from '../command/body.ts';
import { command } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { deletedSchema } from '../command/dry-run-schema.ts';
import type { LookupFinding } from '../command/look.ts';
import { placeOf, whereText } from '../command/place.ts';
import { baseUrl, organization } from '../command/target.ts';
import { deleteOrganization, listUsers, user, userSortFields } from '../contract/orgs.ts';
import { list, orgRoleNames, record, text, textOrNull } from '../contract/shared.ts';
import { toRequest } from '../contract/wire.ts';
import { asFailure, Failure, refusedInput, usage } from '../failure.ts';
import { listFlags, listResult } from './list.ts';

const columns = [
  { field: 'userId', header: 'USER ID', keep: 'whole' },
  { field: 'name', header: 'NAME' },
  { field: 'orgRole', header: 'ROLE' },
] as const;

const usersList = command({
  name: 'orgs users list',
  shell: { completes: { sorting: userSortFields.flatMap((field) => [field, `${field}:desc`]) } },
  operation: listUsers,
  flags: {
    sorting: text('Sort by name, orgRole or userId; asc by default', { flag: 'sort', value: 'FIELD[:asc|desc]' }),
    ...listFlags,
    snapshotFile: text(
      'Also save all users in this file, for orgs users diff; only a snapshot of the same is replaced',
      { flag: 'snapshot', value: 'FILE' },
    ),
  },
  examples: {
    'iiot orgs users list --role admin': 'Who can do everything?',
    'iiot orgs users list -o csv --for-spreadsheet > users.csv': 'Everybody, for a spreadsheet',
    'iiot orgs users list --name "o\'neil" --sort name:desc': 'Look for a name',
    'iiot orgs users list --snapshot users.json': 'To compare with later',
  },
  async run(input, context) {
    const { orgRole, name, sorting, snapshotFile } = input;
    const sorted = sorting === undefined ? undefined : await parseSorting(sorting);
    const filters = { orgId: organization(context), orgRole, name, sorting: sorted };
    checkRequest(usersList, listUsers, filters, context);
    const result = await listResult(listUsers, filters, input, context, { noun: 'users', id: 'userId', columns });
    if (snapshotFile === undefined) return result;
    const { saveUsers } = await import('./orgs-users-diff.ts');
    return { ...result, pages: await saveUsers(snapshotFile, filters, input, context) };
  },
});

/** Turns FIELD[:asc|desc] into the interface's "<field> <direction>". @throws usage for another field or direction */
async function parseSorting(word: string): Promise<string> {
  const { fieldNamed } = await import('../output/columns.ts');
  const [field = '', direction = 'asc', ...rest] = word.split(':');
  const named = fieldNamed(field, columns);
  const known = userSortFields.find((name) => name === named);
  if (!known || !/^(asc|desc)$/.test(direction) || rest.length > 0) {
    const message = `takes one of ${userSortFields.join(', ')}, followed by :asc or :desc`;
    throw refusedInput([{ field: 'sorting', option: '--sort', message }], 'For example: --sort name:desc');
  }
  return `${known} ${direction}`;
}

const { userId, name } = user.properties;

const usersDiff = command({
  name: 'orgs users diff',
  without: { agents: 'reads a file', fields: true },
  shell: { ends: { found: 'users were added or removed, or have another role' } },
  operation: listUsers,
  summary: 'Compare the users with a saved list',
  description:
    'Compares the users of the organization, by ID and role, with a list saved by iiot orgs users list: who was added or removed, and ' +
    'whose role has changed. A snapshot says whose users it has, and is refused for others; its filters apply to the comparison too. ' +
    'Of a list saved by iiot each for several organizations, only the users of this one count. Reads only. The exit code is 10 if ' +
    'anything differs.',
  arguments: { snapshot: text('Snapshot, or list as JSON, NDJSON or CSV; - is standard input', { value: 'FILE' }) },
  flags: { orgRole: text('Only users who have this role, or had it', { enum: orgRoleNames, flag: 'role' }) },
  examples: {
    'iiot orgs users diff snapshot.json': 'Who joined, who left, who can do more?',
    'iiot orgs users diff snapshot.json --role admin': 'Who is an admin now, or no longer?',
    'iiot orgs users diff snapshot.json -o csv --for-spreadsheet > changes.csv': 'For a spreadsheet',
  },
  result: list(
    'The differences',
    record('A user who differs', {
      change: text('What has changed', { enum: ['added', 'removed', 'role_changed'] }),
      userId,
      name,
      orgRole: textOrNull('Role now; null if removed'),
      previousOrgRole: textOrNull('Role in the saved list; null if added'),
    }),
  ),
  async run({ snapshot, orgRole }, context) {
    const filters = { orgId: organization(context), orgRole };
    checkRequest(usersDiff, listUsers, filters, context);
    return (await import('./orgs-users-diff.ts')).compareUsers(snapshot, filters, context);
  },
});

const deleteOrgCommand = command({
  name: 'orgs delete',
  without: { each: 'the name of one organization is typed' },
  changes: { undoable: false },
  operation: deleteOrganization,
  result: deletedSchema('orgId', 'Organization'),
  arguments: { orgId: text('Organization (UUID)', { insteadOf: 'org' }) },
  flags: {
    orgName: text("The organization's exact name; asked for at a terminal, and --yes does not replace it", {
      value: 'NAME',
      forAgents: 'typed',
    }),
  },
  examples: {
    'iiot orgs delete 77777777-7777-4777-8777-777777777777 --org-name Storage --dry-run': 'See the request first',
    'iiot orgs delete 77777777-7777-4777-8777-777777777777 --org-name Storage':
      'From a script; at a terminal the name is asked for',
  },
  async run({ orgId, orgName }, context) {
    // Report errors in the command line before asking for a name.
    checkRequest(deleteOrgCommand, deleteOrganization, { orgId, orgName: orgName ?? 'not typed yet' }, context);
    const base = baseUrl(context);
    if (orgName?.trim() === '')
      throw refusedInput([{ field: 'orgName', option: '--org-name', message: 'is blank' }], 'Give its exact name');
    const name = orgName ?? (await askForName(orgId, context));
    return {
      kind: 'change',
      operation: deleteOrganization,
      input: { orgId, orgName: name },
      subject: { type: 'organization', id: orgId },
      action: `Delete organization ${orgId}`,
      look: {
        where: "the list of the organization's users",
        isDeletion: true,
        find: (own) => findOrg(orgId, own),
      },
      verify: ({ status }) => refuseIfStillThere(status, orgId, context),
      explain: (failure) => explainDeletion(failure, base),
      result: () => ({
        kind: 'done',
        value: { orgId, deleted: true },
        sentence: `Deleted organization ${orgId}`,
        id: 'orgId',
      }),
    };
  },
});

/** A 404 for a repeated deletion may come from a server in between. @throws Failure if the organization is still there */
async function refuseIfStillThere(status: number, orgId: string, context: Context): Promise<void> {
  const finding = status === 404 ? await findOrg(orgId, context).catch(asFailure) : undefined;
  if (finding === undefined || finding instanceof Failure || finding.outcome === 'applied') return;
  const sentence = `Organization ${orgId} is still there, but the platform did not find it to delete.`;
  throw new Failure('unavailable', sentence, { status, hint: 'Try again; to find the cause, run: iiot doctor' });
}

async function findOrg(orgId: string, context: Context): Promise<LookupFinding> {
  const { send } = await context.platform();
  return send(listUsers, toRequest(listUsers, { orgId, maxResultCount: 1 })).then(
    () => ({ outcome: 'not applied' }),
    (error) => {
      const { kind, facts } = asFailure(error);
      if (kind === 'not_found' && facts.refused !== 'elsewhere') return { outcome: 'applied' };
      throw error;
    },
  );
}

/** Asks for the organization's name. The interface has no way to read it, so the platform compares what is typed. @throws usage if nobody can answer */
async function askForName(orgId: string, context: Context): Promise<string> {
  const person = await context.person();
  if (person.canAnswer) {
    context.warn('Deleting an organization cannot be undone.');
    const where = whereText(await placeOf(context), context);
    const check = (typed: string) => (typed.trim() === '' ? 'Nothing was typed; Ctrl-C cancels.' : undefined);
    return person.ask(`To delete organization ${orgId} ${where}, type its name`, { check });
  }
  throw usage(
    `To delete an organization, you must type its name; cannot prompt: ${person.obstacle}.`,
    'Give it with --org-name NAME; --yes does not replace it',
    [{ option: '--org-name', message: 'is required' }],
  );
}

function explainDeletion(failure: Failure, base: string): Failure {
  const hints: Readonly<Record<string, string>> = {
    rejected: 'The name is compared exactly: case, spaces and accents count',
    forbidden: 'See when an organization can be deleted: iiot orgs delete --help',
    not_found: `It may already be deleted, or be on a platform other than ${base}`,
  };
  const { status = 400 } = failure.facts;
  const hint = failure.kind === 'rejected' && status !== 400 ? undefined : hints[failure.kind];
  return hint === undefined ? failure : failure.with({ hint });
}

export const commands = [usersList, usersDiff, deleteOrgCommand];
