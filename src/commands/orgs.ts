import { command } from '../command.ts';
import { listUsers, userSortFields } from '../contract/orgs.ts';
import { usage } from '../failure.ts';
import { organization } from '../target.ts';
import { checked } from './body.ts';
import { list, listFlags } from './listing.ts';
import { deleteCommand } from './orgs-delete.ts';

const usersList = command({
  name: 'orgs users list',
  operation: listUsers,
  flags: {
    sorting: {
      type: 'string',
      flag: 'sort',
      value: 'FIELD[:asc|desc]',
      description: 'Sort by name, orgRole or userId; asc unless told desc',
    },
    ...listFlags,
  },
  examples: [
    { line: 'iiot orgs users list --role admin', says: 'Who may do everything?' },
    { line: 'iiot orgs users list --all -o csv > users.csv', says: 'Everybody, for a spreadsheet' },
    { line: 'iiot orgs users list --name "o\'neil" --sort name:desc', says: 'Look for a name' },
  ],
  async run(input, context) {
    const filters = {
      orgId: organization(context),
      ...(input.orgRole !== undefined && { orgRole: input.orgRole }),
      ...(input.name !== undefined && { name: input.name }),
      ...(input.sorting !== undefined && { sorting: sortingOf(input.sorting) }),
    };
    checked(usersList, listUsers, { ...filters }, context);
    return list(listUsers, filters, input, context, {
      noun: 'users',
      id: 'userId',
      largestPage: listUsers.params.maxResultCount.maximum,
      columns: [
        { field: 'userId', header: 'USER ID', keep: 'whole' },
        { field: 'name', header: 'NAME' },
        { field: 'orgRole', header: 'ROLE' },
      ],
    });
  },
});

/** "<field> <direction>" of the interface, from FIELD[:asc|desc]. */
function sortingOf(word: string): string {
  const [field = '', direction = 'asc', ...rest] = word.split(':');
  const known = userSortFields.find((name) => name.toLowerCase() === field.toLowerCase());
  if (!known || !/^(asc|desc)$/.test(direction) || rest.length > 0) {
    throw usage(
      `--sort takes one of ${userSortFields.join(', ')}, with :asc or :desc behind it.`,
      'For example: --sort name:desc',
      [{ field: 'sorting', option: '--sort', message: `takes one of ${userSortFields.join(', ')}` }],
    );
  }
  return `${known} ${direction}`;
}

export const commands = [usersList, deleteCommand];
