/** What people type before they have read the help. */
import { expect, it } from 'vitest';
import { groups } from '../../src/commands/index.ts';
import { topics } from '../../src/shell/topics.ts';
import { flatten, loadBranches } from '../../src/shell/tree.ts';
import { madeForAll } from '../support/fixtures.ts';
import { wordsOf } from '../support/words.ts';
import { person } from '../support/world.ts';

const someone = madeForAll(() => person());
const names = new Set([
  ...(await loadBranches(groups)).flatMap(flatten).map(({ name }) => name),
  ...topics.map(({ name }) => `help ${name}`),
]);

/** A line, a word that the hint must have, and one that it must not have. */
const helped = `
  whoami                                        | iiot login status
  auth login                                    | iiot login
  auth status                                   | iiot login status
  auth logout                                   | iiot logout           | login
  help env                                      | iiot help environment
  help auth                                     | iiot help authentication
  import fleet.csv                              | iiot devices custom-info import
  orgs use 22222222-2222-4222-8222-222222222222 | iiot profiles set NAME org=ID
  templates rollback                            | iiot templates push
  config                                        | iiot profiles
  config set org=x                              | iiot profiles set
  status                                        | iiot login status
  tokens                                        | iiot login token
  logs                                          | iiot history
  secrets                                       | iiot credentials
  users list                                    | iiot orgs users list  | api
  users add ada                                 | iiot api POST
  orgs get ID                                   | web console
  orgs delete 22222222-2222-4222-8222-222222222222 | --org-name
  devices get press-0001                        | iiot api
  devices create press-9                        | iiot api POST
  policies enable p1                            | If your platform has  | update
  channels disable channel_email                | --disabled            | --enabled
  channels test channel_email                   | If your platform has  | update
  batches get b1                                | iiot api
  batches run b1                                | If your platform has  | create
  templates get template_001                    | iiot templates list
  templates apply templates                     | iiot templates push
  templates export                              | iiot templates pull
  templates pull                                | <DIR>
  credentials get credential_001                | iiot credentials list
  credentials revoke credential_001             | iiot credentials delete
  credentials create ci                         | --name ci             | quotes
  credentials list --yaml                       | --output              | --all
  policy list                                   | web console
  client-credentials list                       | iiot credentials list | api
  sandbox run                                   | iiot sandbox exec
  orgs users list -o wide                       | iiot orgs users list --help
  orgs users list 11111111-1111-4111-8111-111111111111 | --org 11111111 | quotes
  orgs users list --json userId,name            | --columns             | quotes
  orgs users list --format json                 | --output
  orgs users list --filter role=admin           | --jq
  orgs users list --paginate                    | --all
  policies update p1 --threshold 80             | --alert-level
  batches create --schedule "0 2 * * *"         | --cron
  batches create --name n --cron "0 2 * * *" --enabled --no-run-on-startup| "0 0 2 * * ?"
  orgs delete x --confirm                       | --org-name            | --yes
  credentials delete x --force                  | --yes                 | --org-name
  channels update channel_email --enabled=false | --enabled or --disabled | Did you mean
  devices custom-info import -f fleet.csv       | <FILE>                | --profile
  login --client-id ci                          | login m2m             | --client-key
  orgs users list --page 2                      | --skip
  templates update t --data x                   | --body-file
  templates update t --file x                   | --body-file?          | --rows
  each --orgs-file o.txt --file o.txt -- version | --orgs-file
  policies update p1 --template template_001    | --template-id
  orgs users list --org-id x                    | --org?                | --role
  orgs users list --sort-by name                | --sort
  orgs users list --client-secret x             | Passwords and secrets are not options | --client-cert
  credentials create --name ci --expires-in 90d | --expires?
  api /api/v1/x --query a=b                     | --query-param
  templates pull --context plant                | --profile
  history list                                  | iiot history          | show
  profiles create plant                         | iiot profiles set NAME
  profiles get plant                            | iiot profiles show    | set
  batches validate "0 0 2 * * ?"                | iiot batches cron     | create
  history get 1234567                           | iiot history show
  mcp serve                                     | Usage: iiot mcp       | quotes`;

const rows = helped
  .trim()
  .split('\n')
  .map((row) => row.split('|').map((cell) => cell.trim()));

it.each(rows)('a first guess gets a useful hint: iiot %s', async (line = '', word = '', never) => {
  const { exit, stderr } = await someone.iiot(wordsOf(line));
  const [, hint = ''] = /hint"?: ?"?(.*)/.exec(stderr) ?? [];
  expect([exit, hint]).toEqual([2, expect.stringContaining(word)]);
  if (never) expect(hint).not.toContain(never);
  for (const [, name = ''] of hint.matchAll(/iiot ((?:[a-z][\w-]*(?: |$))+)/g)) expect(names).toContain(name.trim());
});
