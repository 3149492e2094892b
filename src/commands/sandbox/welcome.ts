import type { Context } from '../../command/context.ts';
import { formatOf } from '../../command/settings.ts';
import { thingsToTry } from '../../sandbox/world/things-to-try.ts';
import { quoteForShell } from '../../text/shell-lines.ts';

/** Whether to print text for a person: no other format was asked for. */
export function printsText({ options, settings }: Context): boolean {
  return formatOf(options, settings) === 'table' && options.jq === undefined;
}

/** The text shown when a sandbox has started: its URL, the accounts, what to try first, and where to find more. */
export function welcome(url: string): string {
  const { accounts, client, org, devices, templates } = thingsToTry;
  const rows = [
    ['Sandbox', `${url} (Ctrl-C stops it)`],
    ['Profile', `sandbox, logged in as ${accounts[0].account}`],
    [],
    ...accounts.map(({ account, password }, at) => [
      at === 0 ? 'Accounts' : '',
      `${account}, password ${quoteForShell(password)}`,
    ]),
    ['Machine', `${client.clientId}, client secret ${quoteForShell(client.clientSecret)}`],
    ['Organization', org],
    ['Device', devices[0].id],
    ['Template', templates[0].id],
    [],
    ['Try', 'iiot orgs users list --profile sandbox'],
    ['Browser', `${url} (data and changes)`],
  ];
  return rows.map(([label = '', text = '']) => `${label.padEnd(14)}${text}`.trimEnd()).join('\n');
}
