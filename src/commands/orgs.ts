import { checkRequest } from '../command/body.ts';
import { command } from '../command/command.ts';
import { organization } from '../command/target.ts';
import { listUsers, userSortFields } from '../contract/orgs.ts';
import { usage } from '../failure.ts';
import { listFlags, listResult } from './list.ts';
import { deleteOrgCommand } from './orgs-delete.ts';

const columns = [
  { field: 'userId', header: 'USER ID', keep: 'whole' },
  { field: 'name', header: 'NAME' },
  { field: 'orgRole', header: 'ROLE' },
] as const;

const usersList = command({
  name: 'orgs users list',
  operation: listUsers,
  flags: {
    sorting: {
      type: 'string',
      flag: 'sort',
      value: 'FIELD[:asc|desc]',
      description: 'Sort by name, orgRole or userId; asc by default',
    },
    ...listFlags,
  },
  completes: { sorting: userSortFields.flatMap((field) => [field, `${field}:desc`]) },
  examples: [
    { line: 'iiot orgs users list --role admin', says: 'Who may do everything?' },
    { line: 'iiot orgs users list --all -o csv > users.csv', says: 'Everybody, for a spreadsheet' },
    { line: 'iiot orgs users list --name "o\'neil" --sort name:desc', says: 'Look for a name' },
  ],
  async run(input, context) {
    const { orgRole, name, sorting } = input;
    const sorted = sorting === undefined ? undefined : await sortingOf(sorting);
    const filters = { orgId: organization(context), orgRole, name, sorting: sorted };
    checkRequest(usersList, listUsers, filters, context);
    return listResult(listUsers, filters, input, context, {
      noun: 'users',
      id: 'userId',
      columns,
    });
  },
});

/** "<field> <direction>" of the interface, from FIELD[:asc|desc]. */
async function sortingOf(word: string): Promise<string> {
  // Loaded only for sorting.
  const { fieldNamed } = await import('../output/columns.ts');
  const [field = '', direction = 'asc', ...rest] = word.split(':');
  const named = fieldNamed(field, columns);
  const known = userSortFields.find((name) => name === named);
  if (!known || !/^(asc|desc)$/.test(direction) || rest.length > 0) {
    throw usage(
      `--sort takes one of ${userSortFields.join(', ')}, followed by :asc or :desc.`,
      'For example: --sort name:desc',
      [{ field: 'sorting', option: '--sort', message: `takes one of ${userSortFields.join(', ')}` }],
    );
  }
  return `${known} ${direction}`;
}

export const commands = [usersList, deleteOrgCommand];
