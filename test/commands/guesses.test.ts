/** What people type before they have read the help. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groups } from '../../src/commands/index.ts';
import { topics } from '../../src/shell/topics.ts';
import { everyBranch, flatten } from '../../src/shell/tree.ts';
import { wordsOf } from '../support/words.ts';
import { person } from '../support/world.ts';

const { iiot, leave } = person();
const names = new Set([
  ...(await everyBranch(groups)).flatMap(flatten).map(({ name }) => name),
  ...topics.map(({ name }) => `help ${name}`),
]);
beforeAll(async () => void (await iiot(['profiles', 'set', 'plant', 'app=console'])));
afterAll(leave);

const works = `
  help; version; --version; login --help; profiles use plant; orgs users list; devices custom-info set press-0001 a=1;
  templates list; channels update channel_email --disabled; api /api/v1/orgs/{orgId}/users; completion bash; sandbox;
  sandbox start --help; history; orgs users list --jq length; logout --all`;

/** A line, a word that the hint must have, and one that it must not have. */
const helped = `
  whoami                                        | iiot login status
  auth login                                    | iiot login
  auth status                                   | iiot login status
  auth token                                    | iiot login token
  auth logout                                   | iiot logout           | login
  help env                                      | iiot help environment
  help auth                                     | iiot help authentication
  help exit                                     | iiot help exit-codes
  import fleet.csv                              | iiot devices custom-info import
  orgs use 22222222-2222-4222-8222-222222222222 | iiot profiles set NAME org=ID
  templates rollback                            | iiot templates push
  config                                        | iiot profiles
  config set org=x                              | iiot profiles set
  context use plant                             | iiot profiles use
  status                                        | iiot login status
  tokens                                        | iiot login token
  logs                                          | iiot history
  secrets                                       | iiot credentials
  users list                                    | iiot orgs users list  | api
  user list                                     | iiot orgs users list  | api
  users add ada                                 | iiot api POST
  orgs list                                     | web console
  orgs get ID                                   | web console
  orgs create --name x                          | iiot api POST
  orgs delete 22222222-2222-4222-8222-222222222222 | --org-name
  devices list                                  | web console
  devices get press-0001                        | iiot api
  devices create press-9                        | iiot api POST
  policies list                                 | web console
  policies get p1                               | iiot api
  policies create --name hot                    | iiot api POST
  policies enable p1                            | If your platform has  | update
  policies describe p1                          | iiot api
  channels list                                 | web console
  channels create                               | iiot api POST
  channels disable channel_email                | --disabled            | --enabled
  channels enable channel_email                 | --enabled             | --disabled
  channels test channel_email                   | If your platform has  | update
  batches list                                  | web console
  batches get b1                                | iiot api
  batches run b1                                | If your platform has  | create
  templates get template_001                    | iiot templates list
  templates create --name x                     | iiot api POST
  templates apply templates                     | iiot templates push
  templates export                              | iiot templates pull
  templates pull                                | <DIR>
  credentials get credential_001                | iiot credentials list
  credentials revoke credential_001             | iiot credentials delete
  credentials create ci                         | --name ci             | quotes
  credentials list --yaml                       | --output              | --all
  policy list                                   | web console
  batch list                                    | web console
  alert-policies list                           | web console
  client-credentials list                       | iiot credentials list | api
  notification-templates list                   | iiot templates list   | api
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
  policies update p1 -f p.json                  | --body-file?
  channels update c1 --file c.json              | --body-file?
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
  profiles describe plant                       | iiot profiles show
  batches validate "0 0 2 * * ?"                | iiot batches cron     | create
  history get 1234567                           | iiot history show
  mcp serve                                     | Usage: iiot mcp       | quotes`;

/** Lines whose hint only names the help. */
const neither = `
  open                        | iiot --help
  export                      | iiot --help
  history --watch             | iiot history --help
  templates push -f hot.txt   | iiot templates push --help
  sandbox start --sort x      | iiot sandbox start --help  | --port
  devices custom-info import --date x | iiot devices custom-info import --help | --rate
  credentials list --sort x   | iiot credentials list --help | --org`;

const rows = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((row) => row.split('|').map((cell) => cell.trim()));

it('nine in ten of at least a hundred first guesses work or get a useful hint', () => {
  const good = works.split(';').length + rows(helped).length;
  const all = good + rows(neither).length;
  expect([all >= 100, good >= 0.9 * all]).toEqual([true, true]);
});

/** A list that is missing, as long as it is. */
const isMissing = ([line = '', word]: readonly string[]) => word !== 'web console' || !names.has(line);
const unanswered = rows(`${helped}\n${neither.trim()}`).filter(isMissing);

describe('a first guess', () => {
  it.each(works.split(';').map((line) => line.trim()))('succeeds: iiot %s', async (line) => {
    const { exit, stderr } = await iiot(wordsOf(line));
    expect([exit, stderr]).toEqual([0, exit === 0 ? stderr : '']);
  });

  it.each(unanswered)('gets a useful hint: iiot %s', async (line = '', word = '', never) => {
    const { exit, stderr } = await iiot(wordsOf(line));
    const [, hint = ''] = /hint"?: ?"?(.*)/.exec(stderr) ?? [];
    expect([exit, hint]).toEqual([2, expect.stringContaining(word)]);
    if (never) expect(hint).not.toContain(never);
    for (const [, name = ''] of hint.matchAll(/iiot ((?:[a-z][\w-]*(?: |$))+)/g)) expect(names).toContain(name.trim());
  });
});
